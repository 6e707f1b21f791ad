import type { Outcome } from '../../../contract/index.ts'
import { PASS_MARK } from '../../../report/model/standings.ts'
import { outcomes, type Columns } from '../selection/run-columns.ts'
import { createPauses } from '../selection/pauses.ts'

export interface CaseCell {
  /** Mean over the runs that have a score. */
  score?: number
  /** Smallest and largest over repeats, when there are several. */
  spread?: [number, number]
  state: 'scored' | 'partly' | 'unscored' | 'error' | 'pending'
  outcome?: Outcome
  isRated?: boolean
}

/** Scores that pass but for rounding pass. */
const ALLOWANCE = 1e-9

/** Cases × models over all runs, case by case: place `case · models + model`. */
export interface CaseTable {
  cases: number
  models: number
  /** In how many runs it is asked. */
  expected: Uint16Array
  /** Over the runs with a score; NaN where there is none. */
  means: Float64Array
  lowest: Float64Array
  highest: Float64Array
  scored: Uint16Array
  passed: Uint16Array
  unscored: Uint16Array
  errors: Uint16Array
  /** Of the last result; place in `outcomes` plus one. */
  lastOutcome: Uint8Array
  isRated: Uint8Array
}

async function countExpected({
  caseIds,
  modelIds,
  runs,
}: Pick<Columns, 'caseIds' | 'modelIds' | 'runs'>): Promise<Uint16Array> {
  const expected = new Uint16Array(caseIds.length * modelIds.length)
  const pauses = createPauses()
  for (const { asked, run } of runs) {
    const models = run.models.map((modelId) => modelIds.indexOf(modelId))
    for (const caseIndex of asked) {
      for (const model of models) expected[caseIndex * modelIds.length + model]! += 1
      if (caseIndex % 1000 === 0 && pauses.isDue()) await pauses.take()
    }
  }
  return expected
}

export async function createCaseTable({ caseIds, modelIds, runs }: Columns): Promise<CaseTable> {
  const size = caseIds.length * modelIds.length
  const sums = new Float64Array(size)
  const table: CaseTable = {
    cases: caseIds.length,
    models: modelIds.length,
    expected: await countExpected({ caseIds, modelIds, runs }),
    means: new Float64Array(size),
    lowest: new Float64Array(size).fill(Number.POSITIVE_INFINITY),
    highest: new Float64Array(size).fill(Number.NEGATIVE_INFINITY),
    scored: new Uint16Array(size),
    passed: new Uint16Array(size),
    unscored: new Uint16Array(size),
    errors: new Uint16Array(size),
    lastOutcome: new Uint8Array(size),
    isRated: new Uint8Array(size),
  }
  const pauses = createPauses()
  for (const run of runs)
    for (let cell = 0; cell < run.cases.length; cell++) {
      const place = run.cases[cell]! * table.models + run.models[cell]!
      const score = run.scores[cell]!
      if (!Number.isNaN(score)) {
        sums[place]! += score
        table.scored[place]! += 1
        if (score >= PASS_MARK - ALLOWANCE) table.passed[place]! += 1
        if (score < table.lowest[place]!) table.lowest[place] = score
        if (score > table.highest[place]!) table.highest[place] = score
      } else if (run.codes[cell] === 0) table.errors[place]! += 1
      else table.unscored[place]! += 1
      if (run.outcomes[cell] !== 0) table.lastOutcome[place] = run.outcomes[cell]!
      if (run.isRated[cell] === 1) table.isRated[place] = 1
      if (cell % 1000 === 0 && pauses.isDue()) await pauses.take()
    }
  for (let place = 0; place < size; place++) table.means[place] = sums[place]! / table.scored[place]!
  return table
}

function stateOf({ scored, unscored, errors, expected }: CaseTable, place: number): CaseCell['state'] {
  if (scored[place]! > 0) return scored[place]! < expected[place]! ? 'partly' : 'scored'
  if (unscored[place]! > 0) return 'unscored'
  return errors[place]! > 0 ? 'error' : 'pending'
}

export function readCell(table: CaseTable, caseIndex: number, model: number): CaseCell {
  const place = caseIndex * table.models + model
  const outcome = outcomes[table.lastOutcome[place]! - 1]
  return {
    ...(table.scored[place]! > 0 && { score: table.means[place]! }),
    ...(table.scored[place]! > 1 && { spread: [table.lowest[place]!, table.highest[place]!] }),
    state: stateOf(table, place),
    ...(outcome !== undefined && { outcome }),
    ...(table.isRated[place] === 1 && { isRated: true }),
  }
}

/** The smallest and largest mean that a model reached on a case; `undefined` when none has a score. */
export function rangeOfCase(
  { means, models }: CaseTable,
  caseIndex: number,
): { worst: number; best: number } | undefined {
  let [worst, best] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let place = caseIndex * models; place < (caseIndex + 1) * models; place++) {
    const mean = means[place]!
    if (mean < worst) worst = mean
    if (mean > best) best = mean
  }
  return worst === Number.POSITIVE_INFINITY ? undefined : { worst, best }
}

export function passes(mean: number): boolean {
  return mean >= PASS_MARK - ALLOWANCE
}
