import type { JudgeStanding, RunResult, Suite } from '../../contract/index.ts'
import type { ComparisonReport } from '../comparing/comparison.ts'
import type { ArenaReport } from './arena-report.ts'
import { findSuite, listCases, type ReportCase } from './cases.ts'
import { buildJudging } from './judging.ts'
import { countMessages } from './messages.ts'
import { listRatings } from './ratings.ts'
import { listJudgeNotes } from './judge-notes.ts'
import { orderByMean, type ReportOptions } from './standings.ts'
import { buildSummary, type ReportSummary } from './summary.ts'
import { closeRun, listUnfinishedRuns, type UnfinishedOptions } from './unfinished.ts'
import { buildVerdictCard, type VerdictCard } from './verdict-card.ts'

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
  return completeReport(buildSummary(runs, options), runs, options)
}

/** Builds the whole report from an existing summary, which may be of runs without texts, ratings and requests. */
export function completeReport(
  summary: ReportSummary,
  storedRuns: RunResult[],
  options: UnfinishedOptions & Pick<ReportOptions, 'calibrations'> = {},
): Report {
  const runs = storedRuns.map((run) => closeRun(run, options))
  const { calibrations } = options
  const suite = findSuite(runs)
  const models = summary.rows.map(({ modelId }) => modelId)
  const cases = listCases(runs, suite, models)
  // The summary may be of runs without the verdicts of rubrics and comparisons.
  const complete = { ...summary, judging: buildJudging(runs, orderByMean(summary.series)) }
  return {
    ...complete,
    messages: countMessages(runs),
    ratings: listRatings(runs, models),
    unfinished: listUnfinishedRuns(runs, options),
    judgeNotes: listJudgeNotes(runs, { models, calibrations }),
    runs,
    ...(suite && { suite }),
    ...(calibrations && { calibrations }),
    cases,
    // What another tool asked can only be asked again there.
    verdictCard: buildVerdictCard({
      ...complete,
      runs,
      calibrations,
      ...(runs.every(({ versions }) => versions?.['importedFrom'] !== undefined) && {
        left: { notRun: 0, errors: 0 },
      }),
    }),
  }
}
