import type { RunResult, Suite } from '../../contract/index.ts'
import { listCases, type ReportCase } from './report-cases.ts'
import { compareFigures, createUncomparedFigures, type ReportFigures, type ReportOptions } from './report-figures.ts'

export { PASS_MARK, type ReportCost, type ReportRow } from './report-figures.ts'

/** Everything an export shows, computed once. */
export interface RunReport extends ReportFigures {
  runs: RunResult[]
  suite?: Suite
  cases: ReportCase[]
}

/** The report of one run, or of the runs of a series. */
export function createReport(runs: RunResult[], options: ReportOptions = {}): RunReport {
  return addCases(compareFigures(createUncomparedFigures(runs, options), runs), runs)
}

/** A report from figures that are known already. */
export function addCases(figures: ReportFigures, runs: RunResult[]): RunReport {
  const suite = runs.findLast(({ testSuiteSnapshot }) => testSuiteSnapshot)?.testSuiteSnapshot
  return {
    ...figures,
    runs,
    ...(suite && { suite }),
    cases: listCases(runs, suite, figures.rows.map(({ modelId }) => modelId)),
  }
}
