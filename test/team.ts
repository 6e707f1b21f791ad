/** A team in one process: a database with a queue, workers, and models that answer from a script. */
import {
  runRequestSchema,
  type Client,
  type ModelRequest,
  type RunRequestInput,
  type Suite,
  type WorkQueue,
} from '../src/contract/index.ts'
import { createScoring } from '../src/scoring/index.ts'
import {
  prepareRun,
  runWorker,
  startSeries,
  systemClock,
  type RunOptions,
  type RunTools,
  type WorkerReport,
} from '../src/services/index.ts'
import { openStorage, openWorkQueue } from '../src/storage/index.ts'
import type { PostgresServer } from '../src/storage/testing/postgres-server.ts'

export type TeamAnswer = (request: ModelRequest) => string | Promise<string>

export const suiteOf = (count: number, scoringMethod = 'exact-match'): Suite => ({
  name: 'Team',
  testCases: Array.from({ length: count }, (_, index) => ({
    id: `case-${index}`,
    prompt: `Question ${index}`,
    scoringMethod,
    ...(scoringMethod === 'exact-match' && { expectedOutput: 'yes' }),
    weight: 1,
  })),
})

interface TeamOptions {
  postgres: PostgresServer
  /** Called after the test, the last one first. */
  cleanUp: (() => Promise<unknown>)[]
  answer?: TeamAnswer
}

export async function openTeam({ postgres, cleanUp, answer = () => 'yes' }: TeamOptions) {
  const price = { prompt: 0.001, completion: 0.001 }
  const connectionString = await postgres.createDatabase()
  const storage = await openStorage({ connectionString })
  cleanUp.push(() => storage.close())
  const openQueue = async (version = '1.0.0'): Promise<WorkQueue> => {
    const queue = await openWorkQueue({ connectionString, version })
    cleanUp.push(() => queue.close())
    return queue
  }
  const asked: ModelRequest[] = []
  const client: Client = {
    provider: 'scripted',
    price,
    async complete(request) {
      asked.push(request)
      return { outcome: 'ok', response: await answer(request), latencyMs: 1, promptTokens: 10, completionTokens: 10 }
    },
    listModels: async () => [],
    close: async () => {},
  }
  let ids = 0
  const queue = await openQueue()
  const tools: RunTools = {
    storage,
    queue,
    scoring: createScoring({ scoreInWorker: () => Promise.reject(new Error('not here')), random: Math.random }),
    clock: systemClock,
    random: () => 0.5,
    createId: () => `id-${++ids}`,
    versions: {},
    loadTokenCounter: async () => (text) => text.length,
    connect: () => ({
      clientOf: () => client,
      readPrices: async (models) => new Map(models.map((model) => [model, price])),
    }),
  }
  return {
    connectionString,
    storage,
    queue,
    openQueue,
    tools,
    asked,
    async startWorker(own: Partial<RunTools> = {}) {
      const ownQueue = await openQueue()
      const controller = new AbortController()
      const reports: WorkerReport[] = []
      const { leave } = await ownQueue.join({ kind: 'worker', name: 'test' })
      const ended = runWorker({
        queue: ownQueue,
        tools: { ...tools, ...own },
        concurrency: 8,
        signal: controller.signal,
        graceMs: 5000,
        onReport: (report) => reports.push(report),
      })
      const stop = async () => {
        controller.abort()
        await ended
        await leave()
      }
      cleanUp.push(stop)
      return { reports, ended, stop }
    },
    async start(request: Omit<RunRequestInput, 'suiteId'>, suite: Suite, options: RunOptions = {}) {
      const parsed = runRequestSchema.parse({ suiteId: 'team', ...request })
      return startSeries(await prepareRun({ kind: 'suite', request: parsed, suite }, tools), tools, {
        onWorkers: 'always',
        ...options,
      })
    },
  }
}
