import type { KeyInfo } from '../settings/key-list.ts'
/** What the server answers, route by route. The web app takes its types from here and nothing else of the server. */
import type {
  AttemptEnd,
  AttemptStart,
  CellResult,
  HumanRating,
  ModelInfo,
  ModelRequest,
  Outcome,
  ModelParameters,
  RunStatus,
  RunSummary,
  ScoringResult,
  TestCase,
  Unscored,
} from '../contract/index.ts'
import type { ReportRow } from '../report/index.ts'
import type { CalibrationInterpretation, CalibrationResult } from '../scoring/index.ts'
import type { FileComparison, ToolCallReasons, ToolCallSummary } from '../scoring/tool-calls/index.ts'
import type { JudgeAgreement, MissingSummary, ModelComparison, MultiRunStats } from '../statistics/index.ts'

/** Every refusal. `problems` name fields, for forms. */
export interface ApiError {
  error: { code: string; message: string; problems?: Problem[] }
}

export interface Problem {
  /** `testCases[2].weight` as a list: ['testCases', 2, 'weight']. */
  path: (string | number)[]
  message: string
}

/** GET /api/app */
export interface AppInfo {
  version: string
  dataFolder: string
  storage: 'sqlite' | 'postgres'
  /** No key and no endpoint: only the simulated models can be asked. */
  isDemoOnly: boolean
  defaultModels: string[]
  defaultJudge: string
  /** What results can be exported as. */
  reportFormats: { name: string; label: string }[]
  keys: KeyInfo[]
}

// Models

/** GET /api/models (?refresh=1 asks the providers anew) */
export interface ModelList {
  models: ListedModel[]
  /** Providers whose list could not be had, and why. */
  problems: { provider: string; message: string }[]
}

export interface ListedModel extends ModelInfo {
  provider: string
  isSimulated: boolean
}

// Suites

/** GET /api/suites */
export interface SuiteSummary {
  id: string
  name: string
  description?: string
  cases: number
  /** How many cases by scoring method. */
  methods: Record<string, number>
  version: number
  savedAt: number
  isExample: boolean
  needsJudge: boolean
  runs: number
  lastRun?: { id: string; startedAt: number; status: RunStatus }
}

/** GET /api/suites/:id (?version=n) · POST /api/suites · PUT /api/suites/:id (409 `version-conflict` when saved meanwhile) */
export interface SuiteDocument {
  id: string
  version: number
  savedAt: number
  /** As it is edited: with its {{variables}} still in it. */
  suite: Record<string, unknown>
  warnings: Problem[]
}

/** POST /api/suites/check */
export interface SuiteCheck {
  problems: Problem[]
  warnings: Problem[]
}

/** POST /api/suites/import: nothing is saved yet. */
export interface SuiteImport {
  suite: Record<string, unknown>
  format: string
  warnings: string[]
  suggestedModels: string[]
}

/** GET /api/suites/:id/history */
export interface SuiteHistory {
  versions: { version: number; savedAt: number }[]
  runs: ListedRun[]
}

/** GET /api/scorers */
export interface ScorerInfo {
  name: string
  summary: string
  expectedOutput: 'required' | 'optional' | 'unused'
  isJudge: boolean
  /** JSON Schema of its options: one property an option, with description and default. */
  options: { properties: Record<string, OptionSchema>; required?: string[] }
  /** The seed's guidance on how often to run. */
  runsNeeded: string
}

export interface OptionSchema {
  type?: string | string[]
  enum?: unknown[]
  default?: unknown
  description?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  anyOf?: OptionSchema[]
  items?: OptionSchema
}

/** POST /api/suites/try */
export type TriedScore = { score: ScoringResult } | { unscored: Unscored }

/** POST /api/suites/generate: for review, nothing is saved. */
export interface GeneratedCases {
  testCases: TestCase[]
  /** What the model gave that could not be used. */
  leftOut: string[]
  cost?: number
}

// Runs

export interface ListedRun extends RunSummary {
  /** This server works on it now. */
  isLive: boolean
  /** `running` in the data, but nobody works on it: it was killed, and can be resumed. */
  isInterrupted: boolean
  /** Mean score by model, 0 to 1, for finished runs. */
  means: Record<string, number>
  /** US dollars for all runs of the series: it stopped because the next request could pass them, and goes on only with more. */
  usedUpBudget?: number
}

/** GET /api/runs?offset=&limit= */
export interface RunList {
  runs: ListedRun[]
  total: number
}

/** POST /api/estimate, body as for POST /api/runs */
export interface RunEstimate {
  cells: number
  /** Answers and, at most, judge calls. */
  requests: number
  promptTokens: number
  /** US dollars at most, all runs; absent when a price is unknown. */
  cost?: number
  unknownPrices: string[]
  /** Why it cannot be started as it is. */
  problems: string[]
  runsNeeded: string
}

/** POST /api/runs · POST /api/runs/:id/resume */
export interface StartedRun {
  runId: string
  seriesId?: string
}

/** What is known of a cell while its run goes on. */
export type LiveState = 'waiting' | 'asking' | 'streaming' | 'scoring' | 'scored' | 'unscored' | 'error'

export interface LiveCell {
  /** Index into `LiveSnapshot.cases` and `.models`. */
  case: number
  model: number
  state: LiveState
  score?: number
  outcome?: Outcome
  /** The last part of the answer as it arrives. */
  tail?: string
  /** Why it waits, was asked again, has no score or ended in error. */
  message?: string
}

export interface LiveProgress {
  status: RunStatus
  done: number
  total: number
  scored: number
  unscored: number
  errors: number
  retries: number
  /** US dollars so far; `unknownCosts` answers are not in it. */
  cost: number
  unknownCosts: number
  /** Finished cells a second, over the last while. */
  rate: number
  /** Milliseconds still to go; absent while it cannot be said. */
  etaMs?: number
  startedAt: number
  /** What this run may spend: in a series, what earlier runs have left of the whole. */
  budget?: number
  /** Why it stopped before its end: budget reached, provider refused. */
  stopped?: string
  /** US dollars for all runs of the series: it stopped because the next request could pass them, and goes on only with more. */
  usedUpBudget?: number
}

/** First event (`snapshot`) of GET /api/runs/:id/events; sent again after a reconnect. */
export interface LiveSnapshot {
  runId: string
  seriesId?: string
  /** Of how many, for a series. */
  runNumber: number
  runsPlanned: number
  suiteName: string
  models: string[]
  /** `weight` where it is not 1. */
  cases: { id: string; title: string; weight?: number }[]
  /**
   * How many of the suite's last cases are not in `cases`: a snapshot stays under 1 MB. Titles get shorter first, then
   * empty; their cells are counted in `progress` and not told one by one.
   */
  casesLeftOut?: number
  /** Row by row: cases × models. Cells still waiting are left out. An `outcome` is told when it is not `ok`. */
  cells: LiveCell[]
  /**
   * Instead of `cells` for the finished ones, when there are more than 3,000: one character a cell, row by row. `.` not
   * finished, `0`…`9` and `X` its score in tenths, `u` unscored, `e` error.
   */
  finished?: string
  progress: LiveProgress
}

/** Later events (`update`), a few a second: only what changed. When a series goes on to its next run, a new `snapshot` comes. */
export interface LiveUpdate {
  runId: string
  cells: LiveCell[]
  progress: LiveProgress
}

// Results. SELECTION is one or more run ids with commas between them, or `series:ID`.

/** GET /api/results/:selection: all figures, no cells. */
export interface ResultsView {
  title: string
  runs: {
    id: string
    status: RunStatus
    isLive: boolean
    isInterrupted: boolean
    startedAt?: number
    completedAt?: number
    parameters?: ModelParameters
    judgeModel?: string
    versions?: Record<string, string>
  }[]
  seriesId?: string
  suite?: {
    id?: string
    name: string
    cases: number
    systemPrompt?: string
    judgeSystemPrompt?: string
    categories: string[]
    tags: string[]
    methods: string[]
  }
  rows: ReportRow[]
  series: Record<string, MultiRunStats>
  comparisons: { comparison: ModelComparison; sentence: string }[]
  /** Which differences are real is still being worked out: `comparisons`, `groups` and ranks are empty. Ask again in a second. */
  pendingComparisons?: true
  /** Very many pairs do not fit: those left out, worst models last; any two can be had by the pair view. */
  comparisonsLeftOut?: number
  groups: string[][]
  overRuns: { line: string; modelId: string; flaky: string[] }[]
  /** For a series. `flaky`: at most 100 cases that passed in some runs only, of `flakyCount`. */
  repeats: Record<string, { passAtK: number[]; passHatK: number[]; flaky: string[]; flakyCount: number }>
  missing: MissingSummary[]
  agreement?: JudgeAgreement
  method: string[]
  cost: { total: number; unknown: number }
  /** False when nobody said what anything cost: that is not 0. */
  isCostKnown: boolean
  totalCells: number
  isSimulated: boolean
}

/** GET /api/results/:selection/cases?offset=&limit=&sort=&order=&search=&category=&tag=&state= */
export interface CasePage {
  total: number
  /** The page goes from here over `cases.length` cases: fewer than asked for where very many models make it large. */
  offset: number
  /** Whose `CaseRow.cells` are, in their order: while a run goes on, models change places from one request to the next. */
  models: string[]
  cases: CaseRow[]
}

export interface CaseRow {
  id: string
  title: string
  category?: string
  difficulty?: string
  tags: string[]
  methods: string[]
  weight: number
  /** One a model, in the order of `ResultsView.rows`. */
  cells: CaseCell[]
}

export interface CaseCell {
  /** Mean over the runs that have a score. */
  score?: number
  /** Smallest and largest over repeats, when there are several. */
  spread?: [number, number]
  state: 'scored' | 'partly' | 'unscored' | 'error' | 'pending'
  outcome?: Outcome
  isRated?: boolean
}

/** What `sort` may be: `order` (of the suite), `id`, `spread` (disagreement between models), `worst`, or `model:ID`. */
export type CaseState = 'all' | 'missing' | 'failed' | 'disagree' | 'flaky' | 'rated'

/** GET /api/results/:selection/case?id= */
export interface CaseDetail {
  id: string
  testCase?: TestCase
  /** The prompt or the turns, as text. */
  prompt?: string
  expectedOutput?: string
  index: number
  total: number
  previousId?: string
  nextId?: string
  models: { modelId: string; answers: AnswerDetail[] }[]
}

export interface AnswerDetail {
  runId: string
  runNumber: number
  /** `response` is cut at 100,000 characters; `responseLength` says how long it is. The whole: GET /api/results/:selection/answer?id=&model=&run= */
  result: CellResult
  responseLength: number
  reasoning?: string
  finishReason?: string
  rating?: HumanRating
}

/** GET /api/runs/:id/exchange?case=&model=: what was sent and what came back. */
export interface Exchange {
  request: ModelRequest
  attempts: (AttemptStart & { id: number; end?: AttemptEnd })[]
  answer?: Record<string, unknown>
}

/** GET /api/results/:selection/compare?a=MODEL&b=MODEL */
export interface PairView {
  comparison: ModelComparison
  sentence: string
  /** Cases by difference A − B, largest first, at most 200. */
  cases: { id: string; title: string; a: number; b: number; difference: number }[]
}

/** GET /api/compare?a=SELECTION&b=SELECTION: the same models on the same cases, before and after. */
export interface RunsComparison {
  a: { title: string; runs: string[]; startedAt?: number }
  b: { title: string; runs: string[]; startedAt?: number }
  models: {
    modelId: string
    meanA: number
    meanB: number
    /** B − A, paired over the cases both have. */
    comparison?: ModelComparison
    sentence: string
    /** Most changed first, cut where they are very many: `betterCount` and `worseCount` say how many there are. */
    better: ChangedCase[]
    worse: ChangedCase[]
    betterCount: number
    worseCount: number
    unchanged: number
  }[]
  onlyInA: { models: string[]; cases: number }
  onlyInB: { models: string[]; cases: number }
}

export interface ChangedCase {
  id: string
  title: string
  before: number
  after: number
}

// Tool calls

/** POST /api/tool-calls?name=FILE&credit=seed|effects (body: the file) · GET /api/tool-calls/:id?credit= */
export interface ToolCallFile {
  id: string
  name: string
  format: string
  size: number
  addedAt: number
  credit: 'seed' | 'effects'
  summary: ToolCallSummary
  /** The seed's statistics block as the command prints it. */
  statistics: string
  problems: string[]
  /** For the histogram of binary against partial, bin by bin. */
  bins: { label: string; passed: number; failed: number; unknown: number }[]
}

/** GET /api/tool-calls */
export type ToolCallFileList = Pick<ToolCallFile, 'id' | 'name' | 'format' | 'size' | 'addedAt'>[]

/** GET /api/tool-calls/:id/records?credit=&offset=&limit=&search=&range=&reward= */
export interface ToolCallRecords {
  total: number
  offset: number
  records: {
    index: number
    taskId: string
    trial: number
    reward?: number
    score: number | null
    range: string | null
    problems: string[]
  }[]
}

/** GET /api/tool-calls/:id/records/:index?credit= */
export interface ToolCallRecord {
  index: number
  taskId: string
  trial: number
  reward?: number
  score: number | null
  scores: { seed: number; effects: number } | null
  range: string | null
  reasons: ToolCallReasons | null
  problems: string[]
}

/** GET /api/tool-calls/compare?a=ID&b=ID&credit= */
export interface ToolCallComparison {
  a: string
  b: string
  comparisons: FileComparison[]
  sentences: string[]
}

// Judges

/** POST /api/calibrations · GET /api/calibrations · GET /api/calibrations/:id */
export interface Calibration {
  id: string
  savedAt: number
  source: string
  result: CalibrationResult
  interpretation: CalibrationInterpretation
  samples: { id: string; prompt: string; response: string; expectedOutput?: string; reasoning?: string }[]
}

/** GET /api/judges/agreement: a panel of judges over the recent runs it judged. */
export interface PanelAgreement {
  agreement: JudgeAgreement
  /** How many runs it judged. */
  runs: number
}

// Settings

export type { KeyInfo }

/** GET /api/settings */
export interface SettingsView {
  keys: KeyInfo[]
  endpoints: { name: string; baseUrl: string; hasKey: boolean }[]
  dataFolder: string
  storage: 'sqlite' | 'postgres'
  databaseSize?: number
  /** Where keys are written: in words. */
  keyStore: string
}

/** POST /api/settings/keys/:name/test */
export interface KeyTest {
  ok: boolean
  message: string
}
