import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { builtProgram } from '../src/cli/testing/built-program.ts'
import { createRandom } from '../src/statistics/index.ts'
import { openStorage } from '../src/storage/index.ts'
import { startModelServer, type ModelServer, type ModelServerOptions } from './fakes/model-server.ts'

const CASES = 120
const CONCURRENCY = 8
const KILLS = Number(process.env['BENCHMAKER_KILLS'] ?? 3)

const cleanUp: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const undo of cleanUp.splice(0)) await undo()
})

function answer({ prompt }: { prompt: string }): string {
  const number = Number(/\d+/.exec(prompt)?.[0])
  return number % 3 === 0 ? `no idea about ${number}` : `answer ${number}`
}

async function setUp(options: ModelServerOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'benchmaker-run-'))
  const server = await startModelServer({ latencyMs: 15, answer, cost: 0.001, ...options })
  cleanUp.push(
    () => server.close(),
    () => rmSync(folder, { recursive: true, force: true }),
  )
  const suite = join(folder, 'suite.json')
  const testCases = Array.from({ length: CASES }, (_, index) => ({
    id: `case-${index}`,
    prompt: `Question ${index}`,
    scoringMethod: 'exact-match',
    expectedOutput: `answer ${index}`,
  }))
  writeFileSync(suite, JSON.stringify({ name: 'Processes', testCases }))
  return { folder, server, suite }
}

interface Exit {
  code: number | null
  stdout: string
  stderr: string
}

/** Starts the real program. */
function start(args: string[], folder: string): { ended: Promise<Exit>; kill: (signal: NodeJS.Signals) => void } {
  const child = spawn(process.execPath, [builtProgram, ...args], {
    env: { ...process.env, BENCHMAKER_HOME: join(folder, 'data') },
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => (stdout += chunk))
  child.stderr.on('data', (chunk) => (stderr += chunk))
  return {
    ended: new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr }))),
    kill: (signal) => void child.kill(signal),
  }
}

async function listCells(
  folder: string,
): Promise<{ id: string; cells: { total: number; scored: number }; cost: number }[]> {
  const storage = await openStorage({ file: join(folder, 'data', 'benchmaker.db') })
  const runs = await storage.listRuns()
  await storage.close()
  return runs
}

const waitUntil = async (isTrue: () => boolean) => {
  for (let waited = 0; !isTrue(); waited++) {
    if (waited > 2000) throw new Error('the condition never became true')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

function runArguments(suite: string, server: ModelServer, models = 'fake'): string[] {
  return [
    'run',
    suite,
    '--models',
    models,
    '--base-url',
    server.baseUrl,
    '--concurrency',
    String(CONCURRENCY),
    '--json',
  ]
}

describe('real processes against a counting server', () => {
  it('a run killed again and again at random moments loses no finished cell and repeats at most the calls in flight', async () => {
    const { folder, server, suite } = await setUp()
    const random = createRandom('kill')
    let kills = 0
    let scoredBefore = 0
    let last: Exit | undefined
    while (!last) {
      const requestsBefore = server.stats().requests
      const isFirst = (await listCells(folder)).length === 0
      const process = start(
        isFirst
          ? runArguments(suite, server)
          : ['resume', 'latest', '--base-url', server.baseUrl, '--concurrency', String(CONCURRENCY), '--json'],
        folder,
      )
      if (kills < KILLS) {
        let isOver = false
        void process.ended.then(() => (isOver = true))
        await waitUntil(() => isOver || server.stats().requests > requestsBefore)
        await new Promise((resolve) => setTimeout(resolve, random() * 25))
        process.kill('SIGKILL')
        kills++
      }
      const ended = await process.ended
      const [run] = await listCells(folder)
      expect(run?.cells.scored ?? 0).toBeGreaterThanOrEqual(scoredBefore)
      scoredBefore = run?.cells.scored ?? 0
      if (ended.code === 0) last = ended
    }
    expect(server.stats().requests).toBeLessThanOrEqual(CASES + kills * CONCURRENCY)

    const { runs, cost } = JSON.parse(last.stdout)
    expect(runs[0].results).toHaveLength(CASES)
    const scores: number[] = runs[0].results.map(({ score }: { score: { score: number } }) => score.score)
    expect(scores.filter((score) => score === 1)).toHaveLength((CASES * 2) / 3)
    const [stored] = await listCells(folder)
    expect(stored).toMatchObject({ cells: { total: CASES, scored: CASES } })
    expect(cost).toBeCloseTo(stored!.cost, 9)
  })

  it('a run that stops when decided decides the same after 2 kills as without', async () => {
    const isRight = (model: string, number: number) => (model === 'better' ? number % 5 > 0 : number % 3 === 0)
    const { folder, server, suite } = await setUp({
      answer: ({ prompt, model }) => {
        const number = Number(/\d+/.exec(prompt)?.[0])
        return isRight(model, number) ? `answer ${number}` : `no idea about ${number}`
      },
    })
    const deciding = ['--until', 'decided', '--order-seed', 'kills', '--repeat', '2']
    const command = [...runArguments(suite, server, 'better,worse'), ...deciding]
    const whole = JSON.parse((await start(command, folder).ended).stdout)
    expect(whole.decisions).toMatchObject({ isSettled: true, best: 'better' })
    const others = new Set((await listCells(folder)).map(({ id }) => id))

    const random = createRandom('kill deciding')
    let last: Exit | undefined
    for (let kills = 0; !last;) {
      const requestsBefore = server.stats().requests
      const begun = (await listCells(folder)).find(({ id }) => !others.has(id))
      const process = start(begun ? ['resume', begun.id, '--base-url', server.baseUrl, '--json'] : command, folder)
      if (kills < 2) {
        let isOver = false
        void process.ended.then(() => (isOver = true))
        await waitUntil(() => isOver || server.stats().requests > requestsBefore)
        await new Promise((resolve) => setTimeout(resolve, random() * 40))
        process.kill('SIGKILL')
        kills++
      }
      const ended = await process.ended
      if (ended.code === 0) last = ended
    }
    const { decisions, runs } = JSON.parse(last.stdout)
    const found = ({ pairs, cases, dropped }: typeof decisions) => ({ pairs, cases, dropped })
    expect(found(decisions)).toEqual(found(whole.decisions))
    expect(runs.map((run: { stopReason: string }) => run.stopReason)).toEqual(['decided', 'decided'])
  })

  it('Ctrl-C closes every connection without waiting for answers and exits with 130, and the run can be resumed', async () => {
    const answers = Promise.withResolvers<void>()
    const { folder, server, suite } = await setUp({ hold: () => answers.promise })
    const process = start(runArguments(suite, server), folder)
    await waitUntil(() => server.stats().inFlight === CONCURRENCY)
    process.kill('SIGINT')
    await waitUntil(() => server.stats().openSockets === 0)
    answers.resolve()
    const ended = await process.ended
    expect(ended.code).toBe(130)
    expect(ended.stderr).toContain('benchmaker resume')
    expect(JSON.parse(ended.stdout).runs[0].status).toBe('cancelled')

    const resumed = await start(
      ['resume', 'latest', '--base-url', server.baseUrl, '--concurrency', '60', '--json'],
      folder,
    ).ended
    expect(resumed.code).toBe(0)
    expect(JSON.parse(resumed.stdout).runs[0].results).toHaveLength(CASES)
  })

  it('two processes can use the same data at once', async () => {
    const { folder, server, suite } = await setUp({ latencyMs: 5 })
    const both = await Promise.all([
      start(runArguments(suite, server), folder).ended,
      start(runArguments(suite, server), folder).ended,
    ])
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    expect((await listCells(folder)).map(({ cells }) => cells.scored)).toEqual([CASES, CASES])
  })
})

describe('the built program', () => {
  it('starts its browser: doctor names it, and a chart becomes a picture', async () => {
    const { folder, server, suite } = await setUp({ latencyMs: 0 })
    expect((await start(['doctor'], folder).ended).stdout).toMatch(/Screenshots +Chromium \d+/)
    await start(runArguments(suite, server), folder).ended
    const chart = await start(['chart', 'latest', '--out', 'chart.png'], folder).ended
    expect(chart).toMatchObject({ code: 0, stderr: 'wrote chart.png\n' })
    expect(readFileSync(join(folder, 'chart.png')).subarray(1, 4).toString()).toBe('PNG')
  })
})
