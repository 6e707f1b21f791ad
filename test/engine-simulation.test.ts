import { describe, expect, it } from 'vitest'
import type { ModelRequest, RunResult, Storage, Suite } from '../src/contract/index.ts'
import { createScoring, scoreJob } from '../src/scoring/index.ts'
import type { EngineTools, RunSettings } from '../src/services/run-with-client.ts'
import { executeRun, resumeRun } from '../src/services/run-with-client.ts'
import { createRandom } from '../src/statistics/index.ts'
import { openStorage } from '../src/storage/index.ts'
import { SimulatedWorld, type SimulatedProcess } from './fakes/simulated-world.ts'
import { isLong } from './scaled.ts'

const SEEDS = Number(process.env['SIMULATION_SEEDS'] ?? (isLong ? 300 : 25))

/** Seeds that failed once; always included. */
const REGRESSION_SEEDS: number[] = []

const models = ['good', 'poor']

function makeSuite(cases: number, isJudged: boolean): Suite {
  const testCases = Array.from({ length: cases }, (_, index) => ({
    id: `case-${index}`,
    prompt: `Question ${index}`,
    expectedOutput: `answer ${index}`,
    scoringMethod: isJudged && index % 2 === 0 ? 'llm-judge' : 'exact-match',
    weight: 1,
  }))
  return { name: 'Simulated', testCases }
}

/** Answers depend only on the question, so that a resumed run can be compared with an uninterrupted one. */
function answerOf({ modelId, messages }: ModelRequest): string {
  const text = String(messages.at(-1)!.content)
  if (modelId === 'judge') return JSON.stringify({ score: text.includes('answer') ? 9 : 2, reasoning: 'as it is' })
  const [, number] = /Question (\d+)/.exec(text)!
  return modelId === 'good' ? `answer ${number}` : `no idea ${number}`
}

interface Simulation {
  world: SimulatedWorld
  run: RunResult
  attempts: Awaited<ReturnType<Storage['loadAttempts']>>
  crashes: number
  concurrency: number
  cells: number
}

async function simulate(seed: number, { crashes: maxCrashes = 3, faulty = true } = {}): Promise<Simulation> {
  const random = createRandom(seed)
  const isJudged = random() < 0.5
  const suite = makeSuite(1 + Math.floor(random() * 6), isJudged)
  const concurrency = 1 + Math.floor(random() * 6)
  const odds = faulty ? 0.12 : 0
  const world = new SimulatedWorld(
    random,
    { rateLimited: odds, serverError: odds, empty: odds, brokenStream: odds, hang: odds / 3 },
    200,
  )
  const storage = await openStorage({ file: ':memory:' })
  const scoring = createScoring({
    scoreInWorker: scoreJob,
    random,
  })

  const start = (process: SimulatedProcess): [RunSettings, EngineTools] => [
    {
      suite,
      models,
      concurrency,
      client: process.client(answerOf),
      // All simulated processes share one real process, which still holds the claim of the dead one.
      takeOver: true,
      ...(isJudged && { judgeModelId: 'judge' }),
    },
    {
      storage: process.storage(storage),
      scoring,
      clock: process.clock(),
      random,
      createId: () => 'run',
      countTokens: (text) => text.length,
      versions: {},
    },
  ]

  let crashes = 0
  for (;;) {
    const process = world.start(crashes < maxCrashes ? 1 + Math.floor(random() * 150) : Infinity)
    const exists = (await storage.loadRun('run')) !== undefined
    const [settings, tools] = start(process)
    const resume = () => resumeRun('run', settings, tools).then(({ run }) => run)
    const work = exists ? resume() : executeRun(settings, tools)
    const outcome = await world.run(work, process)
    if (outcome === 'crashed') {
      crashes++
      continue
    }
    const attempts = await storage.loadAttempts('run')
    await storage.close()
    return { world, run: outcome.value, attempts, crashes, concurrency, cells: suite.testCases.length * models.length }
  }
}

function checkPromises({ world, run, attempts, concurrency, cells }: Simulation): void {
  const keys = run.results.map(({ testCaseId, modelId }) => `${testCaseId} ${modelId}`)
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys).toHaveLength(cells)
  expect(run.status).toBe('completed')

  expect(attempts.length).toBeGreaterThanOrEqual(world.sent)
  expect(attempts.length).toBeLessThanOrEqual(world.sent + world.lostInCrashes)
  expect(attempts.filter(({ end }) => !end).length).toBeLessThanOrEqual(world.lostInCrashes)
  expect(world.maxInFlight).toBeLessThanOrEqual(concurrency + world.lostInCrashes)

  // A stored answer is never paid for again.
  const answered = attempts.filter(({ purpose, end }) => purpose === 'answer' && end?.outcome === 'ok')
  const answeredCells = answered.map(({ testCaseId, modelId }) => `${testCaseId} ${modelId}`)
  expect(new Set(answeredCells).size).toBe(answeredCells.length)

  const ledger = attempts.reduce((sum, { end }) => sum + (end?.cost ?? 0), 0)
  const shown = run.results.reduce((sum, { cost = 0 }) => sum + cost, 0)
  expect(shown).toBeCloseTo(ledger, 9)
  expect(ledger).toBeLessThanOrEqual(world.charged + 1e-9)
  expect(world.charged - ledger).toBeLessThanOrEqual(world.lostInCrashes * 0.001 + 1e-9)

  for (const { testCaseId, modelId, response, error } of run.results)
    if (error === undefined && response !== '') {
      const request = {
        modelId,
        messages: [{ role: 'user' as const, content: `Question ${testCaseId.slice(5)}` }],
        parameters: {},
      }
      expect(response).toBe(answerOf(request))
    }
}

describe('the engine, in a world where requests fail and processes die', () => {
  it(`keeps its promises over ${SEEDS} seeds: one result per cell, every request in the ledger, no cost lost, and it ends`, async () => {
    let crashes = 0
    for (const seed of [...REGRESSION_SEEDS, ...Array.from({ length: SEEDS }, (_, index) => index)]) {
      const simulation = await simulate(seed)
      crashes += simulation.crashes
      try {
        checkPromises(simulation)
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error })
      }
    }
    expect(crashes).toBeGreaterThan(SEEDS)
  })

  it('a killed and resumed run has the same results as an uninterrupted one', async () => {
    for (let seed = 0; seed < SEEDS; seed++) {
      const broken = await simulate(seed, { faulty: false })
      const whole = await simulate(seed, { faulty: false, crashes: 0 })
      const scores = ({ run }: Simulation) =>
        run.results.map(({ testCaseId, modelId, response, score }) => ({ testCaseId, modelId, response, score }))
      expect(scores(broken)).toEqual(scores(whole))
    }
  })

  it('no more than 6 requests are made for an answer, and no more than 2 retries for empty replies', async () => {
    for (let seed = 0; seed < SEEDS; seed++) {
      const { attempts } = await simulate(seed, { crashes: 0 })
      const byCell = Map.groupBy(
        attempts.filter(({ purpose }) => purpose === 'answer'),
        ({ testCaseId, modelId }) => `${testCaseId} ${modelId}`,
      )
      for (const requests of byCell.values()) {
        expect(requests.length).toBeLessThanOrEqual(6)
        expect(requests.filter(({ end }) => end?.outcome === 'empty').length).toBeLessThanOrEqual(3)
      }
    }
  })
})
