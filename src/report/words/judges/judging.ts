import { SPLIT_FROM, type CriterionStats, type JudgeAgreement, type JudgeSplits } from '../../../statistics/index.ts'
import type { RankAgreement, SplitAnswer, StyleFeature, StyleWeight } from '../../../statistics/index.ts'
import type { JudgingReport, PairwiseReport } from '../../model/verdict/judging.ts'
import { describeAgreement } from './agreement.ts'
import { joinWords } from '../names.ts'
import { formatCount, formatPercent, formatRatingChange, formatScore, formatStatistic } from '../numbers.ts'
import { formatRatingInterval } from '../verdicts/rankings.ts'

/** More cases than this are counted instead of named. */
const MAX_NAMED = 5

/** `The judges are 30 points or more apart on 5 of 40 answers: cases a, b and c.` */
export function describeSplits({ graded, answers, testCaseIds }: JudgeSplits, who = 'The judges'): string {
  const apart = `${who} are ${Math.round(100 * SPLIT_FROM)} points or more apart on`
  if (answers.length === 0) return `${apart} none of ${formatCount(graded, 'answer')}.`
  const named = testCaseIds.slice(0, MAX_NAMED)
  const others = testCaseIds.length - named.length
  const cases = joinWords([...named, ...(others > 0 ? [formatCount(others, 'other')] : [])])
  return `${apart} ${formatCount(answers.length)} of ${formatCount(graded, 'answer')}: ${testCaseIds.length === 1 ? 'case' : 'cases'} ${cases}.`
}

/** `a 20.0, b 100.0` */
export function describeGrades({ judges }: { judges: readonly { judgeModelId: string; score: number }[] }): string {
  return judges.map(({ judgeModelId, score }) => `${judgeModelId} ${formatScore(score)}`).join(', ')
}

/** `capital, demo/fair: a 20.0, b 100.0` */
function describeSplit(answer: SplitAnswer, isSeries: boolean): string {
  const { testCaseId, modelId, runNumber } = answer
  return `${testCaseId}, ${modelId}${isSeries ? `, run ${formatCount(runNumber)}` : ''}: ${describeGrades(answer)}`
}

/** What to read before any score, if the judges of a panel do not agree; undefined if they do. */
export function describeDisagreement(
  agreement: JudgeAgreement | undefined,
  splits: JudgeSplits | undefined,
): string | undefined {
  if (!agreement || !Number.isFinite(agreement.alpha) || agreement.alpha >= 0.8) return undefined
  const where = splits && splits.answers.length > 0 ? [describeSplits(splits, 'They')] : []
  return [describeAgreement(agreement), ...where].join(' ')
}

/** `b gave no readable grade for 3 answers; the other judges scored them.` */
export function describeMissingJudges(missing: JudgingReport['missingJudges']): string[] {
  return missing.map(
    ({ judgeModelId, answers }) =>
      `${judgeModelId} gave no verdict on ${formatCount(answers, 'answer')}; the rest of the panel scored ${answers === 1 ? 'it' : 'them'}.`,
  )
}

const quoteWords = (text: string) => `“${text}”`

/** `“Names the rent”: met 75 % (a 100 %, b 50 %)` */
function describeCriterion({ text, mean, models }: CriterionStats): string {
  const each = models.map((model) => `${model.modelId} ${formatPercent(model.mean, 0)}`).join(', ')
  return `${quoteWords(text)}: met ${formatPercent(mean, 0)} (${each})`
}

/** The criteria that tell no models apart, in a sentence each. */
export function describeIdleCriteria(criteria: readonly CriterionStats[]): string[] {
  return criteria.flatMap(({ text, mean, n, neverDiscriminates }) => {
    if (!neverDiscriminates) return []
    const verdict = mean === 1 ? 'is met by' : mean === 0 ? 'is met by none of' : 'has the same verdict on'
    const which = mean === 0 ? formatCount(n, 'answer') : `all ${formatCount(n, 'answer')}`
    return [`${quoteWords(text)} ${verdict} ${which}: it tells no models apart.`]
  })
}

/** What the style of an answer is made of. */
export const styleWords: Record<StyleFeature, string> = {
  length: 'length',
  headers: 'headers',
  listItems: 'lists',
  bold: 'bold text',
  codeBlocks: 'code blocks',
}

/** `length +35 (10 to 60)` */
function describeStyleWeight({ feature, points, low, high }: StyleWeight): string {
  return `${styleWords[feature]} ${formatRatingChange(points)} (${formatRatingChange(low)} to ${formatRatingChange(high)})`
}

/** `What style is worth, in rating points: length +35 (10 to 60), bold text −3 (−20 to 14)` */
export function describeStyleWeights(weights: readonly StyleWeight[]): string {
  return `What style is worth, in rating points: ${weights.map(describeStyleWeight).join(', ')}`
}

/** `demo/good 1,042 (980 to 1,104), demo/fair 958 (896 to 1,020)` */
function listRated(ratings: PairwiseReport['ratings']): string {
  return ratings.map((rated) => `${rated.id} ${formatRatingInterval(rated)}`).join(', ')
}

/** How often the result depended on which answer came first. */
export function describeOrder({ judged, inconsistent }: PairwiseReport['order']): string | undefined {
  if (judged === 0) return undefined
  return `${formatCount(inconsistent)} of ${formatCount(judged, 'verdict')} (${formatPercent(inconsistent / judged, 0)}) changed with the order of the answers and count as ties.`
}

export function describeRankAgreement({ models, tau, pairs, agreed }: RankAgreement): string {
  const byModel = `Ranking ${formatCount(models, 'model')} by comparisons and by scores: Kendall's tau ${formatStatistic(tau)}`
  return pairs === 0
    ? `${byModel}.`
    : `${byModel}; case by case, ${formatCount(agreed)} of ${formatCount(pairs, 'pair')} (${formatPercent(agreed / pairs, 0)}) come out the same way.`
}

/** What the verdicts of compared answers rest on. */
export const PAIRWISE_BASIS =
  'A pairwise score is the share of its comparisons on a case that an answer won, ties half. Scores of the same case depend on each other, so no test treats them as independent: verdicts take the difference of two models case by case and flip its sign over whole cases (with two models, the sign test), and ratings are Bradley-Terry with cases as clusters.'

/** What style control does. */
export const STYLE_BASIS =
  'At equal style: Bradley-Terry with length and formatting as covariates. A weight is what an answer gains, in rating points, from one standard deviation more of it than the other answer.'

/** Ratings at equal length and formatting, and what those are worth, one per line. */
function listStyle({ ratings, weights }: NonNullable<PairwiseReport['style']>): string[] {
  return [`Ratings with 95 % CI: ${listRated(ratings)}`, describeStyleWeights(weights)]
}

/** The figures of compared answers, one per line. */
function listPairwise({ pairs, cases, order, ratings, agreement }: PairwiseReport): string[] {
  const orderLine = describeOrder(order)
  return [
    `${formatCount(pairs, 'pair')} on ${formatCount(cases, 'case')}; ratings with 95 % CI: ${listRated(ratings)}`,
    ...(orderLine === undefined ? [] : [orderLine]),
    ...(agreement ? [describeRankAgreement(agreement)] : []),
  ]
}

/** A part of a report about judges, with a line for each finding. */
export interface JudgingSection {
  title: string
  lines: string[]
  /** On request only. */
  isOptional?: boolean
}

/** Everything about judges and what they judged by, in the order in which reports show it. */
export function listJudgingSections(
  { pairwise, criteria, splits, missingJudges }: JudgingReport,
  { isSeries }: { isSeries: boolean },
): JudgingSection[] {
  const divided = splits && splits.answers.length > 0 ? splits : undefined
  const sections: JudgingSection[] = [
    { title: 'Compared in pairs', lines: pairwise ? listPairwise(pairwise) : [] },
    {
      title: 'At equal length and formatting',
      lines: pairwise?.style ? [...listStyle(pairwise.style), STYLE_BASIS] : [],
      isOptional: true,
    },
    { title: 'Criteria', lines: [...describeIdleCriteria(criteria), ...criteria.map(describeCriterion)] },
    {
      title: 'Where the judges split',
      lines: divided
        ? [describeSplits(divided), ...divided.answers.map((answer) => describeSplit(answer, isSeries))]
        : [],
    },
    { title: 'Judges without a verdict', lines: describeMissingJudges(missingJudges) },
  ]
  return sections.filter(({ lines }) => lines.length > 0)
}

/** What a verdict on a criterion looks like, besides its words. */
export function criterionMark(mean: number | undefined): { mark: string; word: string } {
  if (mean === undefined) return { mark: '–', word: 'no verdict' }
  if (mean === 1) return { mark: '✓', word: 'met' }
  if (mean === 0) return { mark: '✗', word: 'not met' }
  return { mark: '◐', word: `${formatPercent(mean, 0)} met` }
}
