import { randomUUID } from 'node:crypto'
import type { Client, RunResult, Storage } from '../contract/index.ts'
import { checkGivenParameters, checkGivenSuite, type GivenSuite } from '../import/suite-files/given-suite.ts'
import { addScorers, type Scorer } from '../scoring/index.ts'
import { defineClient, type ClientDefinition } from '../services/index.ts'
import {
  executeRun as runEngine,
  rescoreRun as rescoreEngine,
  resumeRun as resumeEngine,
  type EngineTools,
  type RescoredRun,
  type RescoreSettings,
  type ResumedRun,
  type ResumeSettings,
  type RunSettings,
} from '../services/run-with-client.ts'
import { allowExternal } from '../runner/environments/open-external.ts'
import { openStorage } from '../storage/index.ts'
import { version } from '../version.ts'
import { refuseUnknownOptions } from './options.ts'
import { countTokens, scoringWith, tools, type ScorerOptions } from './wiring.ts'

/** Custom scorers and clients. */
interface OpenOptions extends ScorerOptions {
  /** One client for all models, or a function that returns the client of a model. */
  client: ClientDefinition | ((modelId: string) => ClientDefinition)
}

export interface ExecuteOptions extends Omit<RunSettings, 'kind' | 'suite' | 'client'>, OpenOptions {
  /** Checked and completed like a suite from a file, before anything is sent or written. */
  suite: GivenSuite
  /** Where the run is stored; by default in memory. */
  storage?: Storage
  /** Lets the suite start the programs that it names as tools. */
  allowCommands?: boolean
}

function defineClients(client: OpenOptions['client']): RunSettings['client'] {
  if (typeof client !== 'function') return defineClient(client)
  const clients = new Map<ClientDefinition, Client>()
  return (modelId) => {
    const definition = client(modelId)
    const fullClient = clients.get(definition) ?? defineClient(definition)
    clients.set(definition, fullClient)
    return fullClient
  }
}

function engineTools(storage: Storage, scorers: readonly Scorer[] | undefined, allowsCommands = false): EngineTools {
  return {
    storage,
    scoring: scoringWith(scorers),
    external: allowExternal({ allowsCommands }),
    ...tools,
    createId: randomUUID,
    countTokens,
    versions: { benchmaker: version, node: process.versions.node },
  }
}

/** Complete by its type: an option that is missing here does not compile. */
const executeOptions: Record<keyof ExecuteOptions, true> = {
  suite: true,
  models: true,
  client: true,
  parameters: true,
  judgeModelId: true,
  combineJudges: true,
  scorers: true,
  storage: true,
  allowCommands: true,
  label: true,
  seriesId: true,
  textsInResult: true,
  prices: true,
  modelPrices: true,
  filter: true,
  limit: true,
  sameWithin: true,
  until: true,
  decide: true,
  screen: true,
  informative: true,
  batch: true,
  orderSeed: true,
  userModel: true,
  cache: true,
  maxCacheAgeSeconds: true,
  maxCost: true,
  concurrency: true,
  requestsPerMinute: true,
  tokensPerMinute: true,
  timeoutMs: true,
  maxTimeMs: true,
  headers: true,
  onEvent: true,
  signal: true,
  drain: true,
  detach: true,
  takeOver: true,
  onWorkers: true,
}

/** Asks every model every test case, scores the answers and returns the run. */
export async function executeRun(given: ExecuteOptions): Promise<RunResult> {
  refuseUnknownOptions('executeRun', given, executeOptions)
  const { storage, scorers, allowCommands, ...options } = given
  const settings = {
    ...options,
    suite: checkGivenSuite(options.suite, addScorers(scorers)),
    parameters: checkGivenParameters(options.parameters),
    client: defineClients(options.client),
  }
  const usedStorage = storage ?? (await openStorage({ file: ':memory:' }))
  const run = runEngine(settings, engineTools(usedStorage, scorers, allowCommands))
  return storage ? run : run.finally(() => usedStorage.close())
}

export interface ResumeOptions extends Omit<ResumeSettings, 'client'>, OpenOptions {
  storage: Storage
  allowCommands?: boolean
}

const resumeOptions: Record<keyof ResumeOptions, true> = {
  allowCommands: true,
  client: true,
  combineJudges: true,
  concurrency: true,
  detach: true,
  drain: true,
  headers: true,
  label: true,
  maxCost: true,
  maxTimeMs: true,
  modelPrices: true,
  onEvent: true,
  onWorkers: true,
  prices: true,
  requestsPerMinute: true,
  scorers: true,
  signal: true,
  storage: true,
  takeOver: true,
  timeoutMs: true,
  tokensPerMinute: true,
  withTexts: true,
}

/** Finishes a stored run, or the whole series it belongs to, according to its stored request. */
export async function resumeRun(runId: string, given: ResumeOptions): Promise<ResumedRun> {
  refuseUnknownOptions('resumeRun', given, resumeOptions)
  const { storage, scorers, allowCommands, ...options } = given
  return resumeEngine(
    runId,
    { ...options, client: defineClients(options.client) },
    engineTools(storage, scorers, allowCommands),
  )
}

export interface RescoreOptions extends Omit<RescoreSettings, 'client' | 'suite'>, OpenOptions {
  storage: Storage
  /** Replaces the run's own suite; the rescored answers then become a new run. */
  suite?: GivenSuite
}

const rescoreOptions: Record<keyof RescoreOptions, true> = {
  client: true,
  combineJudges: true,
  detach: true,
  drain: true,
  judgeModelId: true,
  label: true,
  onEvent: true,
  onWorkers: true,
  prices: true,
  scorers: true,
  signal: true,
  storage: true,
  suite: true,
  takeOver: true,
  withTexts: true,
}

/** Rescores the stored answers of a run; only judges and embedding models are asked. */
export async function rescoreRun(runId: string, given: RescoreOptions): Promise<RescoredRun> {
  refuseUnknownOptions('rescoreRun', given, rescoreOptions)
  const { storage, scorers, suite, ...options } = given
  const settings = {
    ...options,
    client: defineClients(options.client),
    ...(suite && { suite: checkGivenSuite(suite, addScorers(scorers)) }),
  }
  return rescoreEngine(runId, settings, engineTools(storage, scorers))
}
