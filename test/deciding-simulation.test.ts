import { describe, expect, it } from 'vitest'
import { runRequestSchema, type ModelRequest, type RunResult, type Suite } from '../src/contract/index.ts'
import { buildReport } from '../src/report/index.ts'
import { createScoring, scoreJob } from '../src/scoring/index.ts'
import { prepareRun, resumeSeries, startSeries, type RunTools } from '../src/services/index.ts'
import { planningTools } from '../src/services/prepare.ts'
import { createRandom, drawOrder } from '../src/statistics/index.ts'
import { openStorage } from '../src/storage/index.ts'
import { SimulatedWorld, type SimulatedProcess } from './fakes/simulated-world.ts'
import { isLong } from './scaled.ts'

const SEEDS = Number(process.env['SIMULATION_SEEDS'] ?? (isLong ? 60 : 5))
const CASES = 40
const models = ['good', 'fair', 'poor']
const share: Record<string, number> = { good: 0.95, fair: 0.6, poor: 0.2 }

const makeSuite = (isJudged: boolean): Suite => ({
  name: 'Simulated',
  testCases: Array.from({ length: CASES }, (_, index) => ({
    id: `case-${index}`,
    prompt: `Question ${index}`,
    expectedOutput: `answer ${index}`,
    scoringMethod: isJudged && index % 4 === 0 ? 'llm-judge' : 'exact-match',
    partial: false,
    weight: 1,
  })),
})

/** Answers depend only on the question and the run, so that a resumed run can be compared with an uninterrupted one. */
function answerOf({ modelId, messages }: ModelRequest, repeat: number): string {
  const text = String(messages.at(-1)!.content)
  if (modelId === 'judge') return JSON.stringify({ score: text.includes('no idea') ? 2 : 9, reasoning: 'as it is' })
  const [, number] = /Question (\d+)/.exec(text)!
  const isRight = createRandom(`${modelId} ${number} ${repeat}`)() < share[modelId]!
  return isRight ? `answer ${number}` : `no idea ${number}`
}

interface Settings {
  crashes?: number
  faulty?: boolean
}

async function simulate(seed: number, { crashes: maxCrashes = 3, faulty = false }: Settings = {}) {
  const drawn = createRandom(`settings ${seed}`)
  const isJudged = drawn() < 0.4
  const request = runRequestSchema.parse({
    suiteId: 'Simulated',
    models,
    judgeModelIds: isJudged ? ['judge'] : [],
    repeat: 1 + Math.floor(drawn() * 3),
    concurrency: 1 + Math.floor(drawn() * 6),
    orderSeed: String(seed),
    ...(drawn() < 0.8 && { until: 'decided' }),
    decide: drawn() < 0.5 ? 'best' : 'all',
    ...(drawn() < 0.3 && { screen: 1 + Math.floor(drawn() * 30) }),
  })
  if (!request.until && !request.screen) request.screen = 10
  const random = createRandom(seed)
  const odds = faulty ? 0.12 : 0
  const world = new SimulatedWorld(
    random,
    { rateLimited: odds, serverError: odds, empty: odds, brokenStream: odds, hang: odds / 3 },
    400,
  )
  const storage = await openStorage({ file: ':memory:' })
  let created = 0
  const tools = (process: SimulatedProcess): RunTools => ({
    storage: process.storage(storage),
    scoring: createScoring({ scoreInWorker: scoreJob, random }),
    clock: process.clock(),
    random,
    createId: () => `run-${created++}`,
    versions: {},
    loadTokenCounter: async () => (text: string) => text.length,
    connect: (_request, repeat) => ({
      clientOf: () => process.client((asked) => answerOf(asked, repeat)),
      readPrices: async () => new Map(),
    }),
  })
  const suite = makeSuite(isJudged)
  let crashes = 0
  for (;;) {
    const process = world.start(crashes < maxCrashes ? 1 + Math.floor(random() * 600) : Infinity)
    const own = tools(process)
    const [stored] = await storage.listRuns()
    const work = stored
      ? resumeSeries(stored.id, {}, own, { takeOver: true }).then(({ runs }) => runs)
      : prepareRun({ kind: 'suite', request, suite }, planningTools(own)).then((prepared) =>
          startSeries(prepared, own, { takeOver: true }),
        )
    const outcome = await world.run(work, process)
    if (outcome === 'crashed') {
      crashes++
      continue
    }
    const runs = outcome.value.toSorted((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0) || (a.id < b.id ? -1 : 1))
    const attempts = (await Promise.all(runs.map(({ id }) => storage.loadAttempts(id)))).flat()
    await storage.close()
    return { world, request, suite, runs, attempts, crashes }
  }
}

type Simulation = Awaited<ReturnType<typeof simulate>>

function decisionsOf({ runs }: Simulation) {
  const { decisions } = buildReport(runs)
  const { pairs, dropped, cases, isSettled, best } = decisions!
  return { dropped, cases, isSettled, best, pairs: pairs.map(({ winner, at, n }) => ({ winner, at, n })) }
}

const finishedCells = ({ results }: RunResult) => results.filter(({ outcome }) => outcome !== 'cancelled')

function checkPromises(simulation: Simulation): void {
  const { request, suite, runs, attempts, world } = simulation
  expect(runs.map(({ status }) => status)).toEqual(runs.map(() => 'completed'))
  expect(runs).toHaveLength(request.repeat)
  const decisions = decisionsOf(simulation)
  const isEarly = runs.some((run) => finishedCells(run).length < CASES * models.length)
  expect(runs.map(({ stopReason }) => stopReason)).toEqual(runs.map(() => (isEarly ? 'decided' : undefined)))
  expect(runs.map(({ results }) => results.length)).toEqual(runs.map(() => CASES * models.length))

  // Nothing is asked far beyond the case that decides, nor of a model that has dropped out.
  const order = drawOrder(suite.testCases, request.orderSeed!).map(({ id }) => id)
  const ahead = 2 * request.concurrency
  for (const run of runs)
    for (const { testCaseId, modelId } of finishedCells(run)) {
      const last = decisions.dropped.find((one) => one.modelId === modelId)?.at ?? decisions.cases
      expect(order.indexOf(testCaseId)).toBeLessThan(last + ahead)
    }

  // A stored answer is never paid for again, and no more requests are in flight than allowed.
  const answered = attempts.filter(({ purpose, end }) => purpose === 'answer' && end?.outcome === 'ok')
  const cells = answered.map(({ runId, testCaseId, modelId }) => `${runId} ${testCaseId} ${modelId}`)
  expect(new Set(cells).size).toBe(cells.length)
  expect(world.maxInFlight).toBeLessThanOrEqual(request.concurrency + world.lostInCrashes)
}

describe('a run that decides, in a world where requests fail and processes die', () => {
  it('keeps its promises, and ends', async () => {
    let crashes = 0
    let early = 0
    for (let seed = 0; seed < SEEDS; seed++) {
      const simulation = await simulate(seed, { faulty: true })
      crashes += simulation.crashes
      if (simulation.runs[0]!.stopReason === 'decided') early++
      try {
        checkPromises(simulation)
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error })
      }
    }
    expect(crashes).toBeGreaterThan(SEEDS)
    expect(early).toBeGreaterThan(SEEDS / 3)
  })

  it('decides the same when it is killed and resumed as when it is not', async () => {
    for (let seed = 0; seed < SEEDS / 2; seed++) {
      const broken = await simulate(seed)
      const whole = await simulate(seed, { crashes: 0 })
      expect([seed, decisionsOf(broken)]).toEqual([seed, decisionsOf(whole)])
    }
  })
})
