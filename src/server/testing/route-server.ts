import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hono } from 'hono'
import type { Client, Storage, Suite } from '../../contract/index.ts'
import { createDemoClient } from '../../providers/index.ts'
import { drawRandom, startScoring } from '../../runner/index.ts'
import { systemClock } from '../../services/index.ts'
import { executeRun, type EngineTools, type RunSettings } from '../../services/run-with-client.ts'
import { openStorage } from '../../storage/index.ts'
import { toErrorReply } from '../http/app.ts'
import type { ServerContext } from '../context.ts'

export interface RouteServer {
  context: ServerContext
  storage: Storage
  dataFolder: string
  /** Runs that count as live. */
  live: Set<string>
  /** What live runs wait for. */
  waiting: Map<string, string>
  /** GET as JSON; throws unless the status is 200. */
  get(path: string): Promise<unknown>
  request(path: string, init?: RequestInit): Promise<Response>
  /** Executes real runs with simulated models; `repeat` of them form a series. */
  run(
    settings: Omit<RunSettings, 'client' | 'seriesId'>,
    options?: { repeat?: number; client?: Client },
  ): Promise<string[]>
  close(): Promise<void>
}

/** Some routes without an HTTP server, with a real database, simulated models and runs that the test declares live. */
export async function startRouteServer(
  routes: readonly ((context: ServerContext) => Hono)[],
  {
    clientFor,
    openDatabase = (dataFolder) => openStorage({ file: join(dataFolder, 'benchmaker.db') }),
  }: { clientFor?: (modelId: string) => Client; openDatabase?: (dataFolder: string) => Promise<Storage> } = {},
): Promise<RouteServer> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'benchmaker-server-'))
  const storage = await openDatabase(dataFolder)
  const live = new Set<string>()
  const waiting = new Map<string, string>()
  let lastId = 0
  const createId = () => `run-${++lastId}`
  const tools: EngineTools = {
    storage,
    scoring: startScoring(),
    clock: systemClock,
    random: drawRandom,
    createId,
    countTokens: (text) => text.length,
    versions: { benchmaker: 'test' },
  }
  const refuse = () => Promise.reject(new Error('not used here'))
  const context: ServerContext = {
    version: 'test',
    dataFolder,
    storageKind: 'sqlite',
    storage,
    clientFor: clientFor ?? (() => createDemoClient()),
    listedClients: () => [createDemoClient()],
    runTools: () => ({
      ...tools,
      loadTokenCounter: async () => tools.countTokens,
      connect: (_request, repeat) => ({
        clientOf: () => createDemoClient({ salt: String(repeat) }),
        readPrices: async () => new Map(),
      }),
    }),
    runs: {
      start: refuse,
      resume: refuse,
      rescore: refuse,
      startSuite: refuse,
      listen: () => () => undefined,
      stop: async () => false,
      find: () => undefined,
      isLive: (id) => live.has(id),
      isOnWorkers: () => false,
      findWaiting: (id) => waiting.get(id),
      liveRuns: () => [...live],
      ownRuns: () => [],
      watch: () => undefined,
      close: async () => {},
    },
    keys: {
      description: 'none',
      source: 'file',
      sourceOf: () => 'file',
      get: () => undefined,
      names: () => [],
      originOf: () => undefined,
      bindOnce: () => undefined,
      set: refuse,
      remove: async () => false,
    },
    models: { list: refuse, listModels: async () => [] },
    previews: {
      origin: '',
      show: () => '',
      compiler: { assemble: refuse, embedStyles: refuse, warmUp: refuse, embedScripts: refuse },
    },
    packages: { folder: join(dataFolder, 'packages'), previews: undefined },
    inspectPage: refuse,
    findBrowserProblem: async () => undefined,
    environment: {},
    renewClients: async () => {},
    replaceDatabase: refuse,
    databaseSize: async () => undefined,
    checkAddress: async () => {},
    now: () => Date.now(),
    createId: () => `id-${++lastId}`,
  }
  const app = new Hono()
  for (const create of routes) app.route('/api', create(context))
  app.onError((error, c) => {
    const { status, body } = toErrorReply(error, {
      redact: (text) => text,
      log: (line) => process.stderr.write(`${line}\n`),
    })
    return c.json(body, status)
  })
  const request = async (path: string, init?: RequestInit) => app.request(`/api${path}`, init)

  return {
    context,
    storage,
    dataFolder,
    live,
    waiting,
    request,
    async get(path) {
      const reply = await request(path)
      const body: unknown = await reply.json()
      if (reply.status !== 200) throw new Error(`GET ${path}: ${reply.status} ${JSON.stringify(body)}`)
      return body
    },
    async run(settings, { repeat = 1, client } = {}) {
      const ids: string[] = []
      const seriesId = repeat > 1 ? `series-${++lastId}` : undefined
      for (let index = 0; index < repeat; index++) {
        const run = await executeRun(
          { ...settings, seriesId, client: client ?? createDemoClient({ salt: String(index) }) },
          tools,
        )
        ids.push(run.id)
      }
      return ids
    },
    async close() {
      await storage.close()
      await rm(dataFolder, { recursive: true, force: true })
    },
  }
}

/** Sums that a good model gets right and a poor one often does not. */
export function makeSuite(cases: number, more: Partial<Suite> = {}): Suite {
  return {
    name: 'Sums',
    systemPrompt: 'Answer with the number only.',
    testCases: Array.from({ length: cases }, (_, index) => ({
      id: `sum-${String(index).padStart(3, '0')}`,
      prompt: `What is ${index} + ${index * 7 + 3}?`,
      expectedOutput: String(index * 8 + 3),
      scoringMethod: 'exact-match',
      weight: index % 3 === 0 ? 2 : 1,
      metadata: { category: index % 2 === 0 ? 'even' : 'odd', tags: [`t${index % 5}`], difficulty: 'easy' },
    })),
    ...more,
  }
}
