import type { RunResult, Suite } from '../../contract/index.ts'
import { addUnfinished } from '../../statistics/index.ts'
import { listCaseIds, listCases, type ReportCase } from './report-cases.ts'
import { compareFigures, createUncomparedFigures, type ReportFigures, type ReportOptions } from './report-figures.ts'

export { PASS_MARK, type ReportCost, type ReportRow } from './report-figures.ts'

/** The numbers of one run, or of the runs of a series, which the runs' texts are not needed for. */
export interface RunFigures extends ReportFigures {
  runs: RunResult[]
  caseCount: number
}

/** Everything an export shows, computed once. */
export interface RunReport extends RunFigures {
  suite?: Suite
  cases: ReportCase[]
}

export function createFigures(runs: RunResult[], options: ReportOptions = {}): RunFigures {
  return {
    ...compareFigures(createUncomparedFigures(runs, options), runs),
    runs,
    caseCount: listCaseIds(runs, findSuite(runs)).size,
  }
}

/** The report of one run, or of the runs of a series. */
export function createReport(runs: RunResult[], options: ReportOptions = {}): RunReport {
  return addCases(compareFigures(createUncomparedFigures(runs, options), runs), runs)
}

function findSuite(runs: RunResult[]): Suite | undefined {
  return runs.findLast(({ testSuiteSnapshot }) => testSuiteSnapshot)?.testSuiteSnapshot
}

/** A report from figures that are known already. */
export function addCases(figures: ReportFigures, given: RunResult[]): RunReport {
  const runs = given.map(addUnfinished)
  const suite = findSuite(runs)
  const cases = listCases(
    runs,
    suite,
    figures.rows.map(({ modelId }) => modelId),
  )
  return { ...figures, runs, ...(suite && { suite }), cases, caseCount: cases.length }
}
