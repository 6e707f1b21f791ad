import type { z } from 'zod'
import {
  ARENA_SUITE_ID,
  decidingOf,
  InputError,
  resumeChangeSchema,
  runRequestSchema,
  type Client,
  splitModels,
  type ModelChoice,
  type ModelParameters,
  type RunKind,
  type RunRequest,
  type RunRequestInput,
  type RunResult,
  type Suite,
  type suiteOptions,
} from '../contract/index.ts'
import type { Price } from './requesting/price.ts'
import { executeNewRun } from './execution.ts'
import type { Resumed } from './stored-runs/reopen-run.ts'
import { readNewLabel } from './stored-runs/label.ts'
import { drawInformative } from './informative.ts'
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

/** Times are in milliseconds here. */
interface TimeLimits {
  /** Milliseconds until the first token. */
  timeoutMs?: number | undefined
  /** Milliseconds until the last token. Default: 10 minutes. */
  maxTimeMs?: number | undefined
}

/** The options that a resume may change, under the names of the request. */
type Limits = TimeLimits & Omit<z.input<typeof resumeChangeSchema>, 'endpoint' | 'timeoutSeconds' | 'maxTimeSeconds'>

type SuiteSettings = Partial<Pick<RunRequestInput, keyof typeof suiteOptions | 'cache' | 'maxCacheAgeSeconds'>>

export interface RunSettings extends CallerClient, Limits, SuiteSettings, Omit<RunOptions, 'withTexts'> {
  /** Default: `suite`. */
  kind?: RunKind | undefined
  suite: Suite
  /** Names, or `{ id, parameters }` for a model with parameters of its own. */
  models: readonly ModelChoice[]
  parameters?: Partial<ModelParameters> | undefined
  /** One judge, or several as a panel. */
  judgeModelId?: string | readonly string[] | undefined
  seriesId?: string | undefined
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

/** The options among the settings, by the names of the request. */
function readOptions<Schema extends z.ZodObject>(
  schema: Schema,
  { timeoutMs, maxTimeMs, ...settings }: TimeLimits,
): z.output<Schema> {
  const parsed = schema.safeParse({
    ...settings,
    ...(timeoutMs !== undefined && { timeoutSeconds: timeoutMs / 1000 }),
    ...(maxTimeMs !== undefined && { maxTimeSeconds: maxTimeMs / 1000 }),
  })
  if (parsed.success) return parsed.data
  throw new InputError(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'))
}

const requestSchema = runRequestSchema.strip()
const changeSchema = resumeChangeSchema.strip()

function buildRunRequest(settings: RunSettings): RunRequest {
  const { kind, suite, models, judgeModelId, ...options } = settings
  const suiteId = kind === 'page' ? ARENA_SUITE_ID : suite.name
  const given = { ...options, suiteId, ...splitModels(models), judgeModelIds: listJudges(judgeModelId) }
  return readOptions(requestSchema, given)
}

/** Asks each model every test case once, with the caller's client, and scores the answers. */
export async function executeRun(settings: RunSettings, engineTools: EngineTools): Promise<RunResult> {
  const { kind = 'suite', suite, seriesId, textsInResult, onEvent, signal, takeOver, label } = settings
  const tools = addConnections(engineTools, settings)
  const input = await drawInformative({ kind, request: buildRunRequest(settings), suite }, tools)
  const prepared = await prepareRun(input, planningTools(tools))
  refuseProblems(prepared)
  const options = { onEvent, signal, takeOver, withTexts: textsInResult, label: readNewLabel(label) }
  if (decidingOf(prepared.request)) {
    if (seriesId !== undefined)
      throw new InputError('a run that decides cannot be added to a series: its repeats run case by case')
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
  const resumed = await resumeSeries(
    runId,
    readOptions(changeSchema, settings),
    addConnections(engineTools, settings),
    settings,
  )
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
