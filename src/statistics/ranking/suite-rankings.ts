import {
  decidingOf,
  readCluster,
  selectCells,
  toScoreTable,
  type RunResult,
  type ScoreTable,
  type Suite,
} from '../../contract/index.ts'
import { compareAllModels, rankModels, type ModelComparison } from '../compare-models.ts'
import { caseInterval } from '../intervals/case-interval.ts'
import { hashText } from '../numbers/random.ts'
import { meanOf, sameScoreTolerance, weightedMoments } from '../numbers/weighted-moments.ts'
import { collectRepeats, type RepeatsByCase } from '../run-scores.ts'
import { rateModels } from './model-ratings.ts'
import type { RankRange } from './ranks.ts'

export interface RankedModel {
  modelId: string
  /** Elo-style, around 1000 for the mean of the models in its group. */
  rating: number
  low: number
  high: number
  /** By the paired comparisons over all cases; a range. */
  rank?: RankRange
  /** Cases with a score. */
  cases: number
}

/** Two models on the cases that both have. */
export interface HeadToHead {
  modelA: string
  modelB: string
  /** Cases on which the mean score of A over its runs is higher. */
  wins: number
  ties: number
  losses: number
  n: number
  /** The weighted share of points of A, a tie half, with its 95 % interval over more such cases; absent if n is 0. */
  share?: { mean: number; low: number; high: number }
  /** The difference of scores; absent if n is 0. */
  comparison?: ModelComparison
}

/** Ratings over a part of the cases or of the time: 1000 is the mean of the models in it. */
export interface PartialRanking {
  name: string
  models: RankedModel[]
  cases: number
}

export type WeighSuites = 'suites' | 'cases'

export interface Rankings {
  /** Group by group, best first: each group has ratings and ranks of its own. */
  models: RankedModel[]
  pairs: HeadToHead[]
  /** With how many clusters their cases are in: what counts as independent. */
  suites: { name: string; cases: number; clusters: number; runs: number }[]
  categories: PartialRanking[]
  /** By the month in which the runs started, oldest first. */
  months: PartialRanking[]
  /** Models that are linked by cases, directly or through others, the largest group first; ratings across groups mean nothing. */
  groups: string[][]
  /** Runs that may have stopped because of what they saw, which would favour whoever was ahead. */
  leftOut: number
}

type Case = Suite['testCases'][number]

const suiteKeyOf = ({ testSuiteSnapshot, testSuiteName, testSuiteId, id }: RunResult) =>
  testSuiteSnapshot?.name ?? testSuiteName ?? testSuiteId ?? id

/**
 * A case whose content changed is another case; its metadata, weight and cluster do not change it. So is one whose answers
 * were compared in pairs with those of other models: their scores only say how each did among these.
 */
function nameCase(suite: string, id: string, testCase: Case | undefined, field: readonly string[]): string {
  const { metadata: _metadata, weight: _weight, cluster: _cluster, ...content } = testCase ?? {}
  const name = [suite, id, testCase ? hashText(JSON.stringify(content)) : 0]
  return JSON.stringify(field.length === 0 ? name : [...name, ...field])
}

/** By case, the models whose answers were compared with each other. */
function findFields({ results }: RunResult): ReadonlyMap<string, string[]> {
  const compared = results.filter(({ score }) => score?.comparisons)
  return new Map(
    Array.from(
      Map.groupBy(compared, ({ testCaseId }) => testCaseId),
      ([id, answers]) => [id, answers.map(({ modelId }) => modelId).sort()],
    ),
  )
}

interface Merged {
  table: ScoreTable
  /** Of each case by its new name. */
  categoryOf: ReadonlyMap<string, string>
  suites: Rankings['suites']
}

/** Makes the runs of all suites runs of one large suite, in which cases of different suites have different names. */
function mergeSuites(runs: readonly RunResult[], weigh: WeighSuites): Merged {
  const categoryOf = new Map<string, string>()
  const suites: Rankings['suites'] = []
  const merged = [...Map.groupBy(runs, suiteKeyOf)].flatMap(([suite, own]) => {
    const weights = new Map<string, number>()
    const clusters = new Map<string, string>()
    const renamed = own.map((run) => {
      const cases = new Map((run.testSuiteSnapshot?.testCases ?? []).map((testCase) => [testCase.id, testCase]))
      const fields = findFields(run)
      const results = run.results.map((result) => {
        const testCase = cases.get(result.testCaseId)
        const name = nameCase(suite, result.testCaseId, testCase, fields.get(result.testCaseId) ?? [])
        weights.set(name, testCase?.weight ?? 1)
        const cluster = testCase && readCluster(testCase, run.testSuiteSnapshot?.clusterBy)
        if (cluster !== undefined) clusters.set(name, JSON.stringify([suite, cluster]))
        const category = testCase?.metadata?.['category']
        if (typeof category === 'string') categoryOf.set(name, category)
        return { ...result, testCaseId: name }
      })
      return {
        id: run.id,
        models: run.models,
        results,
        ...(run.startedAt !== undefined && { startedAt: run.startedAt }),
      }
    })
    const groups = weights.size - clusters.size + new Set(clusters.values()).size
    suites.push({ name: suite, cases: weights.size, clusters: groups, runs: own.length })
    const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0)
    const scale = weigh === 'suites' ? 1 / total : weights.size / total
    const testCases = Array.from(weights, ([id, weight]) => ({
      id,
      prompt: '',
      scoringMethod: 'exact-match',
      weight: weight * scale,
      ...(clusters.has(id) && { cluster: clusters.get(id)! }),
    }))
    return renamed.map((run): RunResult => ({ ...run, testSuiteSnapshot: { name: suite, testCases } }))
  })
  return { table: toScoreTable(merged), categoryOf, suites }
}

/** Each group by itself: a common scale would be arbitrary, and its intervals would be far too wide. */
function rate(table: ScoreTable, groups: readonly string[][], comparisons?: readonly ModelComparison[]): RankedModel[] {
  if (groups.length === 1) return rateGroup(table, comparisons)
  return groups.flatMap((group) => {
    const members = new Set(group.map((modelId) => table.modelIds.indexOf(modelId)))
    return rateGroup(
      selectCells(table, (cell) => members.has(table.cells.model[cell]!)),
      comparisons,
    )
  })
}

/** Ranks are among the models that have a rating: one that met no other has none. */
function rateGroup(table: ScoreTable, comparisons: readonly ModelComparison[] = []): RankedModel[] {
  const repeats = collectRepeats(table)
  const rated = rateModels(table)
  const ranks =
    comparisons.length === 0
      ? undefined
      : rankModels(
          rated.map(({ id }) => id),
          comparisons,
        )
  return rated.map(({ id, rating, low, high }) => {
    const rank = ranks?.get(id)
    return { modelId: id, rating, low, high, ...(rank && { rank }), cases: repeats.get(id)?.size ?? 0 }
  })
}

function meet(
  [modelA, a]: [string, RepeatsByCase],
  [modelB, b]: [string, RepeatsByCase],
  comparisons: readonly ModelComparison[],
): HeadToHead {
  const outcomes: number[] = []
  const weights: number[] = []
  const clusters: (string | undefined)[] = []
  for (const { testCaseId, scores, weight, cluster } of a.values()) {
    const other = b.get(testCaseId)
    if (!other) continue
    const difference = meanOf(scores) - meanOf(other.scores)
    outcomes.push(Math.abs(difference) <= sameScoreTolerance ? 0.5 : difference > 0 ? 1 : 0)
    weights.push(weight)
    clusters.push(cluster ?? other.cluster)
  }
  const count = (outcome: number) => outcomes.filter((one) => one === outcome).length
  const comparison = comparisons.find(
    (one) => (one.modelA === modelA && one.modelB === modelB) || (one.modelA === modelB && one.modelB === modelA),
  )
  const games = { modelA, modelB, wins: count(1), ties: count(0.5), losses: count(0), n: outcomes.length }
  if (outcomes.length === 0) return games
  const { low, high } = caseInterval(outcomes, weights, clusters)
  const { mean } = weightedMoments(outcomes, weights)
  return { ...games, share: { mean, low, high }, ...(comparison?.paired && { comparison }) }
}

/** Groups of models that are linked by cases that both have. */
function findGroups(models: readonly string[], pairs: readonly HeadToHead[]): string[][] {
  const groupOf = new Map(models.map((modelId) => [modelId, new Set([modelId])]))
  for (const { modelA, modelB, n } of pairs) {
    const [one, two] = [groupOf.get(modelA)!, groupOf.get(modelB)!]
    if (n === 0 || one === two) continue
    for (const modelId of two) groupOf.set(modelId, one.add(modelId))
  }
  return [...new Set(groupOf.values())].map((group) => [...group]).toSorted((a, b) => b.length - a.length)
}

/** Fewer cases say nothing about a part: the intervals would span thousands of points. */
const FEWEST_CASES = 5

/** Ratings over the cells of each part; a cell without a name is in none. */
function rateParts(
  table: ScoreTable,
  groups: readonly string[][],
  nameOf: (cell: number) => string | undefined,
): PartialRanking[] {
  const names = Array.from(table.cells.run.keys(), nameOf)
  const parts = new Set(names.filter((name) => name !== undefined))
  return [...parts]
    .map((name) => {
      const part = selectCells(table, (cell) => names[cell] === name)
      return { name, models: rate(part, groups), cases: new Set(part.cells.case).size }
    })
    .filter(({ models, cases }) => models.length > 1 && cases >= FEWEST_CASES)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/**
 * Ranks models over the runs of any suites. On each case every two models that have a score play one game, won by the
 * higher mean over their runs: repeats make a score more exact, they are no further cases. The games of a case are one
 * cluster. Suites weigh alike, or by their numbers of cases.
 */
export function buildRankings(
  given: readonly RunResult[],
  { weigh = 'suites' }: { weigh?: WeighSuites | undefined } = {},
): Rankings {
  const usable = given.filter(({ request }) => !request || !decidingOf(request))
  const merged = mergeSuites(usable, weigh)
  const { table } = merged
  const comparisons = compareAllModels(table)
  const repeats = [...collectRepeats(table)]
  const months = table.runs.map(({ startedAt }) =>
    startedAt === undefined ? undefined : new Date(startedAt).toISOString().slice(0, 7),
  )
  const pairs = repeats.flatMap((a, index) => repeats.slice(index + 1).map((b) => meet(a, b, comparisons)))
  const groups = findGroups(
    repeats.map(([modelId]) => modelId),
    pairs,
  )
  return {
    models: rate(table, groups, comparisons),
    pairs,
    suites: merged.suites,
    categories: rateParts(table, groups, (cell) => merged.categoryOf.get(table.caseIds[table.cells.case[cell]!]!)),
    months: rateParts(table, groups, (cell) => months[table.cells.run[cell]!]),
    groups,
    leftOut: given.length - usable.length,
  }
}
