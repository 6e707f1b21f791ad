import { countWithoutScore } from '../../statistics/index.ts'
import type { ReportRow } from '../model/report-row.ts'
import { describeInterval, formatCount, formatDuration, formatScore, formatSpent } from './numbers.ts'
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
export function listLeaderboardColumns(runCount: number): LeaderboardColumn[] {
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
      // Cells without a score: unscored, failed or not asked. A short word, because terminals have 80 columns.
      title: 'Gaps',
      describe: (row) => formatCount(countWithoutScore(row)),
      isWarning: (row) => countWithoutScore(row) > 0,
    },
    {
      title: 'Cost',
      describe: formatSpent,
      isKnown: (rows) => isLatencyKnown(rows) || rows.some(({ cost }) => cost.total > 0),
    },
    { title: 'Latency', describe: ({ medianLatencyMs }) => formatDuration(medianLatencyMs), isKnown: isLatencyKnown },
  ]
}
