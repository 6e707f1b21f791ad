import { InputError, sumDollars, type CellResult, type RunResult } from '../../contract/index.ts'
import {
  addUnfinished,
  aggregateCollected,
  collectRuns,
  describeCollected,
  describeRepeats,
  measureJudgeAgreement,
  summariseCollected,
  type AggregateScore,
  type JudgeAgreement,
  type MissingSummary,
  type MultiRunStats,
  type RepeatStats,
} from '../../statistics/index.ts'
import { formatReportLine } from '../words/index.ts'
import { findSuite, listCaseIds } from './cases.ts'
import type { ReportCost, ReportRow } from './report-row.ts'
import { countMessages, type FailureMessage } from './messages.ts'

/** What runs come to, before their models are compared: comparing very many cases takes a while. */
export interface Standings {
  title: string
  runIds: string[]
  caseCount: number
  /** Best first; models without a score last. */
  rows: ReportRow[]
  /** Of the last run, as `--json` prints them; a model without a score in it is not there. */
  scores: Map<string, AggregateScore>
  /** Over the runs of a series; with one run, over that one. */
  series: Map<string, MultiRunStats>
  /** For a series: how steady each model is when asked the same again. */
  repeats: Map<string, Omit<RepeatStats, 'cases'>>
  /** For a series: the reporting line of each model, and its cases that passed in some runs only. */
  overRuns: { line: string; modelId: string; flaky: string[] }[]
  missing: MissingSummary[]
  /** What was said about each model's cells without a score, most often first; empty where the runs' texts were not loaded. */
  messages: Map<string, FailureMessage[]>
  /** How far the judges agree, where several graded. */
  agreement?: JudgeAgreement
  /** What was spent in all: judges and failed attempts too, where a ledger knows them. */
  cost: ReportCost
  /** False when nobody said what anything cost: that is not 0. */
  isCostKnown: boolean
  /** What the answers alone cost. */
  answersCost: ReportCost
}

export interface ReportOptions {
  /** What was spent in all, judges and failed attempts included, where a ledger knows it. */
  cost?: ReportCost
  /** Where the runs given hold only part of their suites. */
  caseCount?: number
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

function sumCosts(costs: readonly ReportCost[]): ReportCost {
  return {
    total: sumDollars(costs.map(({ total }) => total)),
    unknown: costs.reduce((sum, { unknown }) => sum + unknown, 0),
  }
}

interface ModelStatistics {
  runs: number
  stats?: MultiRunStats | undefined
  last?: AggregateScore | undefined
  missing?: MissingSummary | undefined
}

function makeRow(modelId: string, cells: CellResult[], { runs, stats, last, missing }: ModelStatistics): ReportRow {
  const cost = costOf(cells)
  const isAnswered = !missing || missing.errors < missing.cells
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
    cost,
    isCostKnown: cost.total > 0 || (cost.unknown === 0 && isAnswered),
    ...(latency !== undefined && { medianLatencyMs: latency }),
    ...(firstToken !== undefined && { medianFirstTokenMs: firstToken }),
    isSimulated: modelId.startsWith('demo/'),
  }
}

/** Each model's repeats. Only its own results are looked at: collecting those of all models for each would take their square. */
function collectRepeatStats(runs: RunResult[], models: string[]): Standings['repeats'] {
  const repeats: Standings['repeats'] = new Map()
  for (const modelId of models) {
    const own = runs.map((run) => ({ ...run, results: run.results.filter((result) => result.modelId === modelId) }))
    const { cases: _cases, ...stats } = describeRepeats(own, modelId, { passMark: PASS_MARK })
    repeats.set(modelId, stats)
  }
  return repeats
}

/** The leaderboard of one run, or of the runs of a series. Every number comes from `src/statistics`. */
export function buildStandings(given: RunResult[], options: ReportOptions = {}): Standings {
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
  const suite = findSuite(runs)
  const cost = options.cost ?? costOf(cells)
  const isAnyPriced = runs.some(
    ({ results }) => results.length === 0 || results.some((cell) => cell.cost !== undefined),
  )
  return {
    title: suite?.name ?? lastRun.testSuiteName ?? `Run ${lastRun.id}`,
    runIds: runs.map(({ id }) => id),
    caseCount: options.caseCount ?? listCaseIds(runs, suite).size,
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
    messages: countMessages(runs),
    ...(agreement && { agreement }),
    cost,
    isCostKnown: cost.total > 0 || (cost.unknown === 0 && isAnyPriced),
    answersCost: sumCosts(rows.map((row) => row.cost)),
  }
}

/** Models with a score, best first. */
export function orderByMean(series: Map<string, MultiRunStats>): string[] {
  return [...series.values()].toSorted((a, b) => b.mean - a.mean).map(({ modelId }) => modelId)
}
