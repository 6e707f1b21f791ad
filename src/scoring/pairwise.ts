import { z } from 'zod'
import {
  countMatches,
  InputError,
  passMarkOfMethod,
  ScoringError,
  type CallModel,
  type Judging,
  type JudgeVerdict,
  type MissingJudge,
  type PairJudgement,
  type PairwiseComparison,
  type ScoringResult,
  type AnswerStyle,
} from '../contract/index.ts'
import { collectVerdicts, combineScores, gradeCalls } from './judging/judge-panel.ts'
import { buildPairwiseRequest, comparePair, type PairwiseWinner } from './judging/pairwise-prompt.ts'
import { defineScorer } from './scorer.ts'
import { meanOf } from '../statistics/numbers/weighted-moments.ts'

/** Counts what a reader may take for quality: length, and Markdown headers, list items, bold passages and code blocks. */
export function measureStyle(response: string): AnswerStyle {
  const blocks = response.match(/^```[\s\S]*?^```/gm) ?? []
  // What is inside a code block is code: a comment there is no header.
  const prose = blocks.reduce((text, block) => text.replace(block, ''), response)
  return {
    length: response.length,
    headers: countMatches(prose, /^ {0,3}#{1,6} +\S/gm),
    listItems: countMatches(prose, /^\s*(?:[-*+]|\d+[.)]) +\S/gm),
    bold: countMatches(prose, /\*\*[^*\n]+\*\*|__[^_\n]+__/g),
    codeBlocks: blocks.length,
  }
}

/**
 * The same of the code in an answer that is a page, or of all of it if nothing is marked as code: what is said around the
 * code is shown to nobody who compares pages.
 */
export function measureCode(response: string): AnswerStyle {
  const blocks = response.match(/^```[\s\S]*?(?:^```|(?![\s\S]))/gm) ?? []
  const { length } = blocks.length === 0 ? response : blocks.join('')
  return { length, headers: 0, listItems: 0, bold: 0, codeBlocks: blocks.length }
}

/** Two answers to one task. */
export interface AnswerPair {
  prompt: string
  expectedOutput?: string | undefined
  /** What makes an answer the better one. */
  preference?: string | undefined
  a: string
  b: string
}

/** How a pair came out, seen from the first answer. */
export type PairOutcome = Omit<PairwiseComparison, 'opponentId'>

/** How a judge is asked, for each of the two orders: each is charged to the answer that comes first. */
export interface PairJudging extends Pick<Judging, 'judgeModelIds' | 'systemPrompt' | 'combine'> {
  callWithAFirst: CallModel
  callWithBFirst: CallModel
}

const POINTS_OF_FIRST: Record<PairwiseWinner, number> = { first: 1, tie: 0.5, second: 0 }

/** Asks one judge in both orders. A result that changes with the order says nothing about the answers: it is a tie. */
async function judgePair(
  { prompt, expectedOutput, preference, a, b }: AnswerPair,
  judgeModelId: string,
  { callWithAFirst, callWithBFirst, systemPrompt }: PairJudging,
  random: () => number,
): Promise<PairJudgement> {
  const common = { prompt, reference: expectedOutput, criteria: preference, judgeSystemPrompt: systemPrompt }
  const [aFirst, bFirst] = await Promise.all([
    comparePair({ ...common, first: a, second: b }, judgeModelId, { callModel: callWithAFirst, random }),
    comparePair({ ...common, first: b, second: a }, judgeModelId, { callModel: callWithBFirst, random }),
  ])
  const points = POINTS_OF_FIRST[aFirst.winner]
  const isConsistent = points === 1 - POINTS_OF_FIRST[bFirst.winner]
  return {
    judgeModelId,
    score: isConsistent ? points : 0.5,
    isConsistent,
    reasoning: [aFirst.reasoning, bFirst.reasoning].filter((reason) => reason !== '').join('\n'),
  }
}

const NOTES = {
  same: 'the answers are the same',
  bothEmpty: 'both answers are empty',
  thisEmpty: 'this answer is empty',
  otherEmpty: 'the other answer is empty',
}

/** The result of a pair that needs no judge; undefined if it does. */
export function settlePair({ a, b }: Pick<AnswerPair, 'a' | 'b'>): PairOutcome | undefined {
  const [first, second] = [a.trim(), b.trim()]
  if (first === second) return { score: 0.5, notes: first === '' ? NOTES.bothEmpty : NOTES.same }
  if (first === '') return { score: 0, notes: NOTES.thisEmpty }
  if (second === '') return { score: 1, notes: NOTES.otherEmpty }
  return undefined
}

/**
 * Compares two answers: each judge reads them in both orders, and the results of a panel are combined like its scores.
 * Same answers tie and an empty one loses, without a call. Throws a `ScoringError` if too few judges could be read.
 */
export async function compareAnswers(
  pair: AnswerPair,
  judging: PairJudging,
  random: () => number,
): Promise<PairOutcome> {
  const settled = settlePair(pair)
  if (settled) return settled
  const { verdicts, missing } = await collectVerdicts(judging, (judge) => judgePair(pair, judge, judging, random))
  return {
    score: combineScores(
      verdicts.map(({ score }) => score),
      judging.combine,
    ),
    judges: verdicts,
    ...(missing.length > 0 && { missingJudges: missing }),
  }
}

function turnNotes(notes: string): string {
  if (notes === NOTES.thisEmpty) return NOTES.otherEmpty
  return notes === NOTES.otherEmpty ? NOTES.thisEmpty : notes
}

/** The same outcome, seen from the other answer. */
export function turnOutcome({ score, judges, notes, ...outcome }: PairOutcome): PairOutcome {
  return {
    ...outcome,
    score: 1 - score,
    ...(judges && { judges: judges.map((judge) => ({ ...judge, score: 1 - judge.score })) }),
    ...(notes !== undefined && { notes: turnNotes(notes) }),
  }
}

/** A judge's own share of the comparisons; one that needed no judge counts for all of them. */
function verdictOfJudge(judgeModelId: string, comparisons: readonly PairwiseComparison[]): JudgeVerdict {
  const seen = comparisons.flatMap(({ opponentId, score, judges }) => {
    if (!judges) return [{ opponentId, score, reasoning: '' }]
    const own = judges.find((judge) => judge.judgeModelId === judgeModelId)
    return own ? [{ opponentId, score: own.score, reasoning: own.reasoning }] : []
  })
  return {
    judgeModelId,
    score: meanOf(seen.map(({ score }) => score)),
    reasoning: seen.map(({ opponentId, score, reasoning }) => describeResult(opponentId, score, reasoning)).join('\n'),
  }
}

function describeResult(opponentId: string, score: number, reasoning: string): string {
  const result = score === 0.5 ? 'tied with' : score > 0.5 ? 'beat' : 'lost to'
  return `${result} ${opponentId}${reasoning === '' ? '' : `: ${reasoning}`}`
}

function countRecord(comparisons: readonly PairwiseComparison[]): string {
  const won = comparisons.filter(({ score }) => score > 0.5).length
  const lost = comparisons.filter(({ score }) => score < 0.5).length
  const tied = comparisons.length - won - lost
  const turned = comparisons.flatMap(({ judges = [] }) => judges).filter(({ isConsistent }) => !isConsistent).length
  return [
    `won ${won}, tied ${tied}, lost ${lost}`,
    ...(turned > 0 ? [`${turned} changed with the order of the answers`] : []),
  ].join('; ')
}

function listMissing(comparisons: readonly PairwiseComparison[]): MissingJudge[] {
  const missing = comparisons.flatMap(({ missingJudges = [] }) => missingJudges)
  return [...new Map(missing.map((judge) => [judge.judgeModelId, judge])).values()]
}

/**
 * The score of an answer from its comparisons on a case: the share that it won, ties half. Throws `not-compared` if there
 * are none.
 */
export function scoreComparisons(
  response: string,
  comparisons: readonly PairwiseComparison[],
  leftOut: readonly string[] = [],
): ScoringResult {
  if (comparisons.length === 0)
    throw new ScoringError('not-compared', 'no other answer to this case could be compared with it')
  const judgeIds = new Set(comparisons.flatMap(({ judges = [] }) => judges.map((judge) => judge.judgeModelId)))
  const missing = listMissing(comparisons)
  return {
    score: meanOf(comparisons.map(({ score }) => score)),
    notes: [countRecord(comparisons), ...leftOut].join('; '),
    judges: [...judgeIds].map((judgeModelId) => verdictOfJudge(judgeModelId, comparisons)),
    ...(missing.length > 0 && { missingJudges: missing }),
    comparisons: [...comparisons],
    style: measureStyle(response),
  }
}

/** One model's answer to the task. */
export interface ComparedAnswer {
  modelId: string
  response: string
}

/** Compares every pair of answers to one task and scores each by the share that it won. */
export async function judgePairwise(
  { answers, ...task }: Omit<AnswerPair, 'a' | 'b'> & { answers: readonly ComparedAnswer[] },
  judging: Judging,
  random: () => number,
): Promise<(ComparedAnswer & { score: ScoringResult })[]> {
  const ids = answers.map(({ modelId }) => modelId)
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index)
  if (answers.length < 2) throw new InputError('pairwise compares answers with each other; give at least two')
  if (repeated !== undefined) throw new InputError(`there are two answers of ${repeated}; give each its own modelId`)
  const asking: PairJudging = { ...judging, callWithAFirst: judging.callModel, callWithBFirst: judging.callModel }
  const comparisons = new Map(ids.map((id): [string, PairwiseComparison[]] => [id, []]))
  const pairs = answers.flatMap((a, index) => answers.slice(index + 1).map((b) => ({ a, b })))
  await Promise.all(
    pairs.map(async ({ a, b }) => {
      const outcome = await compareAnswers({ ...task, a: a.response, b: b.response }, asking, random)
      comparisons.get(a.modelId)!.push({ opponentId: b.modelId, ...outcome })
      comparisons.get(b.modelId)!.push({ opponentId: a.modelId, ...turnOutcome(outcome) })
    }),
  )
  return answers.map(({ modelId, response }) => ({
    modelId,
    response,
    score: scoreComparisons(response, comparisons.get(modelId)!),
  }))
}

/** Who decides a pair. */
const comparedBySchema = z.enum(['judges', 'people'])

export const pairwise = defineScorer({
  name: 'pairwise',
  summary: 'The answers of all models are compared in pairs, in both orders; the score is the share won, ties half',
  expectedOutput: 'optional',
  passAt: passMarkOfMethod('pairwise'),
  modelCalls: gradeCalls,
  comparesAnswers: true,
  options: z.object({
    preference: z
      .string()
      .trim()
      .min(1, 'needs a text: what makes an answer the better one')
      .optional()
      .describe('What makes an answer the better one; by default, how well it does the task'),
    comparedBy: comparedBySchema.default('judges').describe('Judge models, or people who vote without seeing names'),
  }),
  countModelCalls: ({ comparedBy }) => (comparedBy === 'people' ? { expected: 0, most: 0 } : gradeCalls),
  judgePromptTexts: ({ prompt = '', expectedOutput }, { preference }) =>
    buildPairwiseRequest(
      { prompt, reference: expectedOutput, criteria: preference, first: '', second: '' },
      'mark',
    ).messages.map(({ content }) => String(content)),
  score: () => {
    throw new ScoringError(
      'not-compared',
      'pairwise compares the answers of several models, so one answer alone has no score',
    )
  },
})
