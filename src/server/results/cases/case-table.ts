import {
  isNotRun,
  outcomes,
  stateOf as stateOfCell,
  type CellState,
  type Outcome,
  type ScoreTable,
} from '../../../contract/index.ts'
import { createPauses } from '../selection/pauses.ts'

export interface CaseCell {
  /** Mean over the runs with a score. */
  score?: number
  /** Lowest and highest over several runs. */
  spread?: [number, number]
  /** How many of the `scored` answers passed; absent without a score. */
  passed?: number
  scored?: number
  /** How many runs ask it, if only some of them have a score. */
  expected?: number
  state: CellState
  outcome?: Outcome
  isRated?: boolean
}

/** Cases × models over all runs, in case order: index `case · models + model`. */
export interface CaseTable {
  cases: number
  models: number
  /** The number of runs that ask it. */
  expected: Uint16Array
  /** Over the runs with a score; NaN if there is none. */
  means: Float64Array
  lowest: Float64Array
  highest: Float64Array
  scored: Uint16Array
  passed: Uint16Array
  unscored: Uint16Array
  errors: Uint16Array
  /** Outcome of the last result, as in the table of scores. */
  lastOutcome: Uint8Array
  isRated: Uint8Array
  /** Another reading of an answer would change its score. */
  isDoubtful: Uint8Array
}

async function countExpected({ caseIds, modelIds, runs, cells }: ScoreTable): Promise<Uint16Array> {
  const expected = new Uint16Array(caseIds.length * modelIds.length)
  const pauses = createPauses()
  for (const [index, run] of runs.entries()) {
    const models = run.models.map((modelId) => modelIds.indexOf(modelId))
    const asked = run.suite?.cases ?? new Set(cells.case.filter((_, cell) => cells.run[cell] === index))
    for (const caseIndex of asked) {
      for (const model of models) expected[caseIndex * modelIds.length + model]! += 1
      if (caseIndex % 1000 === 0 && pauses.isDue()) await pauses.take()
    }
  }
  return expected
}

export async function createCaseTable(scores: ScoreTable): Promise<CaseTable> {
  const { caseIds, modelIds, cells } = scores
  const size = caseIds.length * modelIds.length
  const sums = new Float64Array(size)
  const table: CaseTable = {
    cases: caseIds.length,
    models: modelIds.length,
    expected: await countExpected(scores),
    means: new Float64Array(size),
    lowest: new Float64Array(size).fill(Number.POSITIVE_INFINITY),
    highest: new Float64Array(size).fill(Number.NEGATIVE_INFINITY),
    scored: new Uint16Array(size),
    passed: new Uint16Array(size),
    unscored: new Uint16Array(size),
    errors: new Uint16Array(size),
    lastOutcome: new Uint8Array(size),
    isRated: new Uint8Array(size),
    isDoubtful: new Uint8Array(size),
  }
  const pauses = createPauses()
  for (let cell = 0; cell < cells.run.length; cell++) {
    const index = cells.case[cell]! * table.models + cells.model[cell]!
    const state = stateOfCell(scores, cell)
    if (state === 'scored') {
      const score = cells.score[cell]!
      sums[index]! += score
      table.scored[index]! += 1
      table.passed[index]! += cells.passed[cell]!
      if (score < table.lowest[index]!) table.lowest[index] = score
      if (score > table.highest[index]!) table.highest[index] = score
    } else if (state === 'unscored') table.unscored[index]! += 1
    else if (state === 'error') table.errors[index]! += 1
    if (!isNotRun(scores, cell) && cells.outcome[cell] !== 0) table.lastOutcome[index] = cells.outcome[cell]!
    if (cell % 1000 === 0 && pauses.isDue()) await pauses.take()
  }
  const indexOf = (cell: number) => cells.case[cell]! * table.models + cells.model[cell]!
  for (const { cell } of scores.ratings) table.isRated[indexOf(cell)] = 1
  for (const cell of scores.otherReadings.cell) table.isDoubtful[indexOf(cell)] = 1
  for (let index = 0; index < size; index++) table.means[index] = sums[index]! / table.scored[index]!
  return table
}

function cellStateAt({ scored, unscored, errors }: CaseTable, index: number, isLive: boolean): CellState {
  if (scored[index]! > 0) return 'scored'
  if (unscored[index]! > 0) return 'unscored'
  return errors[index]! > 0 ? 'error' : isLive ? 'pending' : 'skipped'
}

/** `isLive`: a cell without a result may still get one. */
export function readCell(
  table: CaseTable,
  [caseIndex, model]: readonly [caseIndex: number, model: number],
  { isLive }: { isLive: boolean },
): CaseCell {
  const index = caseIndex * table.models + model
  const outcome = outcomes[table.lastOutcome[index]! - 1]
  const state = cellStateAt(table, index, isLive)
  return {
    ...(table.scored[index]! > 0 && {
      score: table.means[index]!,
      passed: table.passed[index]!,
      scored: table.scored[index]!,
    }),
    ...(table.scored[index]! > 1 && { spread: [table.lowest[index]!, table.highest[index]!] }),
    state,
    ...(state === 'scored' && table.scored[index]! < table.expected[index]! && { expected: table.expected[index]! }),
    ...(outcome !== undefined && { outcome }),
    ...(table.isRated[index] === 1 && { isRated: true }),
  }
}

/** The lowest and highest mean of any model on a case, and that of all models; `undefined` if none has a score. */
export function scoresOfCase(
  { means, models }: CaseTable,
  caseIndex: number,
): { worst: number; best: number; mean: number } | undefined {
  let [worst, best, sum, scored] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0]
  for (let index = caseIndex * models; index < (caseIndex + 1) * models; index++) {
    const mean = means[index]!
    if (Number.isNaN(mean)) continue
    sum += mean
    scored++
    if (mean < worst) worst = mean
    if (mean > best) best = mean
  }
  return scored === 0 ? undefined : { worst, best, mean: sum / scored }
}
