import { buildStandings, type Standings } from '../../../report/model/standings.ts'
import { type ReportCost } from '../../../report/model/report-row.ts'
import { compareStandings, type ReportFigures } from '../../../report/model/summary.ts'
import { toScoreTable } from '../../../contract/index.ts'
import { restoreRuns, type Columns } from './run-columns.ts'

/** A selection to summarize: first the standings, then, after comparing all models, which differences are real. */
export interface SummaryJob {
  columns: Columns
  /** Default: the cost of the answers. */
  cost?: ReportCost | undefined
  /** Default: all cases of the columns. */
  caseCount?: number | undefined
  /** The difference worth detecting, 0 to 1; default: the observed one. */
  smallestDifference?: number | undefined
}

export type SummaryPart = { part: 'standings'; standings: Standings } | { part: 'summary'; summary: ReportFigures }

/** Yields the standings before it starts the comparisons. */
export function* summarizeSelection({
  columns,
  cost,
  caseCount = columns.caseIds.length,
  smallestDifference,
}: SummaryJob): Generator<SummaryPart> {
  const table = toScoreTable(restoreRuns(columns))
  const standings = buildStandings(table, { ...(cost && { cost }), caseCount })
  yield { part: 'standings', standings }
  yield { part: 'summary', summary: compareStandings(standings, table, { smallestDifference }) }
}
