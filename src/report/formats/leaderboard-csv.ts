import type { Report } from '../model/report.ts'
import type { ReportRow } from '../model/standings/report-row.ts'
import { leaderboard } from '../tables/leaderboard.ts'
import type { DataValue } from '../tables/table.ts'
import { writeRows } from './csv.ts'
import type { ReportFormat } from './report-format.ts'

/** What a row of the leaderboard does not know: the same for all models, or from people's ratings. */
function listReportData({ people, title, runs }: Report): Record<string, (row: ReportRow) => DataValue> {
  const estimates = new Map(people?.models.map(({ modelId, estimate }) => [modelId, estimate]))
  return {
    corrected: ({ modelId }) => estimates.get(modelId)?.mean,
    correctedLow95: ({ modelId }) => estimates.get(modelId)?.low,
    correctedHigh95: ({ modelId }) => estimates.get(modelId)?.high,
    suite: () => title,
    runs: () => runs.map(({ id }) => id).join('; '),
  }
}

/** One row per model with the ends of its intervals, for papers. `csv` has a row per answer. */
function writeLeaderboardCsv(report: Report): string {
  const columns = [
    ...leaderboard({ runCount: report.runs.length }).map(({ data = {} }) => data),
    listReportData(report),
  ].flatMap((data) => Object.entries(data))
  const rows = report.rows.map((row) => columns.map(([, read]) => read(row)))
  return writeRows([columns.map(([name]) => name), ...rows])
}

export const leaderboardCsvFormat: ReportFormat = {
  name: 'leaderboard-csv',
  label: 'Leaderboard CSV',
  extension: '.leaderboard.csv',
  mediaType: 'text/csv',
  write: writeLeaderboardCsv,
}
