import { outcomeSchema, type CellResult, type Outcome, type RunResult } from '../runs/run.ts'
import type { AnswerStyle } from './score.ts'
import { cellStateSchema, type CellState } from '../runs/states.ts'

/**
 * What statistics read: the scores of runs in columns, with no text of any answer. A million cells as objects would take
 * ten times the memory, and handing them to another thread would block this one.
 */
export interface ScoreTable {
  runs: ScoredRun[]
  /** In the order of the suite, followed by those that only occur in results. */
  caseIds: string[]
  /** The index of each case's cluster in `clusterIds`; −1 for a case that is its own. */
  clusters: Int32Array
  /** Variants of one question share a cluster, by its name. */
  clusterIds: string[]
  modelIds: string[]
  judgeIds: string[]
  /** Why cells have no score: the code of an unscored cell, or the outcome of its request. */
  reasons: string[]
  /** The texts of the criteria of rubrics. */
  criteria: string[]
  /** Hosts to which routers sent requests. */
  hosts: string[]
  /** Parameters that were not sent, each list in one text. */
  leftOut: string[]
  cells: CellColumns
  /**
   * Each judge's grade. `panel` is 0 for the whole answer, else the number of the check, from 1, those of groups included. `shift` is how far the
   * cell's score would move if this judge alone had graded.
   */
  grades: Columns<'cell' | 'panel' | 'judge' | 'score' | 'shift'>
  /** Judges of a panel that gave no grade. */
  missingJudges: Columns<'cell' | 'judge'>
  criterionScores: Columns<'cell' | 'criterion' | 'score'>
  /** Answers compared in pairs, each pair once. `judges` read it, `inconsistent` of them differently in the other order. */
  comparisons: Columns<'cell' | 'opponent' | 'score' | 'judges' | 'inconsistent'>
  /** Answers that another reading would score differently: `passes` is 1 if it passes then, 0 if it fails. */
  otherReadings: Columns<'cell' | 'passes'>
  /** How compared answers are written. */
  styles: Columns<'cell' | keyof AnswerStyle>
  /** Of conversations with a simulated user: equal numbers where the user said and did the same. */
  userWords: Columns<'cell' | 'words'>
  /** What people said, without their notes: few cells have it. */
  ratings: ({ cell: number } & Pick<CellResult, 'rating' | 'ratings'>)[]
}

/** A run without its cells. */
export interface ScoredRun extends Omit<RunResult, 'results' | 'testSuiteSnapshot'> {
  /** Absent if its suite is not known. */
  suite?: {
    name: string
    /** Indices in `caseIds`. */
    cases: Uint32Array
    weights: Float64Array
    /** Of each case; absent if none has one. */
    categories?: (string | undefined)[]
    /** In points; see `marginOf`. */
    smallestDifference?: number
  }
}

/** One entry for each cell. */
export interface CellColumns {
  /** Indices in the lists of the table. */
  run: Uint32Array
  case: Uint32Array
  model: Uint32Array
  /** NaN without a score. */
  score: Float64Array
  weight: Float64Array
  /** 1 if the score reaches the pass mark of the case. */
  passed: Uint8Array
  /** Index in `cellStates`. */
  state: Uint8Array
  /** Index in `reasons`; of a cell with a score, it means nothing. */
  reason: Uint32Array
  /** Index in `outcomes` plus one, or 0. */
  outcome: Uint8Array
  /** 1 if there is an answer, scored or not. */
  answered: Uint8Array
  /** 1 if the answer was compared with those of other models. */
  compared: Uint8Array
  /** NaN if unknown. */
  latencyMs: Float64Array
  firstTokenMs: Float64Array
  /** NaN unless the answer came from the cache. */
  cachedAt: Float64Array
  /** US dollars; NaN if unknown. */
  cost: Float64Array
  /** Index in `hosts` plus one, or 0 if nobody says which host answered. */
  host: Uint32Array
  /** Index in the table's `leftOut` plus one, or 0 if everything was sent. */
  leftOut: Uint32Array
}

/** One entry for each grade, comparison and the like, in every column; most runs have none. */
export type Columns<Name extends string> = Record<Name, number[]>

/** The column `state` has the index in this list. */
export const cellStates: readonly CellState[] = cellStateSchema.options

/** The column `outcome` has the index in this list plus one, or 0. */
export const outcomes: readonly Outcome[] = outcomeSchema.options

/** Runs, or the table of their scores. */
export type Scores = ScoreTable | RunResult | readonly RunResult[]

export function stateOf({ cells }: Pick<ScoreTable, 'cells'>, cell: number): CellState {
  return cellStates[cells.state[cell]!]!
}

/** True if the run ended, or was looked at, before the cell had a result: it is neither an answer nor an error. */
export function isNotRun({ cells }: Pick<ScoreTable, 'cells'>, cell: number): boolean {
  const state = stateOf({ cells }, cell)
  return state === 'skipped' || state === 'pending' || state === 'running'
}

/** The rows for which `isKept` holds, in the same order. */
export function selectRows<Name extends string>(
  columns: Columns<Name>,
  isKept: (row: number) => boolean,
): Columns<Name> {
  const kept = { ...columns }
  for (const name in kept) kept[name] = columns[name].filter((_, row) => isKept(row))
  return kept
}

type Column = Uint8Array | Uint32Array | Float64Array

/** Plain loops: `from` with a callback goes through an iterator, which takes ten times as long. */
function fillColumn<Kind extends Column>(column: Kind, values: Column, picked: Uint32Array | undefined): Kind {
  const target: Column = column
  if (picked) for (let index = 0; index < picked.length; index++) target[index] = values[picked[index]!]!
  else target.set(values.subarray(0, target.length))
  return column
}

/** A copy with this many cells: the picked ones, by default the first; further ones are 0. */
export function copyCells(columns: CellColumns, length: number, picked?: Uint32Array): CellColumns {
  const bytes = (values: Uint8Array) => fillColumn(new Uint8Array(length), values, picked)
  const indices = (values: Uint32Array) => fillColumn(new Uint32Array(length), values, picked)
  const numbers = (values: Float64Array) => fillColumn(new Float64Array(length), values, picked)
  return {
    run: indices(columns.run),
    case: indices(columns.case),
    model: indices(columns.model),
    score: numbers(columns.score),
    weight: numbers(columns.weight),
    passed: bytes(columns.passed),
    state: bytes(columns.state),
    reason: indices(columns.reason),
    outcome: bytes(columns.outcome),
    answered: bytes(columns.answered),
    compared: bytes(columns.compared),
    latencyMs: numbers(columns.latencyMs),
    firstTokenMs: numbers(columns.firstTokenMs),
    cachedAt: numbers(columns.cachedAt),
    cost: numbers(columns.cost),
    host: indices(columns.host),
    leftOut: indices(columns.leftOut),
  }
}

/** The table with some of its cells. Its lists stay, so that indices keep their meaning. */
export function selectCells(table: ScoreTable, isKept: (cell: number) => boolean): ScoreTable {
  const length = table.cells.run.length
  const kept = new Uint32Array(length)
  const newIndex = new Int32Array(length).fill(-1)
  let count = 0
  for (let cell = 0; cell < length; cell++) {
    if (!isKept(cell)) continue
    newIndex[cell] = count
    kept[count++] = cell
  }
  const selectDetails = <Name extends string>(columns: Columns<Name | 'cell'>): Columns<Name | 'cell'> => {
    const selected = selectRows(columns, (row) => newIndex[columns.cell[row]!]! >= 0)
    return { ...selected, cell: selected.cell.map((cell) => newIndex[cell]!) }
  }
  return {
    ...table,
    cells: copyCells(table.cells, count, kept.subarray(0, count)),
    grades: selectDetails(table.grades),
    missingJudges: selectDetails(table.missingJudges),
    criterionScores: selectDetails(table.criterionScores),
    comparisons: selectDetails(table.comparisons),
    otherReadings: selectDetails(table.otherReadings),
    styles: selectDetails(table.styles),
    userWords: selectDetails(table.userWords),
    ratings: table.ratings.flatMap(({ cell, ...own }) =>
      newIndex[cell]! < 0 ? [] : [{ cell: newIndex[cell]!, ...own }],
    ),
  }
}

/** The table with the cells of some cases only. What its runs decided holds for all of their cases, and is left out. */
export function selectCases(table: ScoreTable, caseIndices: Iterable<number>): ScoreTable {
  const kept = new Set(caseIndices)
  const selected = selectCells(table, (cell) => kept.has(table.cells.case[cell]!))
  return { ...selected, runs: table.runs.map(({ request: _request, ...run }) => run) }
}
