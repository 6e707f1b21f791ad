import { randomUUID } from 'node:crypto'
import type { Client, RunResult, Storage } from '../contract/index.ts'
import { checkGivenParameters, checkGivenSuite, type SuiteInput } from '../import/suite-files/given-suite.ts'
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
import { openStorage } from '../storage/index.ts'
import { version } from '../version.ts'
import { countTokens, scoringWith, tools, type ScorerOptions } from './wiring.ts'

/** Custom scorers and clients. */
interface OpenOptions extends ScorerOptions {
  /** One client for all models, or a function that returns the client of a model. */
  client: ClientDefinition | ((modelId: string) => ClientDefinition)
}

export interface ExecuteOptions extends Omit<RunSettings, 'kind' | 'suite' | 'client'>, OpenOptions {
  /** Checked and completed like a suite from a file, before anything is sent or written. */
  suite: SuiteInput
  /** Where the run is stored; by default in memory. */
  storage?: Storage
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

function engineTools(storage: Storage, scorers: readonly Scorer[] | undefined): EngineTools {
  return {
    storage,
    scoring: scoringWith(scorers),
    ...tools,
    createId: randomUUID,
    countTokens,
    versions: { benchmaker: version, node: process.versions.node },
  }
}

/** Asks every model every test case, scores the answers and returns the run. */
export async function executeRun({ storage, scorers, ...options }: ExecuteOptions): Promise<RunResult> {
  const settings = {
    ...options,
    suite: checkGivenSuite(options.suite, addScorers(scorers)),
    parameters: checkGivenParameters(options.parameters),
    client: defineClients(options.client),
  }
  const usedStorage = storage ?? (await openStorage({ file: ':memory:' }))
  const run = runEngine(settings, engineTools(usedStorage, scorers))
  return storage ? run : run.finally(() => usedStorage.close())
}

export interface ResumeOptions extends Omit<ResumeSettings, 'client'>, OpenOptions {
  storage: Storage
}

/** Finishes a stored run, or the whole series it belongs to, according to its stored request. */
export async function resumeRun(runId: string, { storage, scorers, ...options }: ResumeOptions): Promise<ResumedRun> {
  return resumeEngine(runId, { ...options, client: defineClients(options.client) }, engineTools(storage, scorers))
}

export interface RescoreOptions extends Omit<RescoreSettings, 'client' | 'suite'>, OpenOptions {
  storage: Storage
  /** Replaces the run's own suite; the rescored answers then become a new run. */
  suite?: SuiteInput
}

/** Rescores the stored answers of a run; only judges and embedding models are asked. */
export async function rescoreRun(
  runId: string,
  { storage, scorers, suite, ...options }: RescoreOptions,
): Promise<RescoredRun> {
  const settings = {
    ...options,
    client: defineClients(options.client),
    ...(suite && { suite: checkGivenSuite(suite, addScorers(scorers)) }),
  }
  return rescoreEngine(runId, settings, engineTools(storage, scorers))
}
