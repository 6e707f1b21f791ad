import type { ArenaReport, JudgeStanding, RunResult, Suite } from '../../contract/index.ts'
import { addUnfinished } from '../../statistics/index.ts'
import type { ComparisonReport } from '../comparing/comparison.ts'
import { findSuite, listCases, type ReportCase } from './cases.ts'
import type { ReportOptions } from './standings/standings.ts'
import { buildFigures, completeSummary, type ReportFigures, type ReportSummary } from './summary.ts'
import { stateOfRun, type UnfinishedOptions } from './unfinished.ts'
import { buildVerdictCard, type VerdictCard } from './verdict/verdict-card.ts'

/** Everything shown about a run or the runs of a series: every table, page and file is a view of it. */
export interface Report extends ReportSummary {
  runs: RunResult[]
  suite?: Suite
  cases: ReportCase[]
  verdictCard: VerdictCard
  /** The pages of Code Arena runs: then the HTML format shows them, with their pictures and code. */
  arena?: ArenaReport
  /** If runs are compared with each other. */
  comparison?: ComparisonReport
  /** The last calibrations of all judges, if they were looked up. */
  calibrations?: readonly JudgeStanding[]
}

/** Builds the report of a run or of the runs of a series, from which all tables and exports are made. */
export function buildReport(run: RunResult | readonly RunResult[], options: ReportOptions = {}): Report {
  const runs = [run].flat()
  return completeReport(buildFigures(runs, options), runs, options)
}

/** Builds the whole report from figures that are known already. */
export function completeReport(
  figures: ReportFigures,
  storedRuns: readonly RunResult[],
  options: UnfinishedOptions & Pick<ReportOptions, 'calibrations' | 'reference' | 'sameWithin'> = {},
): Report {
  const summary = completeSummary(figures, storedRuns, options)
  const runs = storedRuns.map(addUnfinished)
  const { calibrations } = options
  const suite = findSuite(runs)
  const models = summary.rows.map(({ modelId }) => modelId)
  return {
    ...summary,
    runs,
    ...(suite && { suite }),
    ...(calibrations && { calibrations }),
    cases: listCases(runs, suite, models),
    // What another tool asked can only be asked again there.
    verdictCard: buildVerdictCard({
      ...summary,
      runs: runs.map((run) => ({ ...run, state: stateOfRun(run, options) })),
      calibrations,
      runsNotStarted: options.runsNotStarted,
      ...(runs.every(({ kind }) => kind === 'imported') && {
        left: { notRun: 0, errors: 0 },
      }),
    }),
  }
}
