import type { ReportRow } from '../model/report-row.ts'
import { describeInterval, formatCount, formatDuration, formatScore, formatSpent } from './numbers.ts'
import { formatCached } from './runs/cache.ts'
import { formatPassed, formatPassRate } from './passed.ts'

/** One figure of the leaderboard. Terminal, page, HTML and Markdown draw their tables from the same list. */
export interface LeaderboardColumn {
  title: string
  describe(row: ReportRow): string
  /** The figure that leads, in bold. */
  isMain?: boolean
  /** The terminal draws the interval on an axis after this column. */
  isInterval?: boolean
  /** Draws attention to a figure. */
  isWarning?(row: ReportRow): boolean
  /** Left out of the terminal, where columns are few. */
  isSecondary?: boolean
  /** Whether the figure is known for any model; default true. */
  isKnown?(rows: readonly ReportRow[]): boolean
}

const isLatencyKnown = (rows: readonly ReportRow[]) => rows.some(({ medianLatencyMs }) => medianLatencyMs !== undefined)

/** In the order in which they are shown, after rank and model. */
export function listLeaderboardColumns(
  runCount: number,
  rows: readonly ReportRow[],
  { isLive = false }: { isLive?: boolean } = {},
): LeaderboardColumn[] {
  const unasked: LeaderboardColumn = {
    title: isLive ? 'Waiting' : 'Not run',
    describe: ({ notRun }) => formatCount(notRun),
  }
  const fromCache: LeaderboardColumn = { title: 'From cache', describe: formatCached }
  return [
    {
      title: 'Score',
      describe: ({ score }) => (score ? formatScore(score.mean) : 'no score'),
      isMain: true,
      isWarning: ({ score }) => !score,
    },
    { title: '95 % interval', describe: ({ score }) => (score ? describeInterval(score) : '–'), isInterval: true },
    { title: 'Passed', describe: ({ score }) => (score ? formatPassed(score) : '–') },
    { title: 'Pass rate', describe: ({ score }) => (score ? formatPassRate(score) : '–'), isSecondary: true },
    {
      title: runCount > 1 ? 'SD of runs' : 'SD',
      describe: ({ score }) => formatScore(score?.stdDev),
      isSecondary: true,
    },
    { title: 'n', describe: ({ score }) => formatCount(score?.n ?? 0) },
    {
      title: 'Missing',
      describe: ({ unscored, errors }) => formatCount(unscored + errors),
      isWarning: ({ unscored, errors }) => unscored + errors > 0,
    },
    ...(rows.some(({ notRun }) => notRun > 0) ? [unasked] : []),
    {
      title: 'Cost',
      describe: formatSpent,
      isKnown: (all) => isLatencyKnown(all) || all.some(({ cost, cached }) => cost.total > 0 || cached),
    },
    ...(rows.some(({ cached }) => cached) ? [fromCache] : []),
    { title: 'Latency', describe: ({ medianLatencyMs }) => formatDuration(medianLatencyMs), isKnown: isLatencyKnown },
  ]
}
