import {
  InputError,
  runRequestSchema,
  type Client,
  type ModelParameters,
  type ResumeChange,
  type RunRequest,
  type RunResult,
  type Suite,
} from '../contract/index.ts'
import type { Price } from './asking/price.ts'
import { suiteIdOf } from './code-arena/suite.ts'
import { executeNewRun, type Resumed } from './execution.ts'
import { planningTools, prepareRun, refuseProblems } from './prepare.ts'
import { rescoreRun as rescoreStored, type RescoreChange, type RescoredRun } from './rescore.ts'
import { resumeSeries } from './resume.ts'
import type { RunOptions, RunTools } from './run-tools.ts'
import { claimRun } from './series.ts'

export type { RescoredRun }

/** How a caller of the library reaches models. */
interface GivenClient {
  /** One for all models, or a way to find each model's. */
  client: Client | ((modelId: string) => Client)
  prices?: ReadonlyMap<string, Price> | undefined
}

/** What a caller of the library may change of the defaults, in its words. */
interface Limits {
  combineJudges?: 'mean' | 'median' | undefined
  concurrency?: number | undefined
  /** Milliseconds until the first token. */
  timeoutMs?: number | undefined
  /** US dollars, judges included, for all runs of a series together. Needs the price of every model. */
  maxCost?: number | undefined
}

export interface RunSettings extends GivenClient, Limits, Omit<RunOptions, 'withTexts'> {
  suite: Suite
  models: readonly string[]
  parameters?: Partial<ModelParameters> | undefined
  /** One judge, or several as a panel. */
  judgeModelId?: string | readonly string[] | undefined
  seriesId?: string | undefined
  /** False: the run that is returned holds the numbers alone, without responses and the words of scorers. */
  textsInResult?: boolean | undefined
}

export type ResumeSettings = GivenClient & Limits & RunOptions

export type RescoreSettings = GivenClient &
  RunOptions &
  Pick<RescoreChange, 'suite' | 'combineJudges'> &
  Pick<RunSettings, 'judgeModelId'>

/** What a run needs of the machine, but for the models. */
export interface EngineTools extends Omit<RunTools, 'connect' | 'loadTokenCounter'> {
  /** Counts tokens of a prompt, for budgets. */
  countTokens: (text: string) => number
}

function addConnections({ countTokens, ...tools }: EngineTools, { client, prices = new Map() }: GivenClient): RunTools {
  const clientOf = typeof client === 'function' ? client : () => client
  return {
    ...tools,
    loadTokenCounter: async () => countTokens,
    connect: () => ({ clientOf, readPrices: async () => prices }),
  }
}

function listJudges(judges: RunSettings['judgeModelId'] = []): string[] {
  return [judges].flat()
}

function changeOf({ combineJudges, concurrency, timeoutMs, maxCost }: Limits): ResumeChange {
  return {
    ...(combineJudges && { combineJudges }),
    ...(concurrency !== undefined && { concurrency }),
    ...(timeoutMs !== undefined && { timeoutSeconds: timeoutMs / 1000 }),
    ...(maxCost !== undefined && { maxCost }),
  }
}

function makeRequest(settings: RunSettings): RunRequest {
  const { suite, models, parameters = {}, judgeModelId } = settings
  const parsed = runRequestSchema.safeParse({
    suiteId: suiteIdOf(suite),
    models: [...models],
    parameters,
    judgeModelIds: listJudges(judgeModelId),
    ...changeOf(settings),
  })
  if (parsed.success) return parsed.data
  throw new InputError(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'))
}

/** Asks every model every test case once, with the caller's own client, and scores the answers. */
export async function executeRun(settings: RunSettings, given: EngineTools): Promise<RunResult> {
  const { suite, seriesId, textsInResult, onEvent, signal, takeOver } = settings
  const tools = addConnections(given, settings)
  const prepared = await prepareRun(makeRequest(settings), suite, planningTools(tools))
  refuseProblems(prepared)
  const index = seriesId === undefined ? 0 : (await tools.storage.runsOfSeries(seriesId)).length
  const place = { runId: tools.createId(), seriesId, index }
  const options = { onEvent, signal, takeOver, withTexts: textsInResult }
  return claimRun(place, tools, options, (claimed) => executeNewRun(place, { prepared, tools, options: claimed }))
}

export interface ResumedRun extends Resumed {
  /** The one that was asked for. */
  run: RunResult
  /** With the others of its series. */
  runs: RunResult[]
}

/** Finishes a stored run, or the whole series that it belongs to, by what was asked for when it began. */
export async function resumeRun(runId: string, settings: ResumeSettings, given: EngineTools): Promise<ResumedRun> {
  const resumed = await resumeSeries(runId, changeOf(settings), addConnections(given, settings), settings)
  return { ...resumed, run: resumed.runs.find(({ id }) => id === runId) ?? resumed.runs.at(-1)! }
}

/** Scores the stored answers of a run again; no model but judges is asked. */
export async function rescoreRun(runId: string, settings: RescoreSettings, given: EngineTools): Promise<RescoredRun> {
  const { suite, judgeModelId, combineJudges } = settings
  const change: RescoreChange = {
    suite,
    combineJudges,
    ...(judgeModelId !== undefined && { judgeModelIds: listJudges(judgeModelId) }),
  }
  return rescoreStored(runId, change, addConnections(given, settings), settings)
}
