import { InputError, sumDollars, type CellResult, type RunResult } from '../../contract/index.ts'
import {
  addUnfinished,
  aggregateCollected,
  collectRuns,
  compareAllModels,
  describeCollected,
  describeRepeats,
  indistinguishableGroups,
  measureJudgeAgreement,
  rankModels,
  summariseCollected,
  type AggregateScore,
  type IntervalMethod,
  type JudgeAgreement,
  type MissingSummary,
  type ModelComparison,
  type MultiRunStats,
  type RepeatStats,
} from '../../statistics/index.ts'
import { describeComparison, formatReportLine } from '../words/index.ts'
import { describeMethod } from '../words/method.ts'

/** Money spent. `unknown` counts answers whose price nobody said; they are not in `total`. */
export interface ReportCost {
  total: number
  unknown: number
}

/** One model of the leaderboard. A model without a single score has no `score`. */
export interface ReportRow {
  modelId: string
  /** 1 + the number of models significantly better. */
  rank?: number
  score?: {
    mean: number
    /** 95 % interval for the mean over more cases like these. */
    low: number
    high: number
    method: IntervalMethod
    /** Over cases for one run, over runs for a series. */
    stdDev: number
    /** Cases with a score. */
    n: number
  }
  unscored: number
  errors: number
  missing?: MissingSummary
  cost: ReportCost
  medianLatencyMs?: number
  medianFirstTokenMs?: number
  /** Answered by the built-in offline provider, not by a real model. */
  isSimulated: boolean
}

/** What runs come to, before their models are compared: comparing very many cases takes a while. */
export interface UncomparedFigures {
  title: string
  /** Best first; models without a score last. */
  rows: ReportRow[]
  /** The last run's figures, as `--json` prints them; a model without a score in it is not there. */
  scores: Map<string, AggregateScore>
  /** Figures over the runs of a series; with one run, over that one. */
  series: Map<string, MultiRunStats>
  /** For a series: how steady each model is when asked the same again. */
  repeats: Map<string, Omit<RepeatStats, 'cases'>>
  /** For a series: the reporting line of each model, and its cases that passed in some runs only. */
  overRuns: { line: string; modelId: string; flaky: string[] }[]
  missing: MissingSummary[]
  /** How far the judges agree, where several graded. */
  agreement?: JudgeAgreement
  cost: ReportCost
}

/** All numbers of a report. */
export interface ReportFigures extends UncomparedFigures {
  comparisons: { comparison: ModelComparison; sentence: string }[]
  /** Models that cannot be told apart, two or more each. */
  groups: string[][]
  /** How the numbers came about, a sentence or two each. */
  method: string[]
}

export interface ReportOptions {
  /** What was spent in all, judges and failed attempts included, where a ledger knows it. */
  cost?: ReportCost
}

/** From here on an answer passes, where something must either pass or not. */
export const PASS_MARK = 0.5

/** Of those cells that have one. */
function medianOf(field: 'latencyMs' | 'firstTokenMs', cells: readonly CellResult[]): number | undefined {
  const sorted = cells
    .map((cell) => cell[field])
    .filter((value) => value !== undefined)
    .sort((a, b) => a - b)
  if (sorted.length === 0) return undefined
  const middle = sorted.length / 2
  return Number.isInteger(middle) ? (sorted[middle - 1]! + sorted[middle]!) / 2 : sorted[Math.floor(middle)]
}

/** An answer without a price has an unknown one; a cell without an answer has none. */
function costOf(cells: CellResult[]): ReportCost {
  const known: number[] = []
  let unknown = 0
  for (const { cost, response, latencyMs } of cells) {
    if (cost !== undefined) known.push(cost)
    else if ((response ?? latencyMs) !== undefined) unknown++
  }
  return { total: sumDollars(known), unknown }
}

interface ModelFigures {
  runs: number
  stats?: MultiRunStats | undefined
  last?: AggregateScore | undefined
  missing?: MissingSummary | undefined
}

function makeRow(modelId: string, cells: CellResult[], { runs, stats, last, missing }: ModelFigures): ReportRow {
  const latency = medianOf('latencyMs', cells)
  const firstToken = medianOf('firstTokenMs', cells)
  return {
    modelId,
    ...(stats && {
      score: {
        mean: stats.mean,
        low: stats.overCases.low,
        high: stats.overCases.high,
        method: stats.overCases.method,
        stdDev: runs === 1 && last ? last.stdDev : stats.stdDev,
        n: stats.overCases.n,
      },
    }),
    unscored: missing?.unscored ?? 0,
    errors: missing?.errors ?? 0,
    ...(missing && { missing }),
    cost: costOf(cells),
    ...(latency !== undefined && { medianLatencyMs: latency }),
    ...(firstToken !== undefined && { medianFirstTokenMs: firstToken }),
    isSimulated: modelId.startsWith('demo/'),
  }
}

function findGroups(models: string[], comparisons: ModelComparison[]): string[][] {
  const keyOf = (a: string, b: string) => JSON.stringify([a, b])
  const proven = comparisons.filter(({ paired }) => paired?.isSignificant)
  const different = new Set(proven.flatMap(({ modelA, modelB }) => [keyOf(modelA, modelB), keyOf(modelB, modelA)]))
  return indistinguishableGroups(models, (a, b) => different.has(keyOf(a, b))).filter(({ length }) => length > 1)
}

/** Each model's repeats. Only its own results are looked at: collecting those of all models for each would take their square. */
function collectRepeatStats(runs: RunResult[], models: string[]): UncomparedFigures['repeats'] {
  const repeats: UncomparedFigures['repeats'] = new Map()
  for (const modelId of models) {
    const own = runs.map((run) => ({ ...run, results: run.results.filter((result) => result.modelId === modelId) }))
    const { cases: _cases, ...stats } = describeRepeats(own, modelId, { passMark: PASS_MARK })
    repeats.set(modelId, stats)
  }
  return repeats
}

/** The figures of one run, or of the runs of a series. Every number comes from `src/statistics`. */
export function createUncomparedFigures(given: RunResult[], options: ReportOptions = {}): UncomparedFigures {
  const runs = given.map(addUnfinished)
  const lastRun = runs.at(-1)
  if (!lastRun) throw new InputError('a report needs at least one run')
  const collected = collectRuns(runs)
  const series = describeCollected(collected)
  const scores = aggregateCollected(collected.scores.at(-1)!)
  const missing = summariseCollected(collected)
  const missingOf = new Map(missing.map((summary) => [summary.modelId, summary]))

  const ordered = orderByMean(series)
  const cells = runs.flatMap(({ results }) => results)
  const cellsOf = Map.groupBy(cells, ({ modelId }) => modelId)
  const models = [...new Set([...ordered, ...runs.flatMap((run) => run.models), ...cellsOf.keys()])]
  const rows = models.map((modelId) =>
    makeRow(modelId, cellsOf.get(modelId) ?? [], {
      runs: runs.length,
      stats: series.get(modelId),
      last: scores.get(modelId),
      missing: missingOf.get(modelId),
    }),
  )
  const repeats = collectRepeatStats(runs, runs.length > 1 ? ordered : [])
  const agreement = measureJudgeAgreement(runs)
  const suite = runs.findLast(({ testSuiteSnapshot }) => testSuiteSnapshot)?.testSuiteSnapshot
  return {
    title: suite?.name ?? lastRun.testSuiteName ?? `Run ${lastRun.id}`,
    rows,
    scores,
    series,
    repeats,
    overRuns: [...repeats].map(([modelId, { flaky }]) => ({
      modelId,
      line: formatReportLine(modelId, series.get(modelId)!),
      flaky,
    })),
    missing,
    ...(agreement && { agreement }),
    cost: options.cost ?? costOf(cells),
  }
}

function orderByMean(series: Map<string, MultiRunStats>): string[] {
  return [...series.values()].toSorted((a, b) => b.mean - a.mean).map(({ modelId }) => modelId)
}

/** The same with ranks, and with which differences are real. */
export function compareFigures(figures: UncomparedFigures, runs: RunResult[]): ReportFigures {
  const comparisons = compareAllModels(runs)
  const ordered = orderByMean(figures.series)
  const ranks = rankModels(ordered, comparisons)
  const rows = figures.rows.map(({ modelId, ...row }) => ({
    modelId,
    ...(ranks.has(modelId) && { rank: ranks.get(modelId) }),
    ...row,
  }))
  return {
    ...figures,
    rows,
    comparisons: comparisons.map((comparison) => ({ comparison, sentence: describeComparison(comparison) })),
    groups: findGroups(ordered, comparisons),
    method: describeMethod(runs, rows, comparisons),
  }
}
