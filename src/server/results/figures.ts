import {
  compareFigures,
  createUncomparedFigures,
  type ReportCost,
  type ReportFigures,
  type UncomparedFigures,
} from '../../report/model/report-figures.ts'
import { restoreRuns, type Columns } from './run-columns.ts'

/** What there is to compute of a selection: the leaderboard at once, what depends on comparing models when it is done. */
export interface FiguresJob {
  columns: Columns
  cost: ReportCost
}

export type FiguresPart = { part: 'uncompared'; figures: UncomparedFigures } | { part: 'all'; figures: ReportFigures }

/** Gives the first part before it begins the second. */
export function* computeFigures({ columns, cost }: FiguresJob): Generator<FiguresPart> {
  const runs = restoreRuns(columns)
  const uncompared = createUncomparedFigures(runs, { cost })
  yield { part: 'uncompared', figures: uncompared }
  yield { part: 'all', figures: compareFigures(uncompared, runs) }
}
