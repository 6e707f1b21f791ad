import type { RunResult } from '../../contract/index.ts'
import { compareAllModels, indistinguishableGroups, rankModels, type ModelComparison } from '../../statistics/index.ts'
import { describeMethod, describeVerdict } from '../words/index.ts'
import { buildJudging, type JudgingReport } from './judging.ts'
import { buildDecisions, createCountedCases, followDecisions } from './decisions.ts'
import type { ReportDecisions } from './report-decisions.ts'
import { buildStandings, orderByMean, type ReportOptions, type Standings } from './standings.ts'

/** All numbers of a report and which differences are real, without the cases and their texts. */
export interface ReportSummary extends Standings {
  comparisons: { comparison: ModelComparison; sentence: string }[]
  /** Groups of two or more models that cannot be told apart. */
  groups: string[][]
  /** What is known about the judges, and what to buy next. */
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
  runs: RunResult[],
  { smallestDifference }: Pick<ReportOptions, 'smallestDifference'> = {},
): ReportSummary {
  const findCountedCases = createCountedCases(runs)
  const compared = compareAllModels(runs, undefined, { smallestDifference, findCountedCases })
  const decisions = buildDecisions(standings, runs)
  const comparisons = decisions ? followDecisions(compared, decisions) : compared
  const ordered = orderByMean(standings.series)
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
    judging: buildJudging(runs, ordered),
    ...(decisions && { decisions }),
    method: describeMethod(runs, rows, comparisons),
  }
}

/** The numbers of a run or of the runs of a series, which may be loaded without texts. */
export function buildSummary(runs: RunResult[], options: ReportOptions = {}): ReportSummary {
  return compareStandings(buildStandings(runs, options), runs, options)
}
