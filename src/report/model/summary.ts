import { marginOf, toScoreTable, type RunResult, type Scores, type ScoreTable } from '../../contract/index.ts'
import {
  addUnfinished,
  compareAllModels,
  compareCostAndQuality,
  indistinguishableGroups,
  listDecidedOrders,
  rankModels,
  type CostReport,
  type ModelComparison,
  meanOf,
  scoreByHistory,
} from '../../statistics/index.ts'
import { describeMethod, describeVerdict } from '../words/index.ts'
import { findPair } from '../words/verdicts/first-place.ts'
import { seeGap } from '../words/verdicts/pairs/gap.ts'
import { buildJudging, type JudgingReport } from './verdict/judging.ts'
import { buildDecisions, createCountedCases, followDecisions } from './verdict/decisions.ts'
import type { ReportDecisions } from './verdict/report-decisions.ts'
import type { HistoryReport } from './history-report.ts'
import type { HostReport } from './contestants/host-report.ts'
import { buildHosts } from './contestants/hosts.ts'
import { listJudgeNotes, listJudges, type JudgeNote } from './verdict/judge-notes.ts'
import { countMessages, type FailureMessage } from './messages.ts'
import { listRatings, type RatedModel } from './ratings.ts'
import type { ReportRow } from './standings/report-row.ts'
import { buildStandings, type ReportOptions, type Standings } from './standings/standings.ts'
import type { WordingReport } from './contestants/wording-report.ts'
import { buildWordings } from './contestants/wordings.ts'
import { listScored, readRunPrompts, weighTemplates, type TemplateWarning } from './contestants/templates.ts'
import { listUnfinishedRuns, type UnfinishedOptions, type UnfinishedRun } from './unfinished.ts'

/** By model and case, the scores over the runs. */
function collectScores({ cells, modelIds, caseIds }: ScoreTable): Map<string, Map<string, number[]>> {
  const found = new Map(modelIds.map((modelId) => [modelId, new Map<string, number[]>()]))
  for (const [cell, score] of cells.score.entries()) {
    if (Number.isNaN(score)) continue
    const ofModel = found.get(modelIds[cells.model[cell]!]!)!
    const id = caseIds[cells.case[cell]!]!
    const scores = ofModel.get(id)
    if (scores) scores.push(score)
    else ofModel.set(id, [score])
  }
  return found
}

/** Undefined unless all runs asked the same cases, drawn from those that other models have scores of. */
function buildByHistory(table: ScoreTable, models: readonly string[]): HistoryReport | undefined {
  const [first, ...others] = table.runs
  const { history, informative } = first?.request ?? {}
  if (!first || !history || informative === undefined) return undefined
  // Two draws are not one sample; the runs of a series share theirs.
  if (others.some(({ seriesId }) => seriesId === undefined || seriesId !== first.seriesId)) return undefined
  const known = new Map(Object.entries(history.means))
  const scores = collectScores(table)
  return {
    cases: known.size,
    drawn: informative,
    otherModels: history.models,
    models: models.flatMap((modelId) => {
      const asked = [...(scores.get(modelId) ?? [])].flatMap(([id, ofCase]) => {
        const mean = known.get(id)
        return mean === undefined ? [] : [{ score: meanOf(ofCase), history: mean }]
      })
      if (asked.length === 0) return []
      return [{ modelId, asked: asked.length, ...scoreByHistory({ asked, history: [...known.values()] }) }]
    }),
  }
}

/** All numbers of a report and which differences are real: what the scores alone say. */
export interface ReportFigures extends Standings {
  comparisons: { comparison: ModelComparison; sentence: string }[]
  /** Groups of two or more models that cannot be told apart. */
  groups: string[][]
  /** What each model's quality costs, and with a margin the cheapest one that is good enough. */
  costs?: CostReport
  /** The scores of all cases, if only some were asked because other models have scores of all. */
  byHistory?: HistoryReport
  /** What is known about the judges, and what to do next. */
  judging: JudgingReport
  /** Of runs that stop asking what can no longer change a decision. */
  decisions?: ReportDecisions
  /** That cases look like variants of a few templates, if they do and nobody named clusters. */
  templates?: TemplateWarning
  /** How the numbers were computed, in a few sentences. */
  method: string[]
}

/** The leaderboard's means: those of the run scores differ from them if scores are missing. */
function nameMeans(comparison: ModelComparison, means: ReadonlyMap<string, number>): ModelComparison {
  const [meanA, meanB] = [means.get(comparison.modelA), means.get(comparison.modelB)]
  if (meanA === undefined || meanB === undefined) return comparison
  return { ...comparison, meanA, meanB, scoreDiff: meanA - meanB }
}

/** Two models may share cases that not all have: what those say may contradict the order of the leaderboard. */
function followsOrder({ modelA, modelB, paired }: ModelComparison, means: ReadonlyMap<string, number>): boolean {
  const lead = (means.get(modelA) ?? 0) - (means.get(modelB) ?? 0)
  return !paired || lead * paired.meanDiff >= 0
}

function findGroups(models: string[], comparisons: ModelComparison[]): string[][] {
  const keyOf = (a: string, b: string) => JSON.stringify([a, b])
  const proven = comparisons.filter(({ paired }) => paired?.isSignificant)
  const different = new Set(proven.flatMap(({ modelA, modelB }) => [keyOf(modelA, modelB), keyOf(modelB, modelA)]))
  return indistinguishableGroups(models, (a, b) => different.has(keyOf(a, b))).filter(({ length }) => length > 1)
}

/** How far the first of the leaderboard is ahead. */
function findBehind(
  first: string | undefined,
  modelId: string,
  comparisons: ModelComparison[],
): Pick<ReportRow, 'behind'> {
  const pair = first === undefined ? undefined : findPair(first, modelId, comparisons)
  if (first === undefined || !pair?.paired) return {}
  return { behind: seeGap(first, { ...pair, paired: pair.paired }) }
}

/** How long the runs of a series took, one after another; undefined if that is not known of one. */
function findDuration(runs: readonly RunResult[]): { durationMs?: number } {
  const isOne = new Set(runs.map(({ seriesId, id }) => seriesId ?? id)).size === 1
  const times = runs.map(({ startedAt, completedAt, kind }) =>
    kind === 'imported' || startedAt === undefined || completedAt === undefined ? Number.NaN : completedAt - startedAt,
  )
  const durationMs = times.reduce((sum, time) => sum + time, 0)
  return isOne && Number.isFinite(durationMs) ? { durationMs } : {}
}

/** Adds ranks and which differences are real. */
export function compareStandings(
  standings: Standings,
  table: ScoreTable,
  {
    smallestDifference,
    sameWithin,
    prompts,
  }: Pick<ReportOptions, 'smallestDifference' | 'sameWithin' | 'prompts'> = {},
): ReportFigures {
  const findCountedCases = createCountedCases(table)
  const margin = sameWithin ?? marginOf(table)
  const compared = compareAllModels(table, undefined, { smallestDifference, sameWithin: margin, findCountedCases })
  const decisions = buildDecisions(standings, table)
  const comparisons = decisions ? followDecisions(compared, decisions) : compared
  const costs = compareCostAndQuality(table, { margin, comparisons })
  const templates = weighTemplates({
    cases: listScored(table),
    prompts,
    comparisons: compared,
    compare: (countByTemplate) =>
      compareAllModels(countByTemplate(table), undefined, { findCountedCases, orders: listDecidedOrders(table) }),
    rank: (countByTemplate) => buildStandings(countByTemplate(table)).rows,
  })
  const ordered = standings.series.map(({ modelId }) => modelId)
  const means = new Map(standings.series.map(({ modelId, overCases }) => [modelId, overCases.mean]))
  const ranked = standings.rows.flatMap(({ modelId, score, isLeftOut }) => (score && !isLeftOut ? [modelId] : []))
  const counted = standings.shared ? comparisons.filter((pair) => followsOrder(pair, means)) : comparisons
  const ranks = rankModels(ranked, counted)
  const rows = standings.rows.map(({ modelId, ...row }) => ({
    modelId,
    ...(ranks.has(modelId) && { rank: ranks.get(modelId) }),
    ...row,
    ...(ranks.has(modelId) && findBehind(ranked[0], modelId, comparisons)),
  }))
  const byHistory = buildByHistory(table, ordered)
  return {
    ...standings,
    rows,
    ...(byHistory && { byHistory }),
    comparisons: comparisons.map((comparison) => ({
      comparison: nameMeans(comparison, means),
      sentence: describeVerdict(comparison),
    })),
    groups: findGroups(ranked, counted),
    ...(costs && { costs }),
    judging: buildJudging(table, ordered),
    ...(decisions && { decisions }),
    ...(templates && { templates }),
    method: describeMethod(table, rows, comparisons),
  }
}

export function buildFigures(scores: Scores, options: ReportOptions = {}): ReportFigures {
  const table = toScoreTable(scores)
  const prompts = options.prompts ?? ('cells' in scores ? undefined : readRunPrompts([scores].flat()))
  return compareStandings(buildStandings(table, options), table, { ...options, prompts })
}

/** A report without its cases. */
export interface ReportSummary extends ReportFigures {
  /** Runs that did not finish, in order. */
  unfinished: UnfinishedRun[]
  /** Answers that people rated or wrote a note about, by model in the order of the leaderboard. */
  ratings: RatedModel[]
  /** Why each model's cells have no score, most frequent first. */
  messages: Map<string, FailureMessage[]>
  /** The judges of the runs. */
  judges: string[]
  /** From start to end; absent if that is not known. */
  durationMs?: number
  /** Who served what, if one model was served in several places. */
  hosts?: HostReport
  /** What wording does, if the suite has several for each case. */
  wordings?: WordingReport
  /** What to doubt about the judges; empty if it is not known how they were calibrated. */
  judgeNotes: JudgeNote[]
}

/** Adds to the figures what only the runs themselves say. */
export function completeSummary(
  figures: ReportFigures,
  storedRuns: readonly RunResult[],
  options: UnfinishedOptions & Pick<ReportOptions, 'calibrations' | 'reference' | 'sameWithin'>,
): ReportSummary {
  const runs = storedRuns.map(addUnfinished)
  const models = figures.rows.map(({ modelId }) => modelId)
  const { reference, sameWithin } = options
  const suites = runs.map(({ testSuiteSnapshot }) => testSuiteSnapshot)
  const wordings = buildWordings(runs, suites, models)
  const hosts = buildHosts(runs, { rows: figures.rows, reference, sameWithin })
  return {
    ...figures,
    ...(hosts && { hosts }),
    ...(wordings && { wordings }),
    unfinished: listUnfinishedRuns(runs, options),
    ratings: listRatings(runs, models),
    messages: countMessages(runs),
    judges: listJudges(runs),
    ...findDuration(runs),
    judgeNotes: listJudgeNotes(runs, { models, calibrations: options.calibrations }),
  }
}

/** The summary of a run or of the runs of a series, which may be loaded without texts. */
export function buildSummary(runs: readonly RunResult[], options: ReportOptions = {}): ReportSummary {
  return completeSummary(buildFigures(runs, options), runs, options)
}
