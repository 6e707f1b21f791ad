import type { RunResult, Suite } from '../../contract/index.ts'
import { findSuite, listCases, type ReportCase } from './cases.ts'
import { countMessages } from './messages.ts'
import { listRatings } from './ratings.ts'
import type { ReportOptions } from './standings.ts'
import { buildSummary, type ReportSummary } from './summary.ts'
import { closeRun, listUnfinishedRuns, type UnfinishedOptions } from './unfinished.ts'
import { buildVerdictCard, type VerdictCard } from './verdict-card.ts'

/** Everything shown about a run or the runs of a series: every table, page and file is a view of it. */
export interface Report extends ReportSummary {
  runs: RunResult[]
  suite?: Suite
  cases: ReportCase[]
  verdictCard: VerdictCard
}

/** Builds the report of a run or of the runs of a series. */
export function buildReport(runs: RunResult[], options: ReportOptions = {}): Report {
  return completeReport(buildSummary(runs, options), runs, options)
}

/** Builds the whole report from an existing summary, which may be of runs without texts, ratings and requests. */
export function completeReport(
  summary: ReportSummary,
  storedRuns: RunResult[],
  options: UnfinishedOptions = {},
): Report {
  const runs = storedRuns.map((run) => closeRun(run, options))
  const suite = findSuite(runs)
  const models = summary.rows.map(({ modelId }) => modelId)
  const cases = listCases(runs, suite, models)
  return {
    ...summary,
    messages: countMessages(runs),
    ratings: listRatings(runs, models),
    unfinished: listUnfinishedRuns(runs, options),
    runs,
    ...(suite && { suite }),
    cases,
    // What another tool asked can only be asked again there.
    verdictCard: buildVerdictCard({
      ...summary,
      runs,
      ...(runs.every(({ versions }) => versions?.['importedFrom'] !== undefined) && {
        left: { notAsked: 0, errors: 0 },
      }),
    }),
  }
}
