/** The library: scorers, statistics and stores, wired to the machine (scoring threads, clock, marks nobody can guess). */
import type { Client, CancelSignal, ScoringResult } from './contract/index.ts'
import { drawRandom, startScoring } from './runner/index.ts'
import {
  calibrate,
  type Answer,
  type CalibrationResult,
  type CalibrationSample,
  type JudgedAnswer,
  type TestCaseInput,
} from './scoring/index.ts'

const scoring = startScoring()

export const {
  scoreExactMatch,
  scoreRegexMatch,
  scoreNumericTolerance,
  scoreBooleanMatch,
  scoreJsonMatch,
  scoreJsonSchema,
  scoreMultipleChoice,
} = scoring

/** Who judges: a client and the judge's model. */
export interface JudgeOptions {
  client?: Client
  judgeModelId?: string
  judgeSystemPrompt?: string
  signal?: CancelSignal
}

function judgingBy({ client, judgeModelId, judgeSystemPrompt, signal }: JudgeOptions) {
  if (!client || judgeModelId === undefined) return undefined
  return {
    judgeModelIds: [judgeModelId],
    ask: (request: Parameters<Client['complete']>[0]) => client.complete(request, signal ? { signal } : {}),
    systemPrompt: judgeSystemPrompt,
  }
}

/** Scores an answer as its test case says: by its one method, or as the weighted mean of its checks. */
export function scoreResponse(testCase: TestCaseInput, answer: Answer, judge: JudgeOptions = {}): Promise<ScoringResult> {
  return scoring.scoreResponse(testCase, answer, judgingBy(judge))
}

/** A judge model's grade of a response, 0–10 shown as 0–1. */
export function scoreLLMJudge({ prompt, response, expectedOutput, ...judge }: JudgedAnswer & JudgeOptions & Required<Pick<JudgeOptions, 'client' | 'judgeModelId'>>): Promise<ScoringResult> {
  return scoring.scoreLLMJudge({ prompt, response, expectedOutput }, judgingBy(judge)!)
}

/** Grades samples of known worth with a judge model and says how far off it is. */
export function calibrateJudge(client: Client, judgeModelId: string, samples?: readonly CalibrationSample[]): Promise<CalibrationResult> {
  return calibrate(judgeModelId, { ask: (request) => client.complete(request), now: Date.now, random: drawRandom }, samples)
}

export {
  ClientError,
  InputError,
  ScoringError,
  benchmarkModeLocks,
  defaultParameters,
  type CancelSignal,
  type CellResult,
  type Check,
  type CheckResult,
  type Client,
  type ClientErrorKind,
  type CompleteOptions,
  type JudgeVerdict,
  type Message,
  type ModelAnswer,
  type ModelInfo,
  type ModelRequest,
  type Outcome,
  type Parameters,
  type RunResult,
  type RunStatus,
  type ScoringResult,
  type Suite,
  type TestCase,
  type ToolCall,
  type ToolDefinition,
  type Unscored,
  type UnscoredCode,
  type WeightedCase,
} from './contract/index.ts'
export { loadSuite, parseSuite, type LoadedSuite } from './formats/index.ts'
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
  describeComparison,
  describeEffectSize,
  formatReportLine,
  indistinguishableGroups,
  intraclassCorrelation,
  krippendorffAlpha,
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
export { createModelStore, createRunStore, type ModelStore, type RunStore } from './stores/index.ts'
