import type { Clusters } from '../clusters/clustered-moments.ts'
import { checkNumbers, checkSameLength } from '../numbers/check-arguments.ts'
import { tQuantile } from '../numbers/distributions.ts'
import { clipDifference, differenceInterval, measureDifferences } from '../tests/difference-interval.ts'
import { FEWEST_RATINGS, findLambda, RatingSample } from './rating-sample.ts'

/** A case of which people and the judge have both scored the answers of two models. Differences are A − B. */
export interface RatedDifference {
  human: number
  judge: number
  /** Of the case; default 1. */
  weight?: number | undefined
  /** Cases of one cluster count once, with their mean; default: each case is its own. */
  cluster?: string | number | undefined
}

export interface CorrectDifferenceInput {
  /** Drawn at random. */
  rated: readonly RatedDifference[]
  /** The judge's differences on the other cases. */
  unrated: readonly number[]
  /** Default 1 each. */
  unratedWeights?: readonly number[] | undefined
  unratedClusters?: Clusters | undefined
}

export interface CorrectedDifference {
  /** The estimate of A − B as people would score all cases. */
  mean: number
  low: number
  high: number
  /** How far the judge's scores are used: 0 not at all, 1 fully. */
  lambda: number
  /** How far the judge leans towards A on the rated cases: the mean of its differences minus people's. */
  leaning: number
  leaningInterval: [number, number]
  /** `rated-only`: fewer than 30 cases are rated, or fewer than 2 are left. */
  method: 'ppi++' | 'rated-only'
}

/** With fewer of a group, not even the common spread makes up for how little is known of its mean. */
const FEWEST_RATED_OF_GROUP = 8

interface Part {
  rated: { human: RatingSample; judge: RatingSample; names: (string | number)[] }
  unrated: { judge: RatingSample; names: (string | number)[] } | undefined
}

/** One value for each cluster: its weighted mean, with the weight of all of its cases. */
function joinClusters<Case extends { weight: number; cluster: string | number }>(
  cases: readonly Case[],
  fields: readonly ((one: Case) => number)[],
): { samples: RatingSample[]; names: (string | number)[] } {
  const units = [...Map.groupBy(cases, ({ cluster }) => cluster)]
  const weights = units.map(([, own]) => own.reduce((sum, { weight }) => sum + weight, 0))
  return {
    names: units.map(([name]) => name),
    samples: fields.map(
      (read) =>
        new RatingSample(
          units.map(([, own], index) => own.reduce((sum, one) => sum + one.weight * read(one), 0) / weights[index]!),
          weights,
        ),
    ),
  }
}

function checkDifferences(values: readonly number[], name: string): void {
  checkNumbers(values, name)
  const wrong = values.findIndex((value) => Math.abs(value) > 1 + 1e-9)
  if (wrong >= 0) throw new RangeError(`${name}[${wrong}] is ${values[wrong]}: differences of scores are from −1 to 1.`)
}

function readPart({ rated, unrated, unratedWeights, unratedClusters }: CorrectDifferenceInput, label = ''): Part {
  checkDifferences(
    rated.map(({ human }) => human),
    `${label}ratings`,
  )
  checkDifferences(
    rated.map(({ judge }) => judge),
    `${label}scores of rated cases`,
  )
  if (unrated.length > 0) checkDifferences(unrated, `${label}unrated`)
  if (unratedWeights) checkSameLength(unrated, unratedWeights, 'unrated and unratedWeights')
  if (unratedClusters) checkSameLength(unrated, unratedClusters, 'unrated and unratedClusters')
  const ofRated = joinClusters(
    // A name of ours cannot be one of theirs: a case without a cluster is its own.
    rated.map(({ weight = 1, cluster, ...own }, index) => ({
      ...own,
      weight,
      cluster: named(cluster, 'rated', index),
    })),
    [({ human }) => human, ({ judge }) => judge],
  )
  const ofUnrated = joinClusters(
    unrated.map((judge, index) => ({
      judge,
      weight: unratedWeights?.[index] ?? 1,
      cluster: named(unratedClusters?.[index], 'unrated', index),
    })),
    [({ judge }) => judge],
  )
  const [human, judge] = ofRated.samples
  return {
    rated: { human: human!, judge: judge!, names: ofRated.names },
    // The spread of a single value is not known.
    unrated: unrated.length < 2 ? undefined : { judge: ofUnrated.samples[0]!, names: ofUnrated.names },
  }
}

const named = (cluster: string | number | undefined, kind: string, index: number): string =>
  cluster === undefined ? `${kind} ${index}` : `cluster ${cluster}`

const join = (samples: readonly RatingSample[]) =>
  new RatingSample(
    samples.flatMap(({ values }) => values),
    samples.flatMap(({ weights }) => [...weights]),
  )

/** What a sample's values add to its mean, each; they sum to 0. */
function listInfluences({ values, weights, mean }: RatingSample): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return values.map((value, index) => (weights[index]! * (value - mean)) / total)
}

/** Clusters of which only some cases are rated tie the rated to the others; 0 if clusters were drawn whole. */
function crossVariance({ rated, unrated }: Part, rest: RatingSample): number {
  if (!unrated) return 0
  const left = new Map(listInfluences(unrated.judge).map((influence, index) => [unrated.names[index]!, influence]))
  const sum = listInfluences(rest).reduce(
    (total, influence, index) => total + influence * (left.get(rated.names[index]!) ?? 0),
    0,
  )
  return Math.max(0, 2 * sum)
}

function findRest({ rated: { human, judge } }: Part, lambda: number): RatingSample {
  return new RatingSample(
    human.values.map((value, index) => value - lambda * judge.values[index]!),
    human.weights,
  )
}

/** With Student's t; where most ratings are one same difference, not narrower than what may not have been seen yet. */
function makeInterval(
  { human }: Part['rated'],
  { mean, variance, degreesOfFreedom, level }: Record<'mean' | 'variance' | 'degreesOfFreedom' | 'level', number>,
): Pick<CorrectedDifference, 'mean' | 'low' | 'high'> {
  const reach = -tQuantile((1 - level) / 2, Math.max(degreesOfFreedom, 1e-9)) * Math.sqrt(variance)
  const ratings = measureDifferences(human.values, [...human.weights])
  const [low, high] = ratings.needsUnseenMass ? differenceInterval(ratings, level) : [Infinity, -Infinity]
  return {
    mean: clipDifference(mean),
    low: clipDifference(Math.min(mean - reach, low)),
    high: clipDifference(Math.max(mean + reach, high)),
  }
}

function measureLeaning({ human, judge }: Part['rated']): Pick<CorrectedDifference, 'leaning' | 'leaningInterval'> {
  // Two differences are up to 2 apart: halved, they fit the bounds of one.
  const halves = judge.values.map((value, index) => (value - human.values[index]!) / 2)
  const moments = measureDifferences(halves, [...human.weights])
  const [low, high] = differenceInterval(moments)
  return { leaning: 2 * moments.mean, leaningInterval: [2 * low, 2 * high] }
}

/** The ratings alone, by Student's t over cases. */
export function estimateRatedDifference(
  ratings: readonly number[],
  { weights, clusters, level }: { weights?: readonly number[]; clusters?: Clusters; level: number },
): Pick<CorrectedDifference, 'mean' | 'low' | 'high'> {
  checkDifferences(ratings, 'ratings')
  const moments = measureDifferences(ratings, weights, clusters)
  const [low, high] = differenceInterval(moments, level)
  return { mean: moments.mean, low, high }
}

const isEnough = (size: number) => size >= FEWEST_RATINGS - 1e-9

/**
 * How far two models are apart as people would score them, from cases of which people scored both answers, drawn at
 * random, and the judge's scores of all: PPI++ for the mean difference (Angelopoulos, Duchi & Zrnic, arXiv 2311.01453).
 * However far the judge leans towards one model, the estimate is unbiased. λ has the covariance by n and the judge's
 * variance by n + N − 1; V = λ²·var(unrated)/N + Σ(rest)²/n/(n − 2), with that variance by N − 1; Student's t has n − 2
 * degrees of freedom. With fewer than 30 ratings, the ratings alone. With clusters, n and N count clusters.
 */
export function correctDifference(
  input: CorrectDifferenceInput,
  { level = 0.95 }: { level?: number } = {},
): CorrectedDifference {
  const part = readPart(input)
  const { rated, unrated } = part
  const leaning = measureLeaning(rated)
  if (!unrated || unrated.judge.size < 2 - 1e-9 || !isEnough(rated.human.size))
    return {
      ...estimateRatedDifference(rated.human.values, { weights: [...rated.human.weights], level }),
      lambda: 0,
      ...leaning,
      method: 'rated-only',
    }
  const lambda = findLambda({ ...rated, all: join([rated.judge, unrated.judge]), others: unrated.judge })
  const rest = findRest(part, lambda)
  const variance =
    (lambda ** 2 * unrated.judge.variance) / (unrated.judge.size - 1) +
    rest.variance / (rest.size - 2) +
    lambda * crossVariance(part, rest)
  return {
    ...makeInterval(rated, {
      mean: lambda * unrated.judge.mean + rest.mean,
      variance,
      degreesOfFreedom: rest.size - 2,
      level,
    }),
    lambda,
    ...leaning,
    method: 'ppi++',
  }
}

/**
 * The same by group of cases. Groups with fewer than 8 rated cases are left out; few ratings of one group say little
 * about λ and the spread of the rest, so both come from all groups, and Student's t has n less the number of groups.
 */
export function correctDifferenceByGroup(
  groups: Readonly<Record<string, CorrectDifferenceInput>>,
  { level = 0.95 }: { level?: number } = {},
): Record<string, CorrectedDifference> {
  const parts = Object.entries(groups).flatMap(([name, input]) => {
    if (input.rated.length < FEWEST_RATED_OF_GROUP) return []
    const part = readPart(input, `${name}: `)
    return part.rated.human.size < FEWEST_RATED_OF_GROUP - 1e-9 ? [] : [{ name, part }]
  })
  if (parts.length === 0) return {}
  const rated = parts.map(({ part }) => part.rated)
  const unrated = parts.flatMap(({ part }) => part.unrated?.judge ?? [])
  const [human, judge] = [join(rated.map((own) => own.human)), join(rated.map((own) => own.judge))]
  const others = unrated.length === 0 ? undefined : join(unrated)
  const common = others && isEnough(human.size) ? findLambda({ human, judge, all: join([judge, others]), others }) : 0
  const degreesOfFreedom = parts.reduce((sum, { part }) => sum + part.rated.human.size, 0) - parts.length
  /** Over all groups, each about its own mean. */
  const findSpread = (lambda: number) =>
    parts.reduce((sum, { part }) => {
      const rest = findRest(part, lambda)
      return sum + rest.variance * rest.size
    }, 0) / degreesOfFreedom
  const [corrected, alone] = [findSpread(common), findSpread(0)]
  return Object.fromEntries(
    parts.map(({ name, part }) => {
      const usable = part.unrated && part.unrated.judge.size >= 2 - 1e-9 ? part.unrated.judge : undefined
      const lambda = usable ? common : 0
      const rest = findRest(part, lambda)
      const ofJudge = usable ? (lambda ** 2 * usable.variance) / (usable.size - 1) : 0
      const ofRest = (lambda > 0 ? corrected : alone) / rest.size
      return [
        name,
        {
          ...makeInterval(part.rated, {
            mean: (usable ? lambda * usable.mean : 0) + rest.mean,
            variance: ofJudge + ofRest + lambda * crossVariance(part, rest),
            degreesOfFreedom,
            level,
          }),
          lambda,
          ...measureLeaning(part.rated),
          method: usable && isEnough(human.size) ? 'ppi++' : 'rated-only',
        },
      ]
    }),
  )
}
