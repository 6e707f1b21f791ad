import {
  ARENA_SUITE_ID,
  decidingOf,
  InputError,
  runRequestSchema,
  type Client,
  type ModelParameters,
  type ResumeChange,
  type RunKind,
  type RunRequest,
  type RunResult,
  type Suite,
} from '../contract/index.ts'
import type { Price } from './asking/price.ts'
import { executeNewRun } from './execution.ts'
import type { Resumed } from './stored-runs/reopen-run.ts'
import { readNewLabel } from './stored-runs/label.ts'
import { planningTools, prepareRun, refuseProblems } from './prepare.ts'
import { rescoreRun as rescoreStored, type RescoreChange, type RescoredRun } from './rescore.ts'
import { resumeSeries } from './resume.ts'
import type { RunOptions, RunTools } from './run-tools.ts'
import { claimRun, startSeries } from './series.ts'

export type { RescoredRun }

/** How a library user reaches models. */
interface CallerClient {
  /** One for all models, or a function that returns each model's. */
  client: Client | ((modelId: string) => Client)
  prices?: ReadonlyMap<string, Price> | undefined
}

/** The defaults that a library user can change, under the library's names. */
interface Limits {
  combineJudges?: 'mean' | 'median' | undefined
  concurrency?: number | undefined
  /** What a run sends to one provider in a minute at most. */
  requestsPerMinute?: number | undefined
  /** Of prompts and answers together. */
  tokensPerMinute?: number | undefined
  /** Milliseconds until the first token. */
  timeoutMs?: number | undefined
  /** Milliseconds until the last token. Default: 10 minutes. */
  maxTimeMs?: number | undefined
  /** US dollars, judges included, for all runs of a series together. Needs the price of every model. */
  maxCost?: number | undefined
}

export interface RunSettings extends CallerClient, Limits, Omit<RunOptions, 'withTexts'> {
  /** Default: `suite`. */
  kind?: RunKind | undefined
  suite: Suite
  models: readonly string[]
  parameters?: Partial<ModelParameters> | undefined
  /** One judge, or several as a panel. */
  judgeModelId?: string | readonly string[] | undefined
  seriesId?: string | undefined
  /** True: asks in batches, for half the price, if the client has them. They can take a day. */
  batch?: boolean | undefined
  /** Stops as soon as it is decided how the models compare. */
  until?: 'decided' | undefined
  /** With `until` or `screen`: how every pair compares, or only which model is best. */
  decide?: 'all' | 'best' | undefined
  /** After this many test cases, only models that are still in question are asked. */
  screen?: number | undefined
  /** The order of the test cases is drawn from this, with `until` or `screen`. Default: a new one for each run. */
  orderSeed?: string | undefined
  /** False: the returned run holds only numbers, without responses or scorers' texts. */
  textsInResult?: boolean | undefined
}

export type ResumeSettings = CallerClient & Limits & RunOptions

export type RescoreSettings = CallerClient &
  RunOptions &
  Pick<RescoreChange, 'suite' | 'combineJudges'> &
  Pick<RunSettings, 'judgeModelId'>

/** What a run needs from its environment, apart from the models. */
export interface EngineTools extends Omit<RunTools, 'connect' | 'loadTokenCounter'> {
  /** Counts the tokens of a prompt, for budgets. */
  countTokens: (text: string) => number
}

function addConnections(
  { countTokens, ...tools }: EngineTools,
  { client, prices = new Map() }: CallerClient,
): RunTools {
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

function changeOf(limits: Limits): ResumeChange {
  const { combineJudges, concurrency, requestsPerMinute, tokensPerMinute, timeoutMs, maxTimeMs, maxCost } = limits
  return {
    ...(combineJudges && { combineJudges }),
    ...(concurrency !== undefined && { concurrency }),
    ...(requestsPerMinute !== undefined && { requestsPerMinute }),
    ...(tokensPerMinute !== undefined && { tokensPerMinute }),
    ...(timeoutMs !== undefined && { timeoutSeconds: timeoutMs / 1000 }),
    ...(maxTimeMs !== undefined && { maxTimeSeconds: maxTimeMs / 1000 }),
    ...(maxCost !== undefined && { maxCost }),
  }
}

function buildRunRequest(settings: RunSettings): RunRequest {
  const { kind, suite, models, parameters = {}, judgeModelId, batch, until, decide, screen, orderSeed } = settings
  const parsed = runRequestSchema.safeParse({
    suiteId: kind === 'page' ? ARENA_SUITE_ID : suite.name,
    models: [...models],
    parameters,
    judgeModelIds: listJudges(judgeModelId),
    ...(batch && { batch }),
    ...changeOf(settings),
    until,
    decide,
    screen,
    orderSeed,
  })
  if (parsed.success) return parsed.data
  throw new InputError(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'))
}

/** Asks each model every test case once, with the caller's client, and scores the answers. */
export async function executeRun(settings: RunSettings, engineTools: EngineTools): Promise<RunResult> {
  const { kind = 'suite', suite, seriesId, textsInResult, onEvent, signal, takeOver, label } = settings
  const tools = addConnections(engineTools, settings)
  const prepared = await prepareRun({ kind, request: buildRunRequest(settings), suite }, planningTools(tools))
  refuseProblems(prepared)
  const options = { onEvent, signal, takeOver, withTexts: textsInResult, label: readNewLabel(label) }
  if (decidingOf(prepared.request)) {
    if (seriesId !== undefined)
      throw new InputError('a run that decides cannot be added to a series: its repeats are asked case by case')
    return (await startSeries(prepared, tools, options))[0]!
  }
  const index = seriesId === undefined ? 0 : (await tools.storage.runsOfSeries(seriesId)).length
  const place = { runId: tools.createId(), seriesId, index }
  return claimRun(place, tools, options, (claimed) => executeNewRun(place, { prepared, tools, options: claimed }))
}

export interface ResumedRun extends Resumed {
  /** The requested run. */
  run: RunResult
  /** All runs of its series. */
  runs: RunResult[]
}

/** Finishes a stored run, or the whole series it belongs to, from its stored request. */
export async function resumeRun(
  runId: string,
  settings: ResumeSettings,
  engineTools: EngineTools,
): Promise<ResumedRun> {
  const resumed = await resumeSeries(runId, changeOf(settings), addConnections(engineTools, settings), settings)
  return { ...resumed, run: resumed.runs.find(({ id }) => id === runId) ?? resumed.runs.at(-1)! }
}

/** Scores the stored answers of a run again; only judges are called. */
export async function rescoreRun(
  runId: string,
  settings: RescoreSettings,
  engineTools: EngineTools,
): Promise<RescoredRun> {
  const { suite, judgeModelId, combineJudges } = settings
  const change: RescoreChange = {
    suite,
    combineJudges,
    ...(judgeModelId !== undefined && { judgeModelIds: listJudges(judgeModelId) }),
  }
  return rescoreStored(runId, change, addConnections(engineTools, settings), settings)
}
