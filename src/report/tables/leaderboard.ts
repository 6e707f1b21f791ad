import type { ReportRow } from '../model/standings/report-row.ts'
import {
  describeInterval,
  formatCount,
  formatDuration,
  formatRank,
  formatScore,
  formatSpent,
} from '../words/numbers.ts'
import { formatCases } from '../words/verdicts/verdicts.ts'
import { describeOwnMean } from '../words/verdicts/leaderboard-notes.ts'
import { describeGapEnds, formatGap, formatScoreRange } from '../words/verdicts/pairs/gap.ts'
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
      key: 'own',
      label: 'Own mean',
      align: 'end',
      keep: 'wide',
      text: describeOwnMean,
      isIn: (rows) => rows.some(({ own }) => own),
      data: {
        ownMean: ({ own }) => own?.mean,
        lacks: ({ own }) => own?.lacks,
        ranked: ({ score, isLeftOut }) => score && !isLeftOut,
      },
    },
    {
      key: 'bounds',
      label: 'If missing 0 or 100',
      align: 'end',
      keep: 'wide',
      text: ({ own }) => (own && own.lacks > 0 ? describeInterval(own.boundsWithMissing) : '–'),
      isIn: (rows) => rows.some(({ own }) => own),
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
      text: ({ score }) => (score ? formatCases(score) : formatCount(0)),
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
        scoreIfMissing0: ({ own, missing }) => (own ?? missing)?.boundsWithMissing[0],
        scoreIfMissing1: ({ own, missing }) => (own ?? missing)?.boundsWithMissing[1],
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

const lacksOf = ({ own, unscored, errors, notRun }: ReportRow) => own?.lacks ?? unscored + errors + notRun

/** What a terminal adds: how far each model is behind the first, and how many cases lack a score. */
const terminalColumns: Table<ReportRow> = [
  {
    key: 'behind',
    label: 'Behind by',
    align: 'end',
    text: ({ behind }) => (behind ? `${formatGap(behind)} (${describeGapEnds(behind)})` : ''),
    isIn: (rows) => rows.some(({ behind }) => behind),
  },
  {
    key: 'lacks',
    label: 'Lacks',
    align: 'end',
    text: (row) => (lacksOf(row) === 0 ? '' : formatCount(lacksOf(row))),
    isWarning: (row) => lacksOf(row) > 0,
    isIn: (rows) => rows.some((row) => lacksOf(row) > 0),
  },
]

/** In a terminal: the order of the columns, and the labels for which there is room. */
const terminalLabels: Readonly<Record<string, string>> = {
  rank: 'Rank',
  model: 'Model',
  score: 'Score',
  interval: '95 % CI',
  passed: 'Passed',
  behind: 'Behind by',
  cost: 'Cost',
  latency: 'Time',
  lacks: 'Lacks',
}

/** A column whose cells all say the same tells no models apart. */
const MAY_BE_EQUAL = new Set(['rank', 'model', 'score', 'interval', 'passed', 'behind', 'lacks'])

/** One row per model, as narrow as a terminal needs it. What a run left out by decision, no model lacks. */
export function terminalLeaderboard(
  rows: readonly ReportRow[],
  { isDeciding = false }: { isDeciding?: boolean } = {},
): Column<ReportRow>[] {
  const all = [...leaderboard({ runCount: 1 }), ...terminalColumns]
  return Object.entries(terminalLabels).flatMap(([key, label]) => {
    const column = all.find((candidate) => candidate.key === key)!
    const isSame = new Set(rows.map(column.text)).size === 1 && rows.length > 1
    if (isDeciding && key === 'lacks' && rows.every(({ unscored, errors }) => unscored + errors === 0)) return []
    if (!(column.isIn?.(rows) ?? true) || (isSame && !MAY_BE_EQUAL.has(key))) return []
    const text = ({ score }: ReportRow) => (score ? formatScoreRange(score) : '–')
    return [{ ...column, label, ...(key === 'interval' && { text }) }]
  })
}
