import { z } from 'zod'
import {
  calibrationSampleSchema,
  InputError,
  type CancelSignal,
  type Judging,
  type ModelRequest,
  type ScoringResult,
} from '../contract/index.ts'
import { drawRandom } from '../runner/index.ts'
import { judgeCodeArena, type CodeArenaResult, type JudgedPage } from '../scoring/code-arena-judge.ts'
import { judgePairwise, type ComparedAnswer } from '../scoring/pairwise.ts'
import { judgeRubric, readCriteria, type CriterionInput } from '../scoring/rubric.ts'
import type {
  Answer,
  AuditAnswer,
  AuditDesign,
  CalibrationResult,
  CalibrationSample,
  JudgedAnswer,
  TestCaseInput,
} from '../scoring/index.ts'
import { redactSecrets } from '../report/sharing/redact-secrets.ts'
import { describeForJudge, type TaskKey, type Trajectory } from '../scoring/tool-calls/index.ts'
import {
  requestDirectly,
  auditJudge as auditWith,
  calibrateJudge as calibrateWith,
  defineClient,
  findSampleSet,
  sampleSetNames,
  type AuditProgress,
  type AuditResult,
  type ClientDefinition,
  type Price,
} from '../services/index.ts'
import { refuseUnknownOptions } from './options.ts'
import { countTokens, scoring, scoringWith, tools, type ScorerOptions } from './wiring.ts'

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
    callModel: (request: ModelRequest) => requestDirectly(() => fullClient, tools, signal)(request),
    systemPrompt: judgeSystemPrompt,
  }
}

function requireJudging(method: string, judge: JudgeOptions): Judging {
  if (!judge.judgeModelId) throw new InputError(`${method} needs a judge model, but none is set`)
  const judging = createJudging(judge)
  if (!judging) throw new InputError(`${method} needs a judge model, and there is no client for it`)
  return judging
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
export async function scoreLLMJudge({
  prompt,
  response,
  expectedOutput,
  context,
  preset,
  ...judge
}: JudgedAnswer & JudgeOptions & Required<Pick<JudgeOptions, 'client' | 'judgeModelId'>>): Promise<ScoringResult> {
  return scoring.scoreLLMJudge(
    { prompt, response, expectedOutput, context, preset },
    requireJudging('llm-judge', judge),
  )
}

/**
 * Asks a judge model to grade a whole recorded run of an agent, by what it was asked, said and called, and by its key if there
 * is one. Keys, tokens, home folders and mail addresses are taken out before anything is sent.
 */
export async function judgeTrajectory(
  trajectory: Trajectory,
  { key, ...judge }: { key?: TaskKey } & JudgeOptions & Required<Pick<JudgeOptions, 'client' | 'judgeModelId'>>,
): Promise<ScoringResult> {
  return scoring.scoreLLMJudge(
    redactSecrets(describeForJudge(trajectory, key)).value,
    requireJudging('judgeTrajectory', judge),
  )
}

/**
 * Asks a judge model to check a response against a list of criteria. The score is the weighted mean of the verdicts: met
 * 1, partly 0.5, not met 0.
 */
export async function scoreRubric({
  prompt,
  response,
  expectedOutput,
  criteria,
  ...judge
}: JudgedAnswer & { criteria: readonly CriterionInput[] } & JudgeOptions &
  Required<Pick<JudgeOptions, 'client' | 'judgeModelId'>>): Promise<ScoringResult> {
  return judgeRubric(
    { prompt, response, expectedOutput },
    readCriteria(criteria),
    requireJudging('rubric', judge),
    drawRandom,
  )
}

/**
 * Asks a judge model which of two answers to a task is better, for every pair and in both orders. The score of an answer
 * is the share of its comparisons that it won, ties half.
 */
export async function scorePairwise({
  prompt,
  answers,
  expectedOutput,
  preference,
  ...judge
}: { prompt: string; answers: readonly ComparedAnswer[]; expectedOutput?: string; preference?: string } & JudgeOptions &
  Required<Pick<JudgeOptions, 'client' | 'judgeModelId'>>): Promise<(ComparedAnswer & { score: ScoringResult })[]> {
  return judgePairwise({ prompt, answers, expectedOutput, preference }, requireJudging('pairwise', judge), drawRandom)
}

/**
 * Asks a judge model to grade a page by four criteria, from its screenshots (`data:` URLs) or from its code alone. The
 * score is their weighted total.
 */
export async function scoreCodeArena({
  prompt,
  code,
  screenshots,
  findings,
  ...judge
}: JudgedPage & JudgeOptions & Required<Pick<JudgeOptions, 'client' | 'judgeModelId'>>): Promise<CodeArenaResult> {
  return judgeCodeArena({ prompt, code, screenshots, findings }, requireJudging('code-arena', judge), drawRandom)
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
  options: { preset?: string; signal?: CancelSignal } = {},
): Promise<CalibrationResult> {
  refuseUnknownOptions('calibrateJudge', options, { preset: true, signal: true })
  const { preset, signal } = options
  const fullClient = defineClient(client)
  const chosen = typeof samples === 'string' ? requireSampleSet(samples).samples : checkSamples(samples)
  return calibrateWith(judgeModelId, { clientFor: () => fullClient, samples: chosen, preset, signal }, tools)
}

function checkSamples(samples: readonly CalibrationSample[] | undefined): CalibrationSample[] | undefined {
  const parsed = z.array(calibrationSampleSchema).optional().safeParse(samples)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new InputError(
    issue?.path.length
      ? `samples.${issue.path.join('.')}: ${issue.message}`
      : 'samples must be a list or the name of a built-in set; a preset is the fourth argument: { preset }',
  )
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

const auditOptions: Record<keyof AuditOptions, true> = {
  answers: true,
  client: true,
  judgeModelId: true,
  judgeSystemPrompt: true,
  limit: true,
  maxCost: true,
  onProgress: true,
  only: true,
  prices: true,
  samples: true,
  seed: true,
  signal: true,
}

/**
 * Finds out what sways a judge besides the quality of an answer: asking again, the position, the length, its own words,
 * and canaries. Each finding has a figure, its interval, a sentence and the cases behind it.
 */
export async function auditJudge(given: AuditOptions): Promise<AuditResult> {
  refuseUnknownOptions('auditJudge', given, auditOptions)
  const { client, answers, samples, prices = new Map(), signal, onProgress, ...settings } = given
  const fullClient = defineClient(client)
  const connections = { clientOf: () => fullClient, readPrices: async () => prices }
  return auditWith(
    { ...settings, answers: answers ?? samples },
    { ...tools, connections, loadTokenCounter: async () => countTokens },
    { signal, onProgress },
  )
}
