/** The library: scorers, statistics and stores, connected to threads, the clock and a secure random generator. */
import { randomUUID } from 'node:crypto'
import {
  InputError,
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
  readResults,
  type FinishedSuite,
  type ImportedSuite,
  type ReadResults,
  type ResultsChoices,
} from './import/index.ts'
import { drawRandom, startScoring } from './runner/index.ts'
import { judgeCodeArena, type CodeArenaResult, type JudgedPage } from './scoring/code-arena-judge.ts'
import { judgePairwise, type ComparedAnswer } from './scoring/pairwise.ts'
import { judgeRubric, readCriteria, type CriterionInput } from './scoring/rubric.ts'
import {
  addScorers,
  type Answer,
  type AuditAnswer,
  type AuditDesign,
  type CalibrationResult,
  type CalibrationSample,
  type JudgedAnswer,
  type Scorer,
  type TestCaseInput,
} from './scoring/index.ts'
import {
  askDirectly,
  auditJudge as auditWith,
  calibrateJudge as calibrateWith,
  defineClient,
  findSampleSet,
  sampleSetNames,
  keepImportedRuns,
  systemClock,
  type AuditProgress,
  type AuditResult,
  type ClientDefinition,
  type Price,
} from './services/index.ts'
import { buildReport as buildReportOf, type Report, type ReportOptions } from './report/index.ts'
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
} from './services/run-with-client.ts'
import { openStorage } from './storage/index.ts'
import { version } from './version.ts'

const scoring = startScoring()
const scoringWith = (scorers?: readonly Scorer[]) => (scorers?.length ? startScoring(scorers) : scoring)
const tools = { clock: systemClock, random: drawRandom }

/** Used for budgets: three characters per token is a safe overestimate. */
const countTokens = (text: string) => Math.ceil(text.length / 3)

export const {
  scoreExactMatch,
  scoreRegexMatch,
  scoreNumericTolerance,
  scoreBooleanMatch,
  scoreJsonMatch,
  scoreJsonSchema,
  scoreMultipleChoice,
} = scoring

/** Custom scoring methods, in addition to the built-in ones. */
export interface ScorerOptions {
  scorers?: readonly Scorer[]
}

/** Reads a suite from the text of a YAML or JSON file. */
export function parseSuite(text: string, file: string, options: ScorerOptions = {}): FinishedSuite {
  return rememberLoaded(parseSuiteText(text, file, addScorers(options.scorers)))
}

/** Reads a suite from a YAML or JSON file. */
export async function loadSuite(file: string, options: ScorerOptions = {}): Promise<FinishedSuite> {
  return rememberLoaded(await loadSuiteFile(file, addScorers(options.scorers)))
}

/** Reads a suite from a file in any supported format. */
export async function importSuite(
  path: string,
  options?: Parameters<typeof importSuiteFile>[1],
): Promise<ImportedSuite> {
  return rememberLoaded(await importSuiteFile(path, options))
}

export interface ImportResultsOptions extends ResultsChoices {
  /** Where the runs are kept, each once; without it they are only returned. */
  storage?: Storage
}

/** Results of another tool as runs, with how its scores became ours. */
export interface ImportedResults extends ReadResults {
  /** False if the storage has these runs already. */
  isNew: boolean
}

/**
 * Reads results files of other tools: Inspect AI, promptfoo, lm-evaluation-harness, OpenAI evals, Every Eval Ever, and
 * tables. All files are read before the first is stored.
 */
export async function importResults(
  files: string | readonly string[],
  { storage, ...choices }: ImportResultsOptions = {},
): Promise<ImportedResults[]> {
  const read: ReadResults[] = []
  for (const file of [files].flat()) read.push(await readResults(file, { ...choices, now: systemClock.now() }))
  const imported: ImportedResults[] = []
  for (const results of read)
    imported.push({
      ...results,
      isNew: storage ? await keepImportedRuns(results, { storage, clock: systemClock }) : true,
    })
  return imported
}

/** The client and model of a judge; the client is also asked for embeddings. */
export interface JudgeOptions {
  client?: ClientDefinition
  judgeModelId?: string
  judgeSystemPrompt?: string
  signal?: CancelSignal
}

function createJudging({ client, judgeModelId, judgeSystemPrompt, signal }: JudgeOptions) {
  if (!client) return undefined
  const fullClient = defineClient(client)
  return {
    judgeModelIds: judgeModelId === undefined ? [] : [judgeModelId],
    ask: (request: ModelRequest) => askDirectly(() => fullClient, tools, signal)(request),
    systemPrompt: judgeSystemPrompt,
  }
}

/** Scores an answer by its test case: by a single method, or as the weighted mean of its checks. */
export function scoreResponse(
  testCase: TestCaseInput,
  answer: Answer,
  { scorers, ...judge }: JudgeOptions & ScorerOptions = {},
): Promise<ScoringResult> {
  return scoringWith(scorers).scoreResponse(testCase, answer, createJudging(judge))
}

/** Asks a judge model to grade a response. Grades of 0 to 10 become scores of 0 to 1. */
export function scoreLLMJudge({
  prompt,
  response,
  expectedOutput,
  context,
  preset,
  ...judge
}: JudgedAnswer & JudgeOptions & Required<Pick<JudgeOptions, 'client' | 'judgeModelId'>>): Promise<ScoringResult> {
  return scoring.scoreLLMJudge({ prompt, response, expectedOutput, context, preset }, createJudging(judge)!)
}

/**
 * Asks a judge model to check a response against a list of criteria. The score is the weighted mean of the verdicts: met
 * 1, partly 0.5, not met 0.
 */
export function scoreRubric({
  prompt,
  response,
  expectedOutput,
  criteria,
  ...judge
}: JudgedAnswer & { criteria: readonly CriterionInput[] } & JudgeOptions &
  Required<Pick<JudgeOptions, 'client' | 'judgeModelId'>>): Promise<ScoringResult> {
  return judgeRubric({ prompt, response, expectedOutput }, readCriteria(criteria), createJudging(judge)!, drawRandom)
}

/**
 * Asks a judge model which of two answers to a task is better, for every pair and in both orders. The score of an answer
 * is the share of its comparisons that it won, ties half.
 */
export function scorePairwise({
  prompt,
  answers,
  expectedOutput,
  preference,
  ...judge
}: { prompt: string; answers: readonly ComparedAnswer[]; expectedOutput?: string; preference?: string } & JudgeOptions &
  Required<Pick<JudgeOptions, 'client' | 'judgeModelId'>>): Promise<(ComparedAnswer & { score: ScoringResult })[]> {
  return judgePairwise({ prompt, answers, expectedOutput, preference }, createJudging(judge)!, drawRandom)
}

/**
 * Asks a judge model to grade a page by four criteria, from its screenshots (`data:` URLs) or from its code alone. The
 * score is their weighted total.
 */
export function scoreCodeArena({
  prompt,
  code,
  screenshots,
  findings,
  ...judge
}: JudgedPage & JudgeOptions & Required<Pick<JudgeOptions, 'client' | 'judgeModelId'>>): Promise<CodeArenaResult> {
  return judgeCodeArena({ prompt, code, screenshots, findings }, createJudging(judge)!, drawRandom)
}

/**
 * Has a judge model grade samples whose fair score is known, and measures how far off it is: the eight default samples,
 * a built-in set by its name (`'facts'`), or your own. With a preset, the judge grades by its criteria, by default on
 * the samples of the preset.
 */
export async function calibrateJudge(
  client: ClientDefinition,
  judgeModelId: string,
  samples?: readonly CalibrationSample[] | string,
  { preset, signal }: { preset?: string; signal?: CancelSignal } = {},
): Promise<CalibrationResult> {
  const fullClient = defineClient(client)
  const chosen = typeof samples === 'string' ? requireSampleSet(samples).samples : samples
  return calibrateWith(judgeModelId, { clientFor: () => fullClient, samples: chosen, preset, signal }, tools)
}

function requireSampleSet(name: string) {
  const set = findSampleSet(name)
  if (!set) throw new InputError(`there are no calibration samples called ${name}; use ${sampleSetNames.join(', ')}`)
  return set
}

export interface AuditOptions extends AuditDesign {
  client: ClientDefinition
  judgeModelId: string
  /** Your own answers, instead of the built-in ones; `samples` for calibrating will do as well. */
  answers?: readonly AuditAnswer[] | undefined
  samples?: readonly AuditAnswer[] | undefined
  judgeSystemPrompt?: string
  /** US dollars; needs the judge's price. */
  maxCost?: number
  prices?: ReadonlyMap<string, Price>
  onProgress?: (progress: AuditProgress) => void
  signal?: CancelSignal
}

/**
 * Finds out what sways a judge besides the quality of an answer: asking again, the position, the length, its own words,
 * and canaries. Each finding has a figure, its interval, a sentence and the cases behind it.
 */
export function auditJudge({
  client,
  answers,
  samples,
  prices = new Map(),
  signal,
  onProgress,
  ...settings
}: AuditOptions): Promise<AuditResult> {
  const fullClient = defineClient(client)
  const connections = { clientOf: () => fullClient, readPrices: async () => prices }
  return auditWith(
    { ...settings, answers: answers ?? samples },
    { ...tools, connections, loadTokenCounter: async () => countTokens },
    { signal, onProgress },
  )
}

/** Custom scorers and clients. */
interface OpenOptions extends ScorerOptions {
  /** One client for all models, or a function that returns the client of a model. */
  client: ClientDefinition | ((modelId: string) => ClientDefinition)
}

export interface ExecuteOptions extends Omit<RunSettings, 'suite' | 'client'>, OpenOptions {
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

/** Builds the report of a run or of the runs of a series, from which all tables and exports are made. */
export function buildReport(
  runs: RunResult | readonly RunResult[],
  options: Pick<ReportOptions, 'smallestDifference' | 'calibrations' | 'countAllRatings'> = {},
): Report {
  return buildReportOf([runs].flat(), options)
}

export {
  ClientError,
  InputError,
  ScoringError,
  StorageError,
  auditNames,
  benchmarkModeLocks,
  defaultParameters,
  hasPassed,
  readPassMark,
  type AnswerStyle,
  type AttemptEnd,
  type AttemptId,
  type AttemptStart,
  type AuditName,
  type CancelSignal,
  type CellKey,
  type CellResult,
  type Check,
  type CheckResult,
  type Client,
  type ClientErrorKind,
  type CompleteOptions,
  type HumanRating,
  type JudgeRating,
  type JudgeStanding,
  type JudgeVerdict,
  type Message,
  type MissingJudge,
  type ModelAnswer,
  type ModelInfo,
  type ModelRequest,
  type ModelUse,
  type Outcome,
  type RaterRating,
  type RatingQueue,
  type ModelParameters,
  type PairJudgement,
  type PairwiseComparison,
  type PassMark,
  type RunHeader,
  type RunLabel,
  type RunResult,
  type RunStatus,
  type RunSummary,
  type ScoringInput,
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
export type { ComparedAnswer } from './scoring/pairwise.ts'
export type { CriterionInput } from './scoring/rubric.ts'
export type { SuiteInput } from './import/suite-files/given-suite.ts'
export type { FinishedSuite, ImportedSuite, MetricSummary, ResultsChoices } from './import/index.ts'
export {
  calibrationSets,
  defaultCalibrationSamples,
  defineScorer,
  interpretCalibrationResult,
  judgePresets,
  scorers,
  scoreToolCalls,
  type ActionReason,
  type ActualCallInput,
  type Answer,
  type AuditAnswer,
  type AuditCase,
  type AuditDesign,
  type AuditFigure,
  type AuditFinding,
  type AuditReply,
  type ArgumentDifference,
  type CalibrationCertainty,
  type CalibrationInterpretation,
  type CalibrationRating,
  type CalibrationResult,
  type CalibrationSample,
  type CalibrationSampleResult,
  type CalibrationSet,
  type CalibrationSummary,
  type CallReference,
  type ExpectedActionInput,
  type JudgedAnswer,
  type JudgePreset,
  type LeftOut,
  type Asks,
  type Embeds,
  type Scorer,
  type ScorerDefinition,
  type ScorerTools,
  type TestCaseInput,
  type ToolCallOptions,
  type ToolCallReasons,
  type ToolCallScore,
} from './scoring/index.ts'
export {
  adjustHolm,
  alternativeAnnotatorTest,
  areaUnderCurve,
  binomialTest,
  bradleyTerryStrengths,
  caseInterval,
  clopperPearsonInterval,
  clusterMeanInterval,
  compareAllModels,
  confidenceSequence,
  correctByRatings,
  correlationInterval,
  createRandom,
  describeCriteria,
  describeEffectSize,
  describePeopleRatings,
  estimateByRatings,
  estimatePassRate,
  indistinguishableGroups,
  intraclassCorrelation,
  kendallTau,
  krippendorffAlpha,
  measureCanaries,
  measureJudgeAgreement,
  measurePositionPreference,
  measureRaterAgreement,
  measureScoreChange,
  measureSelfPreference,
  measureTestRetest,
  oneWayIcc,
  listComparedPairs,
  listSplits,
  measureRankAgreement,
  pairedTTest,
  pairsNeeded,
  passAtK,
  passHatK,
  pearsonCorrelation,
  planForDifference,
  planNextPurchase,
  playComparedPairs,
  playWithStyle,
  pooledTTest,
  powerOfPairedTest,
  quadraticWeightedKappa,
  rankModels,
  rateBradleyTerry,
  rateModels,
  rateWithStyle,
  roganGladen,
  sequentialTest,
  signFlipTest,
  splitJudgedVariance,
  splitVariance,
  tInterval,
  unseenMassInterval,
  weightedMoments,
  welchTTest,
  type AggregateScore,
  type AlternativeAnnotatorOptions,
  type AlternativeAnnotatorTest,
  type AnnotatedInstance,
  type BinomialTestOptions,
  type BradleyTerryOptions,
  type CalibrationIntervals,
  type CanarySuccess,
  type CanaryTrial,
  type CasePasses,
  type CaseSpread,
  type ComparedAnnotator,
  type CorrectByRatingsInput,
  type CorrectedMean,
  type CorrelationInterval,
  type ComparedPair,
  type CriterionStats,
  type DifferencePlan,
  type EffectSizeWord,
  type Game,
  type Interval,
  type IntervalMethod,
  type JudgeAgreement,
  type JudgedVariance,
  type JudgeSplits,
  type MissingCells,
  type ModelComparison,
  type MultiRunStats,
  type OneWayIcc,
  type OrderedVerdicts,
  type NextPurchase,
  type PairedComparison,
  type PairedTTest,
  type PairsNeededInput,
  type PassRate,
  type PeopleEstimate,
  type PeopleRatings,
  type PlanInput,
  type PooledTTest,
  type PositionPreference,
  type PowerInput,
  type RateableAnswer,
  type RankAgreement,
  type RatedAnswer,
  type RaterAgreement,
  type Rating,
  type RatingEstimate,
  type RepeatStats,
  type RoganGladenInput,
  type SampleSizePlan,
  type ScoreChange,
  type ScoredAnswer,
  type SelfPreference,
  type SequentialTest,
  type SequentialTestOptions,
  type SignFlipOptions,
  type SignFlipTest,
  type TestRetest,
  type SplitAnswer,
  type Strength,
  type StyleControlledRating,
  type StyledGame,
  type StyleFeature,
  type StyleWeight,
  type TIntervalInput,
  type UnusedJudge,
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
export { formats, writeReport, type Report, type ReportFormat } from './report/index.ts'
export {
  defineClient,
  type AuditProgress,
  type AuditResult,
  type ClientDefinition,
  type Price,
  type RunEvent,
} from './services/index.ts'
export type { RescoredRun, ResumedRun, RunSettings } from './services/run-with-client.ts'
export { openStorage, type PostgresStorageOptions, type SqliteStorageOptions } from './storage/index.ts'
export { createModelStore, createRunStore, type ModelStore, type RunStore } from './stores/index.ts'
