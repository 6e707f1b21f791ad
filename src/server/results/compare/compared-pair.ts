import {
  listCaseChanges,
  type CaseChanges,
  type ComparedCases,
  type ComparedCell,
} from '../../../report/comparing/case-changes.ts'
import type { ModelPair } from '../../../report/comparing/pair-models.ts'
import { findSuiteChanges, type SuiteChanges } from '../../../report/comparing/suite-changes.ts'
import { readCell, type CaseCell, type CaseTable } from '../cases/case-table.ts'
import type { LoadedSelection } from '../selection/load-selection.ts'

const indexes = new WeakMap<LoadedSelection, Map<string, number>>()

function indexCases(selection: LoadedSelection): Map<string, number> {
  const index = indexes.get(selection) ?? new Map(selection.columns.caseIds.map((id, place) => [id, place]))
  indexes.set(selection, index)
  return index
}

function stateOf({ state, outcome }: CaseCell): ComparedCell['state'] {
  if (state === 'scored' || state === 'partly') return 'scored'
  if (state === 'unscored') return 'unscored'
  return state === 'pending' || outcome === 'cancelled' ? 'not asked' : 'error'
}

function readTableCell(table: CaseTable, caseIndex: number, model: number): ComparedCell | undefined {
  const index = caseIndex * table.models + model
  const isThere = table.expected[index]! + table.scored[index]! + table.unscored[index]! + table.errors[index]! > 0
  if (!isThere) return undefined
  const cell = readCell(table, caseIndex, model)
  return {
    ...(cell.score !== undefined && { score: cell.score }),
    passed: cell.passed ?? 0,
    scored: cell.scored ?? 0,
    state: stateOf(cell),
  }
}

/** One model of a selection, case by case. */
function casesOf(selection: LoadedSelection, modelId: string): ComparedCases {
  const { columns, table } = selection
  const [model, index] = [columns.modelIds.indexOf(modelId), indexCases(selection)]
  return {
    caseIds: columns.caseIds,
    cellOf(caseId) {
      const place = index.get(caseId)
      return place === undefined || model < 0 ? undefined : readTableCell(table, place, model)
    },
  }
}

interface Found {
  suite: SuiteChanges
  /** By pair: the newest few. */
  changes: Map<string, CaseChanges>
}

const found = new WeakMap<LoadedSelection, WeakMap<LoadedSelection, Found>>()

/** Pages of the list, one after another, need the same pair. */
const MAX_PAIRS_KEPT = 8

function findOnce(a: LoadedSelection, b: LoadedSelection): Found {
  const withA = found.get(a) ?? new WeakMap<LoadedSelection, Found>()
  found.set(a, withA)
  const known = withA.get(b) ?? {
    suite: findSuiteChanges({ suite: a.suite, run: a.runs.at(-1) }, { suite: b.suite, run: b.runs.at(-1) }),
    changes: new Map<string, CaseChanges>(),
  }
  withA.set(b, known)
  return known
}

export function findChangesOfSuite(a: LoadedSelection, b: LoadedSelection): SuiteChanges {
  return findOnce(a, b).suite
}

/** What is better and worse for one pair of models, B against A. */
export function findCaseChanges(
  [a, b]: readonly [LoadedSelection, LoadedSelection],
  [modelA, modelB]: ModelPair,
  { isChangedCompared }: { isChangedCompared: boolean },
): CaseChanges {
  const { suite, changes } = findOnce(a, b)
  const key = JSON.stringify([modelA, modelB, isChangedCompared])
  const known =
    changes.get(key) ?? listCaseChanges(casesOf(a, modelA), casesOf(b, modelB), { suite, isChangedCompared })
  changes.delete(key)
  changes.set(key, known)
  if (changes.size > MAX_PAIRS_KEPT) changes.delete(changes.keys().next().value!)
  return known
}
