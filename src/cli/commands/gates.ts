import { isSettled, isSkipped, type CellResult, type RunResult } from '../../contract/index.ts'
import { compareWithEarlier, multiRunStats } from '../../statistics/index.ts'
import { findRunChanges } from '../../report/comparing/compare-runs.ts'
import { describeChangedCases, formatCount, formatDifference, formatP, formatScore } from '../../report/words/index.ts'

/** What a run must achieve to pass in continuous integration. */
export interface Gates {
  /** 0 to 100, for each model. */
  failUnder?: number | undefined
  /** Runs that no model may be significantly worse than. */
  baseline?: RunResult[] | undefined
  /** How many unscored or errored cells are allowed. */
  allowMissing: number
}

/** True if the run left the cell out because it could not change what the run was to decide. */
export function isLeftOut({ stopReason }: RunResult, cell: CellResult): boolean {
  return stopReason === 'decided' && isSkipped(cell)
}

export interface CheckedGates {
  /** A sentence each; none if the run passes. */
  failures: string[]
  /** What the gates did not count. */
  notes: string[]
}

function checkBaseline(runs: readonly RunResult[], baseline: readonly RunResult[]): CheckedGates {
  const models = [...new Set(runs.flatMap((run) => run.models))]
  const baselineModels = new Set(baseline.flatMap((run) => run.models))
  const compared = models.filter((model) => baselineModels.has(model))
  const { changed } = findRunChanges(baseline, runs)
  const comparisons = compareWithEarlier(runs, baseline, compared, { leaveOut: new Set(changed.keys()) })
  const isPaired = runs.some(({ results }) => results.some(({ score }) => score?.comparisons))
  const failures = models.flatMap((model) => {
    if (!baselineModels.has(model)) return [`${model} is not in the baseline, so it cannot be compared with it`]
    const paired = comparisons.get(model)?.paired
    if (!paired)
      return [
        `${model} shares no scored case with the baseline${isPaired ? '; answers that are compared in pairs have a score only within their run' : ''}`,
      ]
    const { meanDiff, isSignificant, adjustedP } = paired
    if (!isSignificant || meanDiff > 0) return []
    return [
      `${model} is significantly worse than the baseline: ${formatDifference(meanDiff)} points (${formatP(adjustedP)}${compared.length > 1 ? `, corrected for ${formatCount(compared.length, 'model')}` : ''})`,
    ]
  })
  return { failures, notes: describeChangedCases(changed) }
}

export function checkGates(runs: readonly RunResult[], { failUnder, baseline, allowMissing }: Gates): CheckedGates {
  const failures: string[] = []
  const notes: string[] = []
  if (failUnder !== undefined) {
    const stats = multiRunStats(runs)
    for (const model of new Set(runs.flatMap((run) => run.models))) {
      const mean = stats.get(model)?.overCases.mean
      if (mean === undefined) failures.push(`${model} has no score at all`)
      else if (mean * 100 < failUnder - 1e-9)
        failures.push(`${model} scored ${formatScore(mean)}, below the required ${failUnder}`)
    }
  }
  if (baseline) {
    const checked = checkBaseline(runs, baseline)
    failures.push(...checked.failures)
    notes.push(...checked.notes)
  }
  if (failUnder !== undefined || baseline) {
    const expected = runs.reduce(
      (sum, run) => sum + run.models.length * (run.testSuiteSnapshot?.testCases.length ?? 0),
      0,
    )
    const settled = runs.reduce(
      (sum, run) => sum + run.results.filter((cell) => isSettled(cell) || isLeftOut(run, cell)).length,
      0,
    )
    const missing = expected - settled
    if (missing > allowMissing)
      failures.push(
        `${formatCount(missing)} of ${formatCount(expected, 'cell')} have no score; at most ${formatCount(allowMissing)} may be missing (--allow-missing)`,
      )
  }
  return { failures, notes }
}
