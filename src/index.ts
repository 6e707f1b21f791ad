/** The library: scorers, statistics and stores, wired to the machine (scoring threads, clock, marks nobody can guess). */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import {
  type CancelSignal,
  type Client,
  type ModelRequest,
  type RunResult,
  type ScoringResult,
  type Storage,
} from './contract/index.ts'
import {
  checkGivenParameters,
  checkGivenSuite,
  rememberLoaded,
  type SuiteInput,
} from './import/suite-files/given-suite.ts'
import {
  importSuite as importSuiteFile,
  loadSuite as loadSuiteFile,
  parseSuite as parseSuiteText,
  type FinishedSuite,
  type ImportedSuite,
} from './import/index.ts'
import { drawRandom, startScoring } from './runner/index.ts'
import { judgeCodeArena, type CodeArenaResult, type JudgedPage } from './scoring/code-arena-judge.ts'
import {
  calibrate,
  type Answer,
  type CalibrationResult,
  type CalibrationSample,
  type JudgedAnswer,
  type TestCaseInput,
} from './scoring/index.ts'
import {
  askDirectly,
  completeClient,
  executeRun as runEngine,
  systemClock,
  type RunSettings,
  type WrittenClient,
} from './services/index.ts'
import { openStorage } from './storage/index.ts'

const scoring = startScoring()
const tools = { clock: systemClock, random: drawRandom }

export const {
  scoreExactMatch,
  scoreRegexMatch,
  scoreNumericTolerance,
  scoreBooleanMatch,
  scoreJsonMatch,
  scoreJsonSchema,
  scoreMultipleChoice,
} = scoring

/** Reads a suite from the text of a YAML or JSON file. */
export function parseSuite(text: string, file: string): FinishedSuite {
  return rememberLoaded(parseSuiteText(text, file))
}

/** Reads a suite from a YAML or JSON file. */
export async function loadSuite(file: string): Promise<FinishedSuite> {
  return rememberLoaded(await loadSuiteFile(file))
}

/** Reads a suite from a file of any kind that is known. */
export async function importSuite(
  path: string,
  options?: Parameters<typeof importSuiteFile>[1],
): Promise<ImportedSuite> {
  return rememberLoaded(await importSuiteFile(path, options))
}

/** Who judges: a client and the judge's model. */
export interface JudgeOptions {
  client?: WrittenClient
  judgeModelId?: string
  judgeSystemPrompt?: string
  signal?: CancelSignal
}

function judgingBy({ client, judgeModelId, judgeSystemPrompt, signal }: JudgeOptions) {
  if (!client || judgeModelId === undefined) return undefined
  const whole = completeClient(client)
  return {
    judgeModelIds: [judgeModelId],
    ask: (request: ModelRequest) => askDirectly(() => whole, tools, signal)(request),
    systemPrompt: judgeSystemPrompt,
  }
}

/** Scores an answer as its test case says: by its one method, or as the weighted mean of its checks. */
export function scoreResponse(
  testCase: TestCaseInput,
  answer: Answer,
  judge: JudgeOptions = {},
): Promise<ScoringResult> {
  return scoring.scoreResponse(testCase, answer, judgingBy(judge))
}

/** A judge model's grade of a response, 0–10 shown as 0–1. */
export function scoreLLMJudge({
  prompt,
  response,
  expectedOutput,
  ...judge
}: JudgedAnswer & JudgeOptions & Required<Pick<JudgeOptions, 'client' | 'judgeModelId'>>): Promise<ScoringResult> {
  return scoring.scoreLLMJudge({ prompt, response, expectedOutput }, judgingBy(judge)!)
}

/** A judge model's grades of a page by four criteria, from its pictures (`data:` URLs) or from its code alone, and their weighted total. */
export function scoreCodeArena({
  prompt,
  code,
  screenshots,
  findings,
  ...judge
}: JudgedPage & JudgeOptions & Required<Pick<JudgeOptions, 'client' | 'judgeModelId'>>): Promise<CodeArenaResult> {
  return judgeCodeArena({ prompt, code, screenshots, findings }, judgingBy(judge)!, drawRandom)
}

/** Grades samples of known worth with a judge model and says how far off it is. */
export function calibrateJudge(
  client: WrittenClient,
  judgeModelId: string,
  samples?: readonly CalibrationSample[],
): Promise<CalibrationResult> {
  const whole = completeClient(client)
  return calibrate(judgeModelId, { ask: askDirectly(() => whole, tools), now: Date.now, random: drawRandom }, samples)
}

/** From the sources and from the bundle it is one folder up; inside somebody else's bundle it is not there, and that stops nobody. */
function readVersion(): string {
  try {
    const { version }: { version: string } = JSON.parse(
      readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
    )
    return version
  } catch {
    return 'unknown'
  }
}

/** What `executeRun` takes beside the settings of the run. */
export interface ExecuteOptions extends Omit<RunSettings, 'suite' | 'client'> {
  /** Checked and filled as one from a file is, before anything is sent or written. */
  suite: SuiteInput
  /** One for all models, or a way to find each model's. */
  client: WrittenClient | ((modelId: string) => WrittenClient)
  /** Where the run is kept; without one, for as long as the process lives. */
  storage?: Storage
}

function completeClients(client: ExecuteOptions['client']): RunSettings['client'] {
  if (typeof client !== 'function') return completeClient(client)
  const made = new Map<WrittenClient, Client>()
  return (modelId) => {
    const given = client(modelId)
    const whole = made.get(given) ?? completeClient(given)
    made.set(given, whole)
    return whole
  }
}

/** Asks every model every test case, scores the answers and gives the run. */
export async function executeRun({ storage, ...options }: ExecuteOptions): Promise<RunResult> {
  const settings = {
    ...options,
    suite: checkGivenSuite(options.suite),
    parameters: checkGivenParameters(options.parameters),
    client: completeClients(options.client),
  }
  const kept = storage ?? (await openStorage({ file: ':memory:' }))
  const run = runEngine(settings, {
    storage: kept,
    scoring,
    ...tools,
    createId: randomUUID,
    // Estimates are for budgets: three characters a token is on the safe side.
    countTokens: (text) => Math.ceil(text.length / 3),
    versions: { benchmaker: readVersion(), node: process.versions.node },
  })
  return storage ? run : run.finally(() => kept.close())
}

export {
  ClientError,
  InputError,
  ScoringError,
  StorageError,
  benchmarkModeLocks,
  defaultParameters,
  type AttemptEnd,
  type AttemptId,
  type AttemptStart,
  type CancelSignal,
  type CellKey,
  type CellResult,
  type Check,
  type CheckResult,
  type Client,
  type ClientErrorKind,
  type CompleteOptions,
  type HumanRating,
  type JudgeVerdict,
  type Message,
  type ModelAnswer,
  type ModelInfo,
  type ModelRequest,
  type Outcome,
  type ModelParameters,
  type RunHeader,
  type RunResult,
  type RunStatus,
  type RunSummary,
  type ScoringResult,
  type Storage,
  type Suite,
  type TestCase,
  type ToolCall,
  type ToolDefinition,
  type Unscored,
  type UnscoredCode,
  type WeightedCase,
} from './contract/index.ts'
export type { CodeArenaResult, CriterionResult, JudgedPage, JudgedPicture } from './scoring/code-arena-judge.ts'
export type { SuiteInput } from './import/suite-files/given-suite.ts'
export type { FinishedSuite, ImportedSuite } from './import/index.ts'
export {
  defaultCalibrationSamples,
  interpretCalibrationResult,
  scorers,
  scoreToolCalls,
  type ActionReason,
  type ActualCallInput,
  type Answer,
  type ArgumentDifference,
  type CalibrationInterpretation,
  type CalibrationResult,
  type CalibrationSample,
  type CalibrationSampleResult,
  type CalibrationSummary,
  type CallReference,
  type ExpectedActionInput,
  type JudgedAnswer,
  type LeftOut,
  type Scorer,
  type TestCaseInput,
  type ToolCallOptions,
  type ToolCallReasons,
  type ToolCallScore,
} from './scoring/index.ts'
export {
  adjustHolm,
  areaUnderCurve,
  caseInterval,
  clopperPearsonInterval,
  clusterMeanInterval,
  compareAllModels,
  createRandom,
  describeEffectSize,
  indistinguishableGroups,
  intraclassCorrelation,
  krippendorffAlpha,
  measureJudgeAgreement,
  pairedTTest,
  pairsNeeded,
  passAtK,
  passHatK,
  pearsonCorrelation,
  planForDifference,
  pooledTTest,
  powerOfPairedTest,
  quadraticWeightedKappa,
  rankModels,
  rateBradleyTerry,
  signFlipTest,
  splitVariance,
  tInterval,
  unseenMassInterval,
  weightedMoments,
  welchTTest,
  type AggregateScore,
  type BradleyTerryOptions,
  type CaseSpread,
  type DifferencePlan,
  type EffectSizeWord,
  type Game,
  type Interval,
  type IntervalMethod,
  type JudgeAgreement,
  type MissingCells,
  type ModelComparison,
  type MultiRunStats,
  type PairedComparison,
  type PairedTTest,
  type PairsNeededInput,
  type PlanInput,
  type PooledTTest,
  type PowerInput,
  type Rating,
  type RepeatStats,
  type SampleSizePlan,
  type SignFlipOptions,
  type SignFlipTest,
  type TIntervalInput,
  type VarianceComponents,
  type WeightedMoments,
  type WelchTTest,
} from './statistics/index.ts'
export { describeVerdict as describeComparison, formatReportLine } from './report/words/index.ts'
export {
  createClient,
  createDemoClient,
  type DemoOptions,
  type EndpointClientOptions,
  type ModelClientOptions,
  type SdkLanguageModel,
} from './providers/index.ts'
export type { Price, RunEvent, RunSettings, WrittenClient } from './services/index.ts'
export { openStorage, type PostgresStorageOptions, type SqliteStorageOptions } from './storage/index.ts'
export { createModelStore, createRunStore, type ModelStore, type RunStore } from './stores/index.ts'
