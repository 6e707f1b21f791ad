import { toScoreTable, type RunResult, type Scores, type ScoreTable } from '../../contract/index.ts'
import {
  addUnfinished,
  compareAllModels,
  indistinguishableGroups,
  rankModels,
  type ModelComparison,
} from '../../statistics/index.ts'
import { describeMethod, describeVerdict } from '../words/index.ts'
import { buildJudging, type JudgingReport } from './judging.ts'
import { buildDecisions, createCountedCases, followDecisions } from './decisions.ts'
import type { ReportDecisions } from './report-decisions.ts'
import { listJudgeNotes, type JudgeNote } from './judge-notes.ts'
import { countMessages, type FailureMessage } from './messages.ts'
import { listRatings, type RatedModel } from './ratings.ts'
import { buildStandings, type ReportOptions, type Standings } from './standings.ts'
import { listUnfinishedRuns, type UnfinishedOptions, type UnfinishedRun } from './unfinished.ts'

/** All numbers of a report and which differences are real: what the scores alone say. */
export interface ReportFigures extends Standings {
  comparisons: { comparison: ModelComparison; sentence: string }[]
  /** Groups of two or more models that cannot be told apart. */
  groups: string[][]
  /** What is known about the judges, and what to do next. */
  judging: JudgingReport
  /** Of runs that stop asking what can no longer change a decision. */
  decisions?: ReportDecisions
  /** How the numbers were computed, in a few sentences. */
  method: string[]
}

function findGroups(models: string[], comparisons: ModelComparison[]): string[][] {
  const keyOf = (a: string, b: string) => JSON.stringify([a, b])
  const proven = comparisons.filter(({ paired }) => paired?.isSignificant)
  const different = new Set(proven.flatMap(({ modelA, modelB }) => [keyOf(modelA, modelB), keyOf(modelB, modelA)]))
  return indistinguishableGroups(models, (a, b) => different.has(keyOf(a, b))).filter(({ length }) => length > 1)
}

/** Adds ranks and which differences are real. */
export function compareStandings(
  standings: Standings,
  table: ScoreTable,
  { smallestDifference }: Pick<ReportOptions, 'smallestDifference'> = {},
): ReportFigures {
  const findCountedCases = createCountedCases(table)
  const compared = compareAllModels(table, undefined, { smallestDifference, findCountedCases })
  const decisions = buildDecisions(standings, table)
  const comparisons = decisions ? followDecisions(compared, decisions) : compared
  const ordered = standings.series.map(({ modelId }) => modelId)
  const ranks = rankModels(ordered, comparisons)
  const rows = standings.rows.map(({ modelId, ...row }) => ({
    modelId,
    ...(ranks.has(modelId) && { rank: ranks.get(modelId) }),
    ...row,
  }))
  return {
    ...standings,
    rows,
    comparisons: comparisons.map((comparison) => ({ comparison, sentence: describeVerdict(comparison) })),
    groups: findGroups(ordered, comparisons),
    judging: buildJudging(table, ordered),
    ...(decisions && { decisions }),
    method: describeMethod(table, rows, comparisons),
  }
}

export function buildFigures(scores: Scores, options: ReportOptions = {}): ReportFigures {
  const table = toScoreTable(scores)
  return compareStandings(buildStandings(table, options), table, options)
}

/** A report without its cases. */
export interface ReportSummary extends ReportFigures {
  /** Runs that did not finish, in order. */
  unfinished: UnfinishedRun[]
  /** Answers that people rated or wrote a note about, by model in the order of the leaderboard. */
  ratings: RatedModel[]
  /** Why each model's cells have no score, most frequent first. */
  messages: Map<string, FailureMessage[]>
  /** What to doubt about the judges; empty if it is not known how they were calibrated. */
  judgeNotes: JudgeNote[]
}

/** Adds to the figures what only the runs themselves say. */
export function completeSummary(
  figures: ReportFigures,
  storedRuns: readonly RunResult[],
  options: UnfinishedOptions & Pick<ReportOptions, 'calibrations'>,
): ReportSummary {
  const runs = storedRuns.map(addUnfinished)
  const models = figures.rows.map(({ modelId }) => modelId)
  return {
    ...figures,
    unfinished: listUnfinishedRuns(runs, options),
    ratings: listRatings(runs, models),
    messages: countMessages(runs),
    judgeNotes: listJudgeNotes(runs, { models, calibrations: options.calibrations }),
  }
}

/** The summary of a run or of the runs of a series, which may be loaded without texts. */
export function buildSummary(runs: readonly RunResult[], options: ReportOptions = {}): ReportSummary {
  return completeSummary(buildFigures(runs, options), runs, options)
}
