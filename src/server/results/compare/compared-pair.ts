import {
  listCaseChanges,
  type CaseChanges,
  type ComparedCases,
  type ComparedCell,
} from '../../../report/comparing/case-changes.ts'
import { readPrompts } from '../../../report/model/contestants/templates.ts'
import type { ModelPair } from '../../../report/comparing/pair-models.ts'
import { compareSuites, type SuiteChanges } from '../../../report/comparing/suite-changes.ts'
import type { ModelComparison } from '../../../statistics/index.ts'
import { readCell, type CaseTable } from '../cases/case-table.ts'
import { runJobIn, startThread } from '../selection/background-thread.ts'
import { isLarge, isLongToCompare, type LoadedSelection } from '../selection/load-selection.ts'
import { createPauses } from '../selection/pauses.ts'
import type { PairedScores } from '../../../report/comparing/compare-runs.ts'

const indexes = new WeakMap<LoadedSelection, Map<string, number>>()

function indexCases(selection: LoadedSelection): Map<string, number> {
  const index = indexes.get(selection) ?? new Map(selection.scores.caseIds.map((id, place) => [id, place]))
  indexes.set(selection, index)
  return index
}

function readTableCell(table: CaseTable, caseIndex: number, model: number): ComparedCell | undefined {
  const index = caseIndex * table.models + model
  const isThere = table.expected[index]! + table.scored[index]! + table.unscored[index]! + table.errors[index]! > 0
  if (!isThere) return undefined
  const cell = readCell(table, [caseIndex, model], { isLive: false })
  return {
    ...(cell.score !== undefined && { score: cell.score }),
    passed: cell.passed ?? 0,
    scored: cell.scored ?? 0,
    state: cell.state,
  }
}

/** One model of a selection, case by case. */
function casesOf(selection: LoadedSelection, modelId: string): ComparedCases {
  const { scores, table } = selection
  const [model, index] = [scores.modelIds.indexOf(modelId), indexCases(selection)]
  return {
    caseIds: scores.caseIds,
    cellOf(caseId) {
      const place = index.get(caseId)
      const cell = place === undefined || model < 0 ? undefined : readTableCell(table, place, model)
      return cell && { ...cell, cluster: scores.clusterIds[scores.clusters[place!]!] }
    },
  }
}

/** The comparisons of pairs, and what to warn of beside them. */
interface ComparedPairs {
  comparisons: (ModelComparison | undefined)[]
  warning: string | undefined
}

/** What is known about two selections; forgotten with them. */
interface Found {
  suite: Promise<SuiteChanges>
  /** By pair: the newest few. */
  changes: Map<string, CaseChanges>
  /** By what was compared: the newest few. */
  comparisons: Map<string, Promise<ComparedPairs>>
}

const found = new WeakMap<LoadedSelection, WeakMap<LoadedSelection, Found>>()

/** Pages of the list, one after another, need the same pair. */
const MAX_KEPT = 8

/** Comparing suites with very many cases takes a few tenths of a second. */
async function findSuiteChanges(a: LoadedSelection, b: LoadedSelection): Promise<SuiteChanges> {
  const steps = compareSuites(
    { suite: a.suite, run: a.scores.runs.at(-1) },
    { suite: b.suite, run: b.scores.runs.at(-1) },
  )
  const pauses = createPauses()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    if (pauses.isDue()) await pauses.take()
  }
}

function findOnce(a: LoadedSelection, b: LoadedSelection): Found {
  const withA = found.get(a) ?? new WeakMap<LoadedSelection, Found>()
  found.set(a, withA)
  const known = withA.get(b) ?? { suite: findSuiteChanges(a, b), changes: new Map(), comparisons: new Map() }
  withA.set(b, known)
  return known
}

function keep<Value>(kept: Map<string, Value>, key: string, create: () => Value): Value {
  const value = kept.get(key) ?? create()
  kept.delete(key)
  kept.set(key, value)
  if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!)
  return value
}

export function findChangesOfSuite(a: LoadedSelection, b: LoadedSelection): Promise<SuiteChanges> {
  return findOnce(a, b).suite
}

/** The comparisons of the pairs, in a thread if there are very many cells. */
export function compareOnce(
  a: LoadedSelection,
  b: LoadedSelection,
  job: Omit<PairedScores, 'before' | 'after'>,
): Promise<ComparedPairs> {
  const { comparisons } = findOnce(a, b)
  const key = JSON.stringify([job.pairs, job.leaveOut.length, job.sameWithin])
  return keep(comparisons, key, () => {
    const compared = compareNow(a, b, job)
    // A failed comparison is tried again.
    compared.catch(() => comparisons.delete(key))
    return compared
  })
}

async function compareNow(
  a: LoadedSelection,
  b: LoadedSelection,
  job: Omit<PairedScores, 'before' | 'after'>,
): Promise<ComparedPairs> {
  const prompts = readPrompts([...a.suites, ...b.suites])
  const isLong = isLarge([...a.summaries, ...b.summaries]) || isLongToCompare(prompts)
  const thread = isLong ? startThread() : undefined
  let compared: ComparedPairs = { comparisons: [], warning: undefined }
  await runJobIn(
    thread,
    { kind: 'compare', input: { before: a.scores, after: b.scores, ...job, prompts } },
    (result) => {
      if (result.part === 'compared') compared = { comparisons: result.comparisons, warning: result.warning }
    },
  )
  return compared
}

/** What is better and worse for one pair of models, B against A. */
export async function findCaseChanges(
  [a, b]: readonly [LoadedSelection, LoadedSelection],
  [modelA, modelB]: ModelPair,
  { isChangedCompared }: { isChangedCompared: boolean },
): Promise<CaseChanges> {
  const { suite: pending, changes } = findOnce(a, b)
  const suite = await pending
  return keep(changes, JSON.stringify([modelA, modelB, isChangedCompared]), () =>
    listCaseChanges(casesOf(a, modelA), casesOf(b, modelB), { suite, isChangedCompared }),
  )
}
