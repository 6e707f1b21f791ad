import { buildStandings, type Standings } from '../../../report/model/standings/standings.ts'
import { type ReportCost } from '../../../report/model/standings/report-row.ts'
import { compareStandings, type ReportFigures } from '../../../report/model/summary.ts'
import type { Prompts } from '../../../report/model/contestants/templates.ts'
import type { ScoreTable } from '../../../contract/index.ts'

/** A selection to summarize: first the standings, then, after comparing all models, which differences are real. */
export interface SummaryJob {
  scores: ScoreTable
  /** Default: the cost of the answers. */
  cost?: ReportCost | undefined
  /** Default: all cases of the table. */
  caseCount?: number | undefined
  /** The difference that does not matter, 0 to 1; default: that of the runs. Cases are planned for it. */
  smallestDifference?: number | undefined
  /** What each case asks. */
  prompts?: Prompts | undefined
}

export type SummaryPart = { part: 'standings'; standings: Standings } | { part: 'summary'; summary: ReportFigures }

/** Yields the standings before it starts the comparisons. */
export function* summarizeSelection({
  scores,
  cost,
  caseCount = scores.caseIds.length,
  smallestDifference,
  prompts,
}: SummaryJob): Generator<SummaryPart> {
  const standings = buildStandings(scores, { ...(cost && { cost }), caseCount })
  yield { part: 'standings', standings }
  yield { part: 'summary', summary: compareStandings(standings, scores, { sameWithin: smallestDifference, prompts }) }
}
