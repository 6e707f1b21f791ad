import type { ReportRow } from '../model/report-row.ts'
import {
  describeInterval,
  formatCount,
  formatDuration,
  formatRank,
  formatScore,
  formatSpent,
} from '../words/numbers.ts'
import { formatPassed, formatPassRate } from '../words/passed.ts'
import { formatCached } from '../words/runs/cache.ts'
import { describeReasons } from '../words/runs/outcomes.ts'
import type { Column, Table } from './table.ts'

const isLatencyKnown = (rows: readonly ReportRow[]) => rows.some(({ medianLatencyMs }) => medianLatencyMs !== undefined)

/** One row per model. Two of its labels depend on the runs: a live run still waits for answers. */
export function leaderboard({ runCount, isLive = false }: { runCount: number; isLive?: boolean }): Table<ReportRow> {
  return [
    {
      key: 'rank',
      label: '#',
      align: 'end',
      text: ({ rank }) => formatRank(rank),
      data: { rankBest: ({ rank }) => rank?.best, rankWorst: ({ rank }) => rank?.worst },
    },
    {
      key: 'model',
      label: 'Model',
      role: 'name',
      text: ({ modelId, isSimulated }) => modelId + (isSimulated ? ' (simulated)' : ''),
      data: { modelId: ({ modelId }) => modelId, simulated: ({ isSimulated }) => isSimulated },
    },
    {
      key: 'score',
      label: 'Score',
      align: 'end',
      role: 'main',
      text: ({ score }) => (score ? formatScore(score.mean) : 'no score'),
      isWarning: ({ score }) => !score,
      data: { score: ({ score }) => score?.mean },
    },
    {
      key: 'interval',
      label: '95 % CI',
      align: 'end',
      role: 'interval',
      text: ({ score }) => (score ? describeInterval(score) : '–'),
      data: {
        scoreLow95: ({ score }) => score?.low,
        scoreHigh95: ({ score }) => score?.high,
        intervalMethod: ({ score }) => score?.method,
      },
    },
    {
      key: 'passed',
      label: 'Passed',
      align: 'end',
      text: ({ score }) => (score ? formatPassed(score) : '–'),
      data: { passed: ({ score }) => score?.passed ?? 0, answers: ({ score }) => score?.count ?? 0 },
    },
    {
      key: 'passRate',
      label: 'Pass rate',
      align: 'end',
      keep: 'wide',
      text: ({ score }) => (score ? formatPassRate(score) : '–'),
      data: {
        passRate: ({ score }) => score?.passRate,
        passRateLow95: ({ score }) => score?.passRateConfidence95[0],
        passRateHigh95: ({ score }) => score?.passRateConfidence95[1],
      },
    },
    {
      key: 'stdDev',
      label: runCount > 1 ? 'SD of runs' : 'SD',
      align: 'end',
      keep: 'wide',
      text: ({ score }) => formatScore(score?.stdDev),
      data: { stdDev: ({ score }) => score?.stdDev },
    },
    {
      key: 'n',
      label: 'n',
      align: 'end',
      text: ({ score }) => formatCount(score?.n ?? 0),
      data: { cases: ({ score }) => score?.n ?? 0 },
    },
    {
      key: 'missing',
      label: 'Unscored',
      align: 'end',
      text: ({ unscored, errors }) => formatCount(unscored + errors),
      isWarning: ({ unscored, errors }) => unscored + errors > 0,
      data: {
        unscored: ({ unscored }) => unscored,
        errors: ({ errors }) => errors,
        missingReasons: ({ missing }) => missing && describeReasons(missing.reasons),
        scoreIfMissing0: ({ missing }) => missing?.boundsWithMissing[0],
        scoreIfMissing1: ({ missing }) => missing?.boundsWithMissing[1],
      },
    },
    {
      key: 'notRun',
      label: isLive ? 'Pending' : 'Not run',
      align: 'end',
      text: ({ notRun }) => formatCount(notRun),
      isIn: (rows) => rows.some(({ notRun }) => notRun > 0),
      data: { notRun: ({ notRun }) => notRun },
    },
    {
      key: 'cost',
      label: 'Cost',
      align: 'end',
      text: formatSpent,
      isIn: (rows) => isLatencyKnown(rows) || rows.some(({ cost, cached }) => cost.total > 0 || cached),
      data: {
        cost: ({ cost, isCostKnown }) => (isCostKnown ? cost.total : undefined),
        unknownCosts: ({ cost }) => cost.unknown,
      },
    },
    {
      key: 'fromCache',
      label: 'From cache',
      align: 'end',
      text: formatCached,
      isIn: (rows) => rows.some(({ cached }) => cached),
      data: {
        fromCache: ({ cached }) => cached?.count ?? 0,
        fromCacheOf: ({ cached }) => cached?.of,
        oldestFromCacheMs: ({ cached }) => (cached && cached.count > 0 ? cached.maxAgeMs : undefined),
      },
    },
    {
      key: 'latency',
      label: 'Latency',
      align: 'end',
      text: ({ medianLatencyMs }) => formatDuration(medianLatencyMs),
      isIn: isLatencyKnown,
      data: {
        medianLatencyMs: ({ medianLatencyMs }) => medianLatencyMs,
        medianFirstTokenMs: ({ medianFirstTokenMs }) => medianFirstTokenMs,
      },
    },
  ]
}

/** A leading model, with some of its figures as the leaderboard has them. */
export interface Leader {
  modelId: string
  figures: { title: string; value: string }[]
}

export function leaderTable([first]: readonly Leader[]): Table<Leader> {
  return [
    { key: 'model', label: 'Model', role: 'name', text: ({ modelId }) => modelId },
    ...(first?.figures ?? []).map(({ title }, index): Column<Leader> => ({
      key: title,
      label: title,
      align: 'end',
      keep: 'always',
      ...(index === 0 && { role: 'main' }),
      text: ({ figures }) => figures[index]?.value ?? '–',
    })),
  ]
}
