import type { RunResult, Suite } from '../../contract/index.ts'
import { findSuite, listCases, type ReportCase } from './cases.ts'
import { countMessages } from './messages.ts'
import type { ReportOptions } from './standings.ts'
import { buildSummary, type ReportSummary } from './summary.ts'
import { closeRun } from './unfinished.ts'

/** Everything shown about a run or the runs of a series: every table, page and file is a view of it. */
export interface Report extends ReportSummary {
  runs: RunResult[]
  suite?: Suite
  cases: ReportCase[]
}

/** Builds the report of a run or of the runs of a series. */
export function buildReport(runs: RunResult[], options: ReportOptions = {}): Report {
  return completeReport(buildSummary(runs, options), runs)
}

/** Builds the whole report from an existing summary. */
export function completeReport(summary: ReportSummary, storedRuns: RunResult[]): Report {
  const stopped = summary.unfinished.filter(({ status }) => status === 'interrupted')
  const interrupted = new Set(stopped.map(({ runId }) => runId))
  const runs = storedRuns.map((run) => closeRun(run, { interrupted }))
  const suite = findSuite(runs)
  const cases = listCases(
    runs,
    suite,
    summary.rows.map(({ modelId }) => modelId),
  )
  return {
    ...summary,
    messages: countMessages(runs),
    runs,
    ...(suite && { suite }),
    cases,
  }
}
