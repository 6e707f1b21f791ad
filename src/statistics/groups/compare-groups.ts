import { clamp, selectCases, toScoreTable, type Scores, type ScoreTable } from '../../contract/index.ts'
import { compareInSeries, readSeries, type FindCountedCases, type Series } from '../compare-models.ts'
import { meanOf } from '../numbers/weighted-moments.ts'
import { adjustComparisons, type PairedComparison } from '../paired-comparison.ts'
import { combineRepeats, scoresOfModel, type CaseRepeats } from '../run-scores.ts'
import { listDecidedOrders } from '../sequential/drawn-order.ts'
import { poolSamples, type GroupSample, type PooledGroup } from './pool-groups.ts'

/** Two models on the cases of one group. A is the one that is better on all cases together. */
export interface GroupPair extends Pick<
  PairedComparison,
  | 'n'
  | 'clusters'
  | 'meanDiff'
  | 'verdictP'
  | 'verdictTest'
  | 'adjustedP'
  | 'isSignificant'
  | 'shownInterval'
  | 'shownLevel'
  | 'equivalence'
> {
  modelA: string
  modelB: string
  /** The difference drawn towards those of the other groups, of a group with few cases. */
  pooled?: PooledGroup
}

interface ComparedGroup {
  /** Without pairs that share no scored case. */
  pairs: GroupPair[]
  /** The scores drawn towards those of the other groups, by model, of a group with few cases. */
  pooled: Map<string, PooledGroup>
}

export interface GroupsComparison {
  /** In the order of the given groups. */
  groups: ComparedGroup[]
  /** How many verdicts the correction is for: groups × pairs. */
  tests: number
  /** Set if there are too many pairs to compare all: only those with the leader are, corrected for all. */
  leader?: string
}

export interface GroupsOptions {
  /** A difference of at most this, 0 to 1, does not matter. */
  sameWithin?: number | undefined
  findCountedCases?: FindCountedCases | undefined
  /** The pairs in question, such as a model now and earlier; default: every pair, the better model first. */
  pairs?: readonly (readonly [string, string])[] | undefined
}

/** More verdicts than this nobody reads. */
const MAX_TESTS = 1000

/** Pairs of scores; more take seconds. */
const MAX_PAIRED_CASES = 300_000

/** Where a group has this many cases, its own mean says enough. */
const ENOUGH_CASES = 30

/** With two groups nothing shows how far groups vary. */
const FEWEST_GROUPS = 3

/** A case in several groups would count several times when they are pooled: with 3 each, intervals cover as little as 89 %. */
function doOverlap(groups: readonly (readonly number[])[]): boolean {
  const all = groups.flat()
  return new Set(all).size < all.length
}

/** The pooled values of the groups with few cases; `undefined` for the others and for groups without a value. */
function poolSmall(
  samples: readonly (GroupSample | undefined)[],
  [least, most]: readonly [number, number],
): (PooledGroup | undefined)[] {
  const known = samples.flatMap((sample) => (sample && sample.values.length > 0 ? [sample] : []))
  const isSmall = (sample: GroupSample) => sample.values.length < ENOUGH_CASES
  if (known.length < FEWEST_GROUPS || !known.some(isSmall)) return []
  const pooled = poolSamples(known).values()
  const within = (value: number) => clamp(value, least, most)
  return samples.map((sample) => {
    if (sample === undefined || sample.values.length === 0) return undefined
    const { raw, estimate, low, high } = pooled.next().value!
    return isSmall(sample) ? { raw, estimate: within(estimate), low: within(low), high: within(high) } : undefined
  })
}

function sampleOf(cases: readonly CaseRepeats[], valueOf: (one: CaseRepeats) => number): GroupSample {
  return {
    values: cases.map(valueOf),
    weights: cases.map(({ weight }) => weight),
    clusters: cases.map(({ cluster }) => cluster),
  }
}

function sampleScores(table: ScoreTable, modelId: string): GroupSample {
  return sampleOf([...combineRepeats(scoresOfModel(table, modelId)).values()], ({ scores }) => meanOf(scores))
}

function sampleDifferences(
  { repeats }: Series,
  [modelA, modelB]: readonly [string, string],
  counted: ReadonlySet<string> | undefined,
): GroupSample | undefined {
  const [a, b] = [repeats.get(modelA), repeats.get(modelB)]
  if (!a || !b) return undefined
  const shared = [...a.values()].filter(({ testCaseId }) => b.has(testCaseId) && counted?.has(testCaseId) !== false)
  return sampleOf(shared, ({ testCaseId, scores }) => meanOf(scores) - meanOf(b.get(testCaseId)!.scores))
}

/** Every pair, the better model first; only those with the best if all would be too many. */
function choosePairs(
  table: ScoreTable,
  groups: readonly (readonly number[])[],
  given: GroupsOptions['pairs'],
): { names: string[]; all: number; pairs: (readonly [string, string])[]; leader?: string } {
  const models = [...readSeries(table).stats.values()].toSorted((a, b) => b.mean - a.mean)
  const names = models.map(({ modelId }) => modelId)
  if (given) return { names, all: given.length, pairs: [...given] }
  const all = names.flatMap((a, index) => names.slice(index + 1).map((b): [string, string] => [a, b]))
  const cases = groups.reduce((sum, own) => sum + own.length, 0)
  const isTooMany = groups.length * all.length > MAX_TESTS || cases * all.length > MAX_PAIRED_CASES
  const [leader] = names
  return {
    names,
    all: all.length,
    pairs: isTooMany ? all.filter(([a]) => a === leader) : all,
    ...(isTooMany && leader !== undefined && { leader }),
  }
}

/**
 * Which model is better in which group of cases: every pair in every group on the group's own scores, with Holm's
 * correction over groups × pairs and intervals that hold for all of them together. Groups may share cases: Holm's
 * correction needs no independence.
 *
 * Beside them, from 3 groups on that share no case, the partially pooled scores and differences of groups with fewer
 * than 30 cases. No verdict rests on these: of a group picked because it stands out they cover less than they say.
 */
export function compareGroups(
  given: Scores,
  /** Each the indices of its cases in the table. */
  groups: readonly (readonly number[])[],
  { sameWithin, findCountedCases, pairs: givenPairs }: GroupsOptions = {},
): GroupsComparison {
  const table = toScoreTable(given)
  const { names, pairs, all, leader } = choosePairs(table, groups, givenPairs)
  const tables = groups.map((cases) => selectCases(table, cases))
  const series = tables.map(readSeries)
  const options = { comparisons: Math.max(1, groups.length * all), sameWithin, orders: listDecidedOrders(table) }
  const unadjusted = series.flatMap((own) =>
    pairs.map((pair) => {
      const countedCases = findCountedCases?.(...pair)
      return compareInSeries(own, [...pair], { ...options, countedCases })?.unadjusted
    }),
  )
  // Pairs that share no scored case in a group are no test there.
  const possible = unadjusted.filter((comparison) => comparison !== undefined).length
  const tests = leader === undefined ? possible : groups.length * all
  const adjusted = adjustComparisons(unadjusted, { sameWithin, outOf: tests, isWithoutPlans: true })
  const poolable = doOverlap(groups) ? [] : [...series.keys()]
  const pooledPairs = pairs.map((pair) =>
    poolSmall(
      poolable.map((group) => sampleDifferences(series[group]!, pair, findCountedCases?.(...pair))),
      [-1, 1],
    ),
  )
  const pooledScores = names.map((modelId) =>
    poolSmall(
      poolable.map((group) => sampleScores(tables[group]!, modelId)),
      [0, 1],
    ),
  )
  return {
    groups: series.map((_, group) => ({
      pairs: pairs.flatMap(([modelA, modelB], index): GroupPair[] => {
        const paired = adjusted[group * pairs.length + index]
        if (!paired) return []
        const { n, clusters, meanDiff, verdictP, verdictTest, adjustedP, isSignificant, ...rest } = paired
        const { shownInterval, shownLevel, equivalence } = rest
        const pooled = pooledPairs[index]![group]
        return [
          {
            modelA,
            modelB,
            n,
            clusters,
            meanDiff,
            verdictP,
            verdictTest,
            adjustedP,
            isSignificant,
            shownInterval,
            shownLevel,
            ...(equivalence && { equivalence }),
            ...(pooled && { pooled }),
          },
        ]
      }),
      pooled: new Map(
        names.flatMap((modelId, index): [string, PooledGroup][] => {
          const pooled = pooledScores[index]![group]
          return pooled ? [[modelId, pooled]] : []
        }),
      ),
    })),
    tests,
    ...(leader !== undefined && { leader }),
  }
}
