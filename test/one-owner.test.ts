import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { startModelServer } from './fakes/model-server.ts'

const program = join(import.meta.dirname, '..', 'dist', 'cli.js')
const CASES = 60

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-owner-'))
/** What the models' answers wait for. */
let held: Promise<void> | undefined
const server = await startModelServer({ latencyMs: 100, answer: () => 'yes', cost: 0.001, hold: () => held })
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const suite = join(folder, 'suite.json')
writeFileSync(
  suite,
  JSON.stringify({
    name: 'Owned',
    testCases: Array.from({ length: CASES }, (_, index) => ({
      id: `case-${index}`,
      prompt: `Question ${index}`,
      scoringMethod: 'exact-match',
      expectedOutput: 'yes',
    })),
  }),
)

/** The real program, on data of its own. */
function start(...args: string[]) {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, BENCHMAKER_HOME: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => (out += chunk))
  child.stderr.on('data', (chunk) => (err += chunk))
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, out, err }))
  })
  return {
    ended,
    pid: child.pid,
    kill: () => child.kill('SIGKILL'),
    freeze: () => child.kill('SIGSTOP'),
    wake: () => child.kill('SIGCONT'),
  }
}

async function untilAsked(requests: number): Promise<void> {
  while (server.requests.length < requests) await new Promise((resolve) => setTimeout(resolve, 10))
}

/** Frozen in the middle of a write, a process locks the database for all others: then it is woken and frozen again. */
async function freezeBetweenWrites({ freeze, wake }: ReturnType<typeof start>): Promise<void> {
  for (;;) {
    freeze()
    if ((await start('list', '--json').ended).code === 0) return
    wake()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

it('a run has one owner: a second process is refused, a killed one is recognised at once, and nothing is paid twice', async () => {
  const first = start(
    'run',
    suite,
    '--models',
    'm',
    '--base-url',
    server.baseUrl,
    '--concurrency',
    '2',
    '--repeat',
    '2',
  )
  await untilAsked(10)
  const refused = await start('resume', 'latest').ended
  expect(refused).toMatchObject({
    code: 2,
    err: expect.stringMatching(/run \S+ is running in another process \(process \d+ on host \S+ since .*--take-over/),
  })
  // Frozen, so that it cannot finish meanwhile; its claim lasts 30 s.
  await freezeBetweenWrites(first)
  const owner = { host: hostname(), pid: first.pid, since: expect.any(Number) }
  const list = async () => JSON.parse((await start('list', '--json').ended).out).runs
  expect((await list())[0]).toMatchObject({ state: 'running', workedOnBy: owner })
  expect((await start('list').ended).out).toContain(`running (process ${first.pid} on host ${hostname()})`)
  const shown = await start('show', 'latest', '--json').ended
  expect(Object.values(JSON.parse(shown.out).activity)).toEqual([{ state: 'running', workedOnBy: owner }])
  expect(shown.err).toMatch(new RegExp(`is running in another process \\(process ${first.pid} on host`))
  expect(await start('delete', 'latest', '--yes').ended).toMatchObject({
    code: 2,
    err: expect.stringContaining('is running in another process'),
  })
  first.kill()
  await first.ended
  const before = server.requests.length
  expect((await list())[0]).toMatchObject({ status: 'running', state: 'interrupted' })
  expect((await start('list').ended).out).toContain('interrupted')
  expect((await start('show', 'latest').ended).err).toMatch(/was interrupted\. Next: benchmaker resume \S+/)

  const resumed = start('resume', 'latest')
  await untilAsked(before + 3)
  expect((await start('resume', 'latest').ended).code).toBe(2)
  expect((await resumed.ended).code).toBe(0)
  // Two runs of all cases; at most what was in flight when it was killed is asked again.
  expect(server.requests.length).toBeLessThanOrEqual(2 * CASES + 2)
})

it('a process whose run is taken over says so and leaves its status alone', async () => {
  const before = server.requests.length
  const first = start('run', suite, '--models', 'taken', '--base-url', server.baseUrl, '--concurrency', '1')
  await untilAsked(before + 3)
  const second = start('resume', 'latest', '--take-over')
  expect(await first.ended).toMatchObject({
    code: 3,
    err: expect.stringContaining(`was taken over by process ${second.pid} on host ${hostname()}`),
  })
  const gate = Promise.withResolvers<void>()
  held = gate.promise
  const { runs } = JSON.parse((await start('list', '--json').ended).out)
  expect(runs[0]).toMatchObject({ status: 'running', state: 'running', workedOnBy: { pid: second.pid } })
  held = undefined
  gate.resolve()
  expect((await second.ended).code).toBe(0)
  // Sent twice is only what was in flight when the run changed hands.
  expect(server.requests.length - before).toBeLessThanOrEqual(CASES + 2)
})
