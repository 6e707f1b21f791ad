import type { ModelComparison } from '../../../statistics/index.ts'
import type { Standings } from '../../../report/model/standings.ts'
import { runJobIn, startThread } from '../selection/background-thread.ts'
import { isLarge, type LoadedSelection } from '../selection/load-selection.ts'
import type { PairedResult } from './compare-selections.ts'
import { createPauses } from '../selection/pauses.ts'

/** GET /api/compare?a=SELECTION&b=SELECTION: the same models on the same cases, before and after. */
export interface RunsComparison {
  a: { title: string; runs: string[]; startedAt?: number }
  b: { title: string; runs: string[]; startedAt?: number }
  models: {
    modelId: string
    meanA: number
    meanB: number
    passedA: PassedOf
    passedB: PassedOf
    /** B − A, paired over the cases both have. */
    comparison?: ModelComparison
    sentence: string
    /** Largest changes first, limited in number: `betterCount` and `worseCount` are the totals. */
    better: ChangedCase[]
    worse: ChangedCase[]
    betterCount: number
    worseCount: number
    unchanged: number
  }[]
  onlyInA: { models: string[]; cases: number }
  onlyInB: { models: string[]; cases: number }
}

/** How many scored answers passed. */
interface PassedOf {
  passed: number
  count: number
}

export interface ChangedCase {
  id: string
  title: string
  before: number
  after: number
}

/** Scores closer than this differ only by rounding. */
const ROUNDING = 1e-9

/** Changed cases listed for all models together: more would not fit in a reply or help a reader. */
const MAX_LISTED = 1600
const MAX_TITLE_LENGTH = 120

function describeSide({ suite, runs, ids }: LoadedSelection): RunsComparison['a'] {
  const [first] = runs
  return {
    title: (suite?.name ?? first?.testSuiteName ?? `Run ${ids[0]}`).slice(0, 500),
    runs: ids,
    ...(first?.startedAt !== undefined && { startedAt: first.startedAt }),
  }
}

interface Changes {
  better: Omit<ChangedCase, 'title'>[]
  worse: Omit<ChangedCase, 'title'>[]
  unchanged: number
}

/** The cases with a score in both, largest changes first. */
function listChanges(a: LoadedSelection, b: LoadedSelection, modelId: string): Changes {
  const [indexA, indexB] = [a.columns.modelIds.indexOf(modelId), b.columns.modelIds.indexOf(modelId)]
  const indexInA = indexCases(a)
  const changes: Changes = { better: [], worse: [], unchanged: 0 }
  for (const [index, id] of b.columns.caseIds.entries()) {
    const caseInA = indexInA.get(id)
    if (caseInA === undefined) continue
    const before = a.table.means[caseInA * a.table.models + indexA]!
    const after = b.table.means[index * b.table.models + indexB]!
    if (Number.isNaN(before) || Number.isNaN(after)) continue
    if (Math.abs(after - before) <= ROUNDING) changes.unchanged += 1
    else (after > before ? changes.better : changes.worse).push({ id, before, after })
  }
  changes.better.sort((left, right) => right.after - right.before - (left.after - left.before))
  changes.worse.sort((left, right) => left.after - left.before - (right.after - right.before))
  return changes
}

const indexes = new WeakMap<LoadedSelection, Map<string, number>>()

function indexCases(selection: LoadedSelection): Map<string, number> {
  const index = indexes.get(selection) ?? new Map(selection.columns.caseIds.map((id, place) => [id, place]))
  indexes.set(selection, index)
  return index
}

function describeOnly(own: LoadedSelection, other: LoadedSelection): RunsComparison['onlyInA'] {
  const otherCases = indexCases(other)
  return {
    models: own.columns.modelIds.filter((modelId) => !other.columns.modelIds.includes(modelId)),
    cases: own.columns.caseIds.filter((id) => !otherCases.has(id)).length,
  }
}

function countPassed({ series }: Pick<Standings, 'series'>, modelId: string): PassedOf {
  const { passed, count } = series.get(modelId)!
  return { passed, count }
}

/** Compares the same models on the same cases, before and after. */
export async function createRunsComparison(
  a: LoadedSelection,
  b: LoadedSelection,
  { smallestDifference }: { smallestDifference?: number | undefined } = {},
): Promise<RunsComparison> {
  const [standingsA, standingsB] = [await a.results.standings, await b.results.standings]
  const models = standingsB.rows.flatMap(({ modelId, score }) =>
    score && standingsA.series.has(modelId) ? [modelId] : [],
  )
  const thread = isLarge([...a.summaries, ...b.summaries]) ? startThread() : undefined
  let pairs: PairedResult[] = []
  await runJobIn(
    thread,
    { kind: 'compare', input: { a: a.columns, b: b.columns, models, smallestDifference } },
    (result) => {
      if (result.part === 'compared') pairs = result.pairs
    },
  )
  const maxPerList = Math.max(5, Math.floor(MAX_LISTED / 2 / Math.max(1, models.length)))
  const show = (changed: Changes['better']) =>
    changed.slice(0, maxPerList).map((change) => ({ ...change, title: b.titleOf(change.id, MAX_TITLE_LENGTH) }))
  const pauses = createPauses()
  const compared: RunsComparison['models'] = []
  for (const { modelId, comparison, sentence } of pairs) {
    const { better, worse, unchanged } = listChanges(a, b, modelId)
    compared.push({
      modelId,
      meanA: standingsA.series.get(modelId)!.mean,
      meanB: standingsB.series.get(modelId)!.mean,
      passedA: countPassed(standingsA, modelId),
      passedB: countPassed(standingsB, modelId),
      ...(comparison && { comparison }),
      sentence,
      better: show(better),
      worse: show(worse),
      betterCount: better.length,
      worseCount: worse.length,
      unchanged,
    })
    if (pauses.isDue()) await pauses.take()
  }
  return {
    a: describeSide(a),
    b: describeSide(b),
    models: compared,
    onlyInA: describeOnly(a, b),
    onlyInB: describeOnly(b, a),
  }
}
