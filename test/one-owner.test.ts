import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { startModelServer } from './fakes/model-server.ts'

const program = join(import.meta.dirname, '..', 'dist', 'cli.js')
const CASES = 60

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-owner-'))
const server = await startModelServer({ latencyMs: 100, answer: () => 'yes', cost: 0.001 })
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
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let err = ''
  child.stderr.on('data', (chunk) => (err += chunk))
  const ended = new Promise<{ code: number | null; err: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, err }))
  })
  return { ended, kill: () => child.kill('SIGKILL') }
}

async function untilAsked(requests: number): Promise<void> {
  while (server.requests.length < requests) await new Promise((resolve) => setTimeout(resolve, 10))
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
  expect(refused).toEqual({
    code: 2,
    err: expect.stringMatching(/run \S+ is being worked on by process \d+ on host \S+ since .*--take-over/),
  })
  first.kill()
  await first.ended
  const before = server.requests.length

  const resumed = start('resume', 'latest')
  await untilAsked(before + 3)
  expect((await start('resume', 'latest').ended).code).toBe(2)
  expect((await resumed.ended).code).toBe(0)
  // Two runs of all cases; at most what was in flight when it was killed is asked again.
  expect(server.requests.length).toBeLessThanOrEqual(2 * CASES + 2)
})
