import type { RatingScale } from '../../contract/index.ts'
import { caseInterval } from '../intervals/case-interval.ts'
import { correctByRatings, intervalOfRatings } from './correct-by-ratings.ts'
import { roganGladen } from './rogan-gladen.ts'
import { meanOf } from '../numbers/weighted-moments.ts'

/** One model's answer to one case. */
export interface RateableAnswer {
  testCaseId: string
  /** Of its case. */
  weight: number
  /** 0 to 1; absent if the answer has no score. */
  score?: number
  /** Whether the score reaches the pass mark. */
  passed?: boolean
  /** What people gave it, 0 to 1. */
  ratings: readonly number[]
}

interface Estimate {
  mean: number
  /** 95 % interval. */
  low: number
  high: number
}

/** Why the judge's scores are not used: the estimate is then of the ratings alone. */
export type UnusedJudge =
  /** Fewer than 30 cases are rated, or fewer than 5 passed or failed. */
  | 'few-ratings'
  /** On the rated answers the judge is no better than chance. */
  | 'chance'
  /** Every answer is rated, or hardly any is left: the ratings alone say more. */
  | 'ratings-suffice'
  /** The answers have no scores. */
  | 'no-scores'

/** What people would give a model's answers, beside what the judge gave. */
export interface RatingEstimate {
  /** What is estimated: the mean score, or for pass-or-fail ratings the share of answers that pass. */
  scale: RatingScale
  /** Cases with a rated answer, of all cases. */
  ratedCases: number
  cases: number
  ratedAnswers: number
  answers: number
  /** The judge alone: its mean score or pass rate over all answers, with the interval that ignores its errors. */
  judge?: Estimate
  /** The ratings alone. */
  people?: Estimate
  /** The best estimate of what people would give; absent if too few are rated. */
  estimate?: Estimate & {
    method: 'ppi++-careful' | 'rogan-gladen' | 'ratings-alone'
    /** How far the judge's scores are used, 0 to 1. */
    lambda?: number
  }
  /** With `ratings-alone`. */
  unusedJudge?: UnusedJudge
  /** How many cases must be rated before there is an estimate at all. */
  needed?: number
}

/** With fewer rated cases even the interval of the ratings alone is too narrow. */
export const FEWEST_RATED_CASES = 10
/** With fewer of a class, how often the judge recognises it is not known. */
const FEWEST_OF_A_CLASS = 5

/** One case: answers to the same case are correlated, so their means count once. */
interface CaseMeans {
  weight: number
  /** Over its rated answers. */
  human?: number
  /** The judge's mean over the same answers; without any, over all. */
  judge: number
}

type ReadAnswer = (answer: RateableAnswer) => { judge: number | undefined; human: number | undefined }

/** What a score and the ratings of an answer say on each scale. */
export const readers: Record<RatingScale, ReadAnswer> = {
  points: ({ score, ratings }) => ({ judge: score, human: ratings.length > 0 ? meanOf(ratings) : undefined }),
  // Several people decide by majority; a tie counts half.
  'pass-fail': ({ passed, ratings }) => ({
    judge: passed === undefined ? undefined : Number(passed),
    human: ratings.length > 0 ? (Math.sign(meanOf(ratings) - 0.5) + 1) / 2 : undefined,
  }),
}

function caseMeansOf(answers: readonly RateableAnswer[], read: ReadAnswer): CaseMeans[] {
  return Array.from(Map.groupBy(answers, ({ testCaseId }) => testCaseId).values(), (ofCase): CaseMeans => {
    const values = ofCase.map(read)
    const rated = values.filter(({ human }) => human !== undefined)
    const judged = (rated.length > 0 ? rated : values).map(({ judge }) => judge ?? 0)
    return {
      weight: ofCase[0]!.weight,
      judge: meanOf(judged),
      ...(rated.length > 0 && { human: meanOf(rated.map(({ human }) => human!)) }),
    }
  })
}

type RatedCase = CaseMeans & { human: number }

/** The interval over cases of weighted means. */
function estimateMean(values: readonly number[], weights: readonly number[]): Estimate {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const mean = values.reduce((sum, value, index) => sum + value * (weights[index]! / total), 0)
  const { low, high } = caseInterval(values, weights)
  return { mean, low, high }
}

const estimateOver = (cases: readonly CaseMeans[], field: 'human' | 'judge') =>
  estimateMean(
    cases.map((testCase) => testCase[field]!),
    cases.map(({ weight }) => weight),
  )

const estimateOfPeople = (cases: readonly RatedCase[]) =>
  intervalOfRatings(
    cases.map(({ human }) => human),
    cases.map(({ weight }) => weight),
  )

/** The number of equally weighted cases that are worth as much. */
function effectiveSize(weights: readonly number[]): number {
  const heaviest = Math.max(...weights)
  const [total, squares] = weights.reduce(
    ([sum, sumOfSquares], weight) => [sum + weight / heaviest, sumOfSquares + (weight / heaviest) ** 2],
    [0, 0],
  )
  return squares === 0 ? 0 : total ** 2 / squares
}

type Outcome = Pick<RatingEstimate, 'estimate' | 'unusedJudge'>

const alone = (people: Estimate, unusedJudge: UnusedJudge): Outcome => ({
  estimate: { ...people, method: 'ratings-alone' },
  unusedJudge,
})

function correctScores(rated: RatedCase[], unrated: CaseMeans[], people: Estimate): Outcome {
  const { method, lambda, ...corrected } = correctByRatings({
    rated,
    unrated: unrated.map(({ judge }) => judge),
    unratedWeights: unrated.map(({ weight }) => weight),
    interval: 'careful',
  })
  if (unrated.length === 0) return alone(people, 'ratings-suffice')
  if (method !== 'ppi++-careful') return alone(people, 'few-ratings')
  if (lambda === 0) return alone(people, 'chance')
  const { mean, low, high } = corrected
  return { estimate: { mean, low, high, lambda, method } }
}

/** How often the judge agrees with people on answers that people passed, or that they failed. */
function measureClass(rated: readonly RatedCase[], passes: boolean): { share: number; size: number } {
  // A case whose rated answers differ belongs to both classes in part.
  const parts = rated
    .map(({ human, judge, weight }) => ({
      weight: weight * (passes ? human : 1 - human),
      agrees: passes ? judge : 1 - judge,
    }))
    .filter(({ weight }) => weight > 0)
  const weights = parts.map(({ weight }) => weight)
  if (parts.length === 0) return { share: 0, size: 0 }
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return {
    share: Math.min(
      1,
      parts.reduce((sum, { weight, agrees }) => sum + agrees * (weight / total), 0),
    ),
    size: Math.floor(effectiveSize(weights) + 1e-9),
  }
}

function correctPassRate(rated: RatedCase[], unrated: CaseMeans[], people: Estimate): Outcome {
  // Heavy cases may be passed more or less often than light ones, which binomial rates cannot express.
  if (new Set([...rated, ...unrated].map(({ weight }) => weight)).size > 1) return correctScores(rated, unrated, people)
  const [positive, negative] = [measureClass(rated, true), measureClass(rated, false)]
  if (unrated.length === 0) return alone(people, 'ratings-suffice')
  if (Math.min(positive.size, negative.size) < FEWEST_OF_A_CLASS) return alone(people, 'few-ratings')
  if (positive.share + negative.share <= 1 + 1e-9) return alone(people, 'chance')
  const { rate, low, high } = roganGladen({
    observedRate: Math.min(1, estimateOver(unrated, 'judge').mean),
    n: Math.max(1, Math.floor(effectiveSize(unrated.map(({ weight }) => weight)))),
    sensitivity: positive.share,
    positives: positive.size,
    specificity: negative.share,
    negatives: negative.size,
  })
  // The corrected rate does not use what people gave the rated answers, so few answers more can leave it wider.
  if (high - low >= people.high - people.low) return alone(people, 'ratings-suffice')
  return { estimate: { mean: rate, low, high, method: 'rogan-gladen' } }
}

/**
 * Estimates what people would give the answers of one model, from the few that they rated, drawn at random, and the
 * judge's scores of all. Answers to one case count once, with their mean. Answers without a score count only if no
 * answer has one.
 */
export function estimateByRatings(answers: readonly RateableAnswer[], scale: RatingScale): RatingEstimate {
  const scored = answers.filter(({ score }) => score !== undefined)
  const used = scored.length > 0 ? scored : answers
  const cases = caseMeansOf(used, readers[scale])
  const rated = cases.filter((testCase): testCase is RatedCase => testCase.human !== undefined)
  const unrated = cases.filter(({ human }) => human === undefined)
  const people = rated.length >= FEWEST_RATED_CASES ? estimateOfPeople(rated) : undefined
  const correct = scale === 'points' ? correctScores : correctPassRate
  return {
    scale,
    ratedCases: rated.length,
    cases: cases.length,
    ratedAnswers: used.filter(({ ratings }) => ratings.length > 0).length,
    answers: used.length,
    ...(scored.length > 0 && { judge: estimateOver(caseMeansOf(withoutRatings(used), readers[scale]), 'judge') }),
    ...(people && { people }),
    ...(people && (scored.length > 0 ? correct(rated, unrated, people) : alone(people, 'no-scores'))),
    ...(!people && { needed: FEWEST_RATED_CASES }),
  }
}

/** The judge's own mean is over all answers, rated or not. */
function withoutRatings(answers: readonly RateableAnswer[]): RateableAnswer[] {
  return answers.map((answer) => ({ ...answer, ratings: [] }))
}
