import type { RunResult, RunStatus, Suite } from '../../contract/index.ts'
import { addUnfinished, listUnfinished } from '../../statistics/index.ts'
import { findSuite, listCases, type ReportCase } from './cases.ts'
import { countMessages } from './messages.ts'
import type { ReportOptions } from './standings.ts'
import { buildSummary, type ReportSummary } from './summary.ts'
import { buildVerdictCard, type VerdictCard } from './verdict-card.ts'

/** A run that did not finish. */
export interface UnfinishedRun {
  runId: string
  status: RunStatus
  /** Cells that were not answered and scored. */
  cells: number
}

/** Everything shown about a run or the runs of a series: every table, page and file is a view of it. */
export interface Report extends ReportSummary {
  runs: RunResult[]
  suite?: Suite
  cases: ReportCase[]
  unfinished: UnfinishedRun[]
  verdictCard: VerdictCard
}

function describeUnfinished(run: RunResult): UnfinishedRun[] {
  const { id: runId, status, results } = run
  if (status === undefined || status === 'completed') return []
  const cancelled = results.filter(({ outcome }) => outcome === 'cancelled').length
  return [{ runId, status, cells: cancelled + listUnfinished(run).length }]
}

/** Builds the report of a run or of the runs of a series. */
export function buildReport(runs: RunResult[], options: ReportOptions = {}): Report {
  return completeReport(buildSummary(runs, options), runs)
}

/** Builds the whole report from an existing summary. */
export function completeReport(summary: ReportSummary, storedRuns: RunResult[]): Report {
  const runs = storedRuns.map(addUnfinished)
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
    unfinished: runs.flatMap(describeUnfinished),
    verdictCard: buildVerdictCard({ ...summary, runs }),
  }
}
