import Papa from 'papaparse'
import { escapeFormula } from '../../contract/files/csv-formulas.ts'
import type { Report } from '../model/report.ts'
import type { ReportRow } from '../model/report-row.ts'
import { describeReasons } from '../words/runs/missing.ts'
import type { ReportFormat } from './report-format.ts'

type Value = string | number | boolean | undefined

/** What people would give the model, if they rated answers. */
const findEstimate = ({ people }: Report, { modelId }: ReportRow) =>
  people?.models.find((model) => model.modelId === modelId)?.estimate

/** Scores are 0 to 1, as in all other data files. */
const COLUMNS: [name: string, value: (row: ReportRow, report: Report) => Value][] = [
  ['rankBest', ({ rank }) => rank?.best],
  ['rankWorst', ({ rank }) => rank?.worst],
  ['modelId', ({ modelId }) => modelId],
  ['score', ({ score }) => score?.mean],
  ['scoreLow95', ({ score }) => score?.low],
  ['scoreHigh95', ({ score }) => score?.high],
  ['intervalMethod', ({ score }) => score?.method],
  ['stdDev', ({ score }) => score?.stdDev],
  ['cases', ({ score }) => score?.n ?? 0],
  ['answers', ({ score }) => score?.count ?? 0],
  ['passed', ({ score }) => score?.passed ?? 0],
  ['passRate', ({ score }) => score?.passRate],
  ['passRateLow95', ({ score }) => score?.passRateConfidence95[0]],
  ['passRateHigh95', ({ score }) => score?.passRateConfidence95[1]],
  ['corrected', (row, report) => findEstimate(report, row)?.mean],
  ['correctedLow95', (row, report) => findEstimate(report, row)?.low],
  ['correctedHigh95', (row, report) => findEstimate(report, row)?.high],
  ['unscored', ({ unscored }) => unscored],
  ['errors', ({ errors }) => errors],
  ['notRun', ({ notRun }) => notRun],
  ['missingReasons', ({ missing }) => missing && describeReasons(missing.reasons)],
  ['scoreIfMissing0', ({ missing }) => missing?.boundsWithMissing[0]],
  ['scoreIfMissing1', ({ missing }) => missing?.boundsWithMissing[1]],
  ['cost', ({ cost, isCostKnown }) => (isCostKnown ? cost.total : undefined)],
  ['unknownCosts', ({ cost }) => cost.unknown],
  ['medianLatencyMs', ({ medianLatencyMs }) => medianLatencyMs],
  ['medianFirstTokenMs', ({ medianFirstTokenMs }) => medianFirstTokenMs],
  ['fromCache', ({ cached }) => cached?.count ?? 0],
  ['fromCacheOf', ({ cached }) => cached?.of],
  ['oldestFromCacheMs', ({ cached }) => (cached && cached.count > 0 ? cached.maxAgeMs : undefined)],
  ['simulated', ({ isSimulated }) => isSimulated],
  ['suite', (_row, { title }) => title],
  ['runs', (_row, { runs }) => runs.map(({ id }) => id).join('; ')],
]

/** One row per model with the ends of its intervals, for papers. `csv` has a row per answer. */
function writeLeaderboardCsv(report: Report): string {
  const escape = (value: Value) => (typeof value === 'string' ? escapeFormula(value) : (value ?? ''))
  const rows = report.rows.map((row) => COLUMNS.map(([, read]) => escape(read(row, report))))
  return `${Papa.unparse([COLUMNS.map(([name]) => name), ...rows], { newline: '\r\n' })}\r\n`
}

export const leaderboardCsvFormat: ReportFormat = {
  name: 'leaderboard-csv',
  label: 'Leaderboard CSV',
  extension: '.leaderboard.csv',
  mediaType: 'text/csv',
  write: writeLeaderboardCsv,
}
