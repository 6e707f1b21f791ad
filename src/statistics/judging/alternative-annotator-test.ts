import { checkFraction } from '../numbers/check-arguments.ts'
import { tCdf } from '../numbers/distributions.ts'
import { meanOf } from '../numbers/weighted-moments.ts'

/** What the judge and people said about one answer. */
export interface AnnotatedInstance {
  judge: number
  /** Of each person who rated it, by name. */
  ratings: Readonly<Record<string, number>>
  /** Instances of one cluster are correlated, as the answers to one case are. Default: each is its own. */
  cluster?: string
}

export interface AlternativeAnnotatorOptions {
  /**
   * How much worse than a person the judge may be, because it costs less: 0.2 if people are experts, 0.15 if they are
   * skilled (the default), 0.1 for crowd workers.
   */
  epsilon?: number
  /** The false discovery rate over people; default 0.05. */
  falseDiscoveryRate?: number
  /** Default: `accuracy` if every rating and score is 0 or 1, else `rmse`. */
  alignment?: 'accuracy' | 'rmse'
}

/** How the judge compares with one person, both measured by the other people. */
export interface ComparedAnnotator {
  name: string
  instances: number
  /** The share of instances on which the judge is at least as close to the others as this person. */
  judgeAdvantage: number
  /** The share on which this person is at least as close as the judge. */
  personAdvantage: number
  /** Of the hypothesis that this person is better than the judge by `epsilon` or more. */
  pValue: number
  /** Whether that is rejected, after the correction over people: the judge wins. */
  isBeaten: boolean
}

export interface AlternativeAnnotatorTest {
  /** True if the judge wins against at least half of the people: it may stand in for one of them. */
  isWorthAPerson: boolean
  /** The share of people that the judge wins against. */
  winningRate: number
  /** The mean over people of `judgeAdvantage`: the average advantage probability. */
  advantage: number
  epsilon: number
  alignment: 'accuracy' | 'rmse'
  annotators: ComparedAnnotator[]
}

export const FEWEST_ANNOTATORS = 3
/** Of each person: with fewer, the t-test does not hold. */
export const FEWEST_INSTANCES = 30
/** From here on, the judge may stand in for a person. */
const WINNING_RATE = 0.5

const alignments = {
  accuracy: (value: number, others: readonly number[]) => meanOf(others.map((other) => (other === value ? 1 : 0))),
  rmse: (value: number, others: readonly number[]) => -Math.sqrt(meanOf(others.map((other) => (value - other) ** 2))),
}

interface Difference {
  /** 1 if only the person, −1 if only the judge is at least as close to the others as the other of the two. */
  value: number
  cluster: string
}

/** One-sided p of the hypothesis that the mean difference is at least `epsilon`; clusters count as independent. */
function testDifferences(differences: readonly Difference[], epsilon: number): number {
  const n = differences.length
  const mean = meanOf(differences.map(({ value }) => value))
  const sums = Array.from(Map.groupBy(differences, ({ cluster }) => cluster).values(), (members) =>
    members.reduce((sum, { value }) => sum + value - mean, 0),
  )
  const clusters = sums.length
  const squares = sums.reduce((sum, value) => sum + value ** 2, 0)
  if (clusters < 2 || squares < 1e-18) return mean < epsilon && clusters >= 2 ? 0 : 1
  const standardError = Math.sqrt((squares * clusters) / (clusters - 1)) / n
  return tCdf((mean - epsilon) / standardError, clusters - 1)
}

/** Which hypotheses are rejected at this false discovery rate, however they depend on each other. */
export function rejectBenjaminiYekutieli(pValues: readonly number[], rate: number): boolean[] {
  const m = pValues.length
  const harmonic = pValues.reduce((sum, _, index) => sum + 1 / (index + 1), 0)
  const ordered = pValues.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p)
  const last = ordered.findLastIndex(({ p }, rank) => p <= ((rank + 1) / m) * (rate / harmonic))
  const rejected = new Set(ordered.slice(0, last + 1).map(({ index }) => index))
  return pValues.map((_, index) => rejected.has(index))
}

/**
 * Whether the judge is worth a person: the alternative annotator test (Calderon, Reichart & Dror, ACL 2025, arXiv
 * 2501.10970). Each person is left out in turn; the judge wins if it is at least as close to the other people, less
 * `epsilon` for its lower cost, by a one-sided t-test with the correction of Benjamini and Yekutieli. Instances that
 * fewer than two people rated are left out, and so are people with fewer than 30 instances; at least three people must
 * remain.
 */
export function alternativeAnnotatorTest(
  instances: readonly AnnotatedInstance[],
  { epsilon = 0.15, falseDiscoveryRate = 0.05, alignment }: AlternativeAnnotatorOptions = {},
): AlternativeAnnotatorTest {
  if (!(epsilon >= 0 && epsilon < 1)) throw new RangeError(`epsilon is ${epsilon}: it must be from 0 to below 1.`)
  checkFraction(falseDiscoveryRate, 'falseDiscoveryRate')
  for (const { judge, ratings } of instances)
    for (const value of [judge, ...Object.values(ratings)])
      if (!Number.isFinite(value)) throw new RangeError(`A rating is ${value}: every rating must be a finite number.`)
  const usable = instances
    .map((instance, index) => ({ ...instance, cluster: instance.cluster ?? `instance ${index}` }))
    .filter(({ ratings }) => Object.keys(ratings).length >= 2)
  const isPassOrFail = usable.every(({ judge, ratings }) =>
    [judge, ...Object.values(ratings)].every((value) => value === 0 || value === 1),
  )
  const used = alignment ?? (isPassOrFail ? 'accuracy' : 'rmse')
  const align = alignments[used]

  const names = [...new Set(usable.flatMap(({ ratings }) => Object.keys(ratings)))].sort()
  const compared = names.flatMap((name) => {
    const own = usable.filter(({ ratings }) => Object.hasOwn(ratings, name))
    if (own.length < FEWEST_INSTANCES) return []
    const pairs = own.map(({ judge, ratings, cluster }) => {
      const { [name]: rating, ...others } = ratings
      const person = align(rating!, Object.values(others))
      const ofJudge = align(judge, Object.values(others))
      // Sums of squares of the same ratings may differ in the last digit.
      const isTie = Math.abs(person - ofJudge) < 1e-12
      return { judge: isTie || ofJudge > person ? 1 : 0, person: isTie || person > ofJudge ? 1 : 0, cluster }
    })
    const pValue = testDifferences(
      pairs.map((pair) => ({ value: pair.person - pair.judge, cluster: pair.cluster })),
      epsilon,
    )
    return [
      {
        name,
        instances: own.length,
        judgeAdvantage: meanOf(pairs.map((pair) => pair.judge)),
        personAdvantage: meanOf(pairs.map((pair) => pair.person)),
        pValue,
      },
    ]
  })
  if (compared.length < FEWEST_ANNOTATORS)
    throw new RangeError(
      `${compared.length} of ${names.length} people rated at least ${FEWEST_INSTANCES} answers that others rated too: at least ${FEWEST_ANNOTATORS} people must.`,
    )
  const rejected = rejectBenjaminiYekutieli(
    compared.map(({ pValue }) => pValue),
    falseDiscoveryRate,
  )
  const winningRate = rejected.filter(Boolean).length / compared.length
  return {
    isWorthAPerson: winningRate >= WINNING_RATE,
    winningRate,
    advantage: meanOf(compared.map(({ judgeAdvantage }) => judgeAdvantage)),
    epsilon,
    alignment: used,
    annotators: compared.map((annotator, index) => ({ ...annotator, isBeaten: rejected[index]! })),
  }
}
