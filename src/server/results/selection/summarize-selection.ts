import { buildStandings, type Standings } from '../../../report/model/standings.ts'
import { type ReportCost } from '../../../report/model/report-row.ts'
import { compareStandings, type ReportSummary } from '../../../report/model/summary.ts'
import { restoreRuns, type Columns } from './run-columns.ts'

/** A selection to summarize: the standings at once, which differences are real when all models are compared. */
export interface SummaryJob {
  columns: Columns
  cost: ReportCost
}

export type SummaryPart = { part: 'standings'; standings: Standings } | { part: 'summary'; summary: ReportSummary }

/** Gives the first part before it begins the second. */
export function* summarizeSelection({ columns, cost }: SummaryJob): Generator<SummaryPart> {
  const runs = restoreRuns(columns)
  const standings = buildStandings(runs, { cost, caseCount: columns.caseIds.length })
  yield { part: 'standings', standings }
  yield { part: 'summary', summary: compareStandings(standings, runs) }
}
