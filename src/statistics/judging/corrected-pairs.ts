import type { RatingScale } from '../../contract/index.ts'
import { meanOf, weightedMoments } from '../numbers/weighted-moments.ts'
import {
  correctDifference,
  correctDifferenceByGroup,
  estimateRatedDifference,
  type CorrectDifferenceInput,
  type CorrectedDifference,
} from './correct-difference.ts'
import { FEWEST_RATED_CASES, readers, type RateableAnswer } from './estimate-by-ratings.ts'

/** A model's answer, with what it shares with others. */
export interface PairableAnswer extends RateableAnswer {
  modelId: string
  cluster?: string | undefined
  category?: string | undefined
}

/** How far two models are apart as people would score them. */
export interface CorrectedPair {
  modelA: string
  modelB: string
  scale: RatingScale
  /** Cases of which people rated an answer of each, of all that both answered. */
  ratedCases: number
  cases: number
  /** A − B by the scores alone, over all cases. */
  judge?: number
  /** `level`: so that the intervals of all pairs with an estimate hold together with 95 %. Without scores, no leaning. */
  estimate?: Omit<CorrectedDifference, 'leaning' | 'leaningInterval'> &
    Partial<Pick<CorrectedDifference, 'leaning' | 'leaningInterval'>> & { level: number }
  /** How many cases must be rated before there is an estimate. */
  needed?: number
  /** By category, where at least two have 8 rated cases. */
  groups?: { category: string; ratedCases: number; cases: number; estimate: CorrectedDifference }[]
}

/** A case that two models answered. */
interface SharedCase {
  weight: number
  cluster: string | undefined
  category: string | undefined
  judge: number | undefined
  /** Only if people rated an answer of each; the judge's difference is then of the rated answers. */
  human: number | undefined
}

const ALPHA = 0.05

function joinAnswers(a: readonly PairableAnswer[], b: readonly PairableAnswer[], scale: RatingScale): SharedCase {
  const read = readers[scale]
  const [ofA, ofB] = [a.map(read), b.map(read)]
  const areRated = [ofA, ofB].every((side) => side.some(({ human }) => human !== undefined))
  const meanBy = (side: typeof ofA, field: 'human' | 'judge') => {
    const used = areRated ? side.filter(({ human }) => human !== undefined) : side
    const values = used.flatMap((own) => own[field] ?? [])
    return values.length === 0 ? undefined : meanOf(values)
  }
  const subtract = (field: 'human' | 'judge') => {
    const [first, second] = [meanBy(ofA, field), meanBy(ofB, field)]
    return first === undefined || second === undefined ? undefined : first - second
  }
  const { weight, cluster, category } = a[0]!
  return {
    weight,
    cluster: cluster ?? b[0]!.cluster,
    category,
    judge: subtract('judge'),
    human: areRated ? subtract('human') : undefined,
  }
}

type AnswersByCase = Map<string, PairableAnswer[]>

function listSharedCases(a: AnswersByCase, b: AnswersByCase, scale: RatingScale): SharedCase[] {
  const pick = (keep: (answer: PairableAnswer) => boolean) =>
    [...a].flatMap(([testCaseId, own]) => {
      const [first, second] = [own.filter(keep), (b.get(testCaseId) ?? []).filter(keep)]
      return first.length > 0 && second.length > 0 ? [joinAnswers(first, second, scale)] : []
    })
  // Answers without a score count only if no case has a score of both.
  const scored = pick(({ score }) => score !== undefined)
  return scored.length > 0 ? scored : pick(() => true)
}

type JudgedCase = SharedCase & { judge: number }

function toInput(cases: readonly JudgedCase[]): CorrectDifferenceInput {
  const unrated = cases.filter(({ human }) => human === undefined)
  return {
    rated: cases.flatMap(({ human, ...own }) => (human === undefined ? [] : [{ ...own, human }])),
    unrated: unrated.map(({ judge }) => judge),
    unratedWeights: unrated.map(({ weight }) => weight),
    unratedClusters: unrated.map(({ cluster }) => cluster),
  }
}

function correctGroups(cases: readonly JudgedCase[], level: number): CorrectedPair['groups'] {
  const byCategory = Map.groupBy(
    cases.filter(({ category = '' }) => category !== ''),
    ({ category }) => category!,
  )
  const inputs = Object.fromEntries(Array.from(byCategory, ([category, own]) => [category, toInput(own)]))
  const groups = Object.entries(correctDifferenceByGroup(inputs, { level })).map(([category, estimate]) => ({
    category,
    ratedCases: inputs[category]!.rated.length,
    cases: byCategory.get(category)!.length,
    estimate,
  }))
  return groups.length < 2 ? undefined : groups
}

const isJudged = (one: SharedCase): one is JudgedCase => one.judge !== undefined

function estimatePair(cases: readonly SharedCase[], level: number): Pick<CorrectedPair, 'estimate' | 'groups'> {
  if (cases.every(isJudged)) {
    const groups = correctGroups(cases, level)
    return { estimate: { ...correctDifference(toInput(cases), { level }), level }, ...(groups && { groups }) }
  }
  const rated = cases.flatMap(({ human, ...own }) => (human === undefined ? [] : [{ ...own, human }]))
  const alone = estimateRatedDifference(
    rated.map(({ human }) => human),
    { weights: rated.map(({ weight }) => weight), clusters: rated.map(({ cluster }) => cluster), level },
  )
  return { estimate: { ...alone, lambda: 0, method: 'rated-only', level } }
}

/** Every pair of models of which people rated both answers to a case, in the order in which the models appear. */
export function correctPairs(answers: readonly PairableAnswer[], scale: RatingScale): CorrectedPair[] {
  const byModel = Array.from(
    Map.groupBy(answers, ({ modelId }) => modelId),
    ([modelId, own]) => ({ modelId, byCase: Map.groupBy(own, ({ testCaseId }) => testCaseId) }),
  )
  const pairs = byModel.flatMap((a, index) =>
    byModel.slice(index + 1).flatMap((b) => {
      const cases = listSharedCases(a.byCase, b.byCase, scale)
      const ratedCases = cases.filter(({ human }) => human !== undefined).length
      return ratedCases === 0 ? [] : [{ modelA: a.modelId, modelB: b.modelId, cases, ratedCases }]
    }),
  )
  const estimated = pairs.filter(({ ratedCases }) => ratedCases >= FEWEST_RATED_CASES).length
  return pairs.map(({ modelA, modelB, cases, ratedCases }) => {
    const judged = cases.filter(isJudged)
    return {
      modelA,
      modelB,
      scale,
      ratedCases,
      cases: cases.length,
      ...(judged.length > 0 && {
        judge: weightedMoments(
          judged.map(({ judge }) => judge),
          judged.map(({ weight }) => weight),
        ).mean,
      }),
      ...(ratedCases >= FEWEST_RATED_CASES
        ? estimatePair(cases, 1 - ALPHA / estimated)
        : { needed: FEWEST_RATED_CASES }),
    }
  })
}
