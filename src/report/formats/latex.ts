import { describeCache, describeLeaderboard, describeMissing } from '../words/index.ts'
import { leaderboard } from '../tables/leaderboard.ts'
import { narrowColumnsFor, type Table } from '../tables/table.ts'
import { describeReportLead } from '../words/verdicts/lead.ts'
import { describeJudgeNotes } from '../words/judges/judge-notes.ts'
import type { Report } from '../model/report.ts'
import type { ReportFormat } from './report-format.ts'

const SPECIAL: Record<string, string> = {
  '\\': String.raw`\textbackslash{}`,
  '~': String.raw`\textasciitilde{}`,
  '^': String.raw`\textasciicircum{}`,
  // In LaTeX's oldest font encoding, still the default, these three print as other characters.
  '<': String.raw`\textless{}`,
  '>': String.raw`\textgreater{}`,
  '|': String.raw`\textbar{}`,
  '≈': String.raw`$\approx$`,
  '≤': String.raw`$\leq$`,
  '≥': String.raw`$\geq$`,
  α: String.raw`$\alpha$`,
  '–': '--',
  '−': '$-$',
  '±': String.raw`$\pm$`,
  '×': String.raw`$\times$`,
}

/** Turns untrusted text into plain text: no commands, no comments, no maths. */
export function escapeLatex(text: string): string {
  return text
    .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .replaceAll(/[\\~^<>|≈≤≥α–−±×&%$#_{}]/g, (character) => SPECIAL[character] ?? `\\${character}`)
}

/** The lines of a table by the package booktabs. */
function listTableLines<Row>(table: Table<Row>, rows: readonly Row[]): string[] {
  const columns = narrowColumnsFor(table, rows)
  const line = (cells: string[]) => `  ${cells.map(escapeLatex).join(' & ')} ${String.raw`\\`}`
  return [
    `  \\begin{tabular}{${columns.map(({ align }) => (align === 'end' ? 'r' : 'l')).join('')}}`,
    String.raw`  \toprule`,
    line(columns.map(({ label }) => label)),
    String.raw`  \midrule`,
    ...rows.map((row) => line(columns.map(({ text }) => text(row)))),
    String.raw`  \bottomrule`,
    String.raw`  \end{tabular}`,
  ]
}

/** The leaderboard as a table for a paper; it needs the package booktabs. */
function writeLatex(report: Report): string {
  const { rows, runs, title, missing, judgeNotes, templates } = report
  const notes = [
    ...describeLeaderboard(report),
    ...missing.map((summary) => `${summary.modelId}: ${describeMissing(summary)}.`),
    templates?.sentence,
    ...describeJudgeNotes(judgeNotes),
    describeCache(rows),
  ].filter((note) => note !== undefined)
  return [
    '% Needs \\usepackage{booktabs}.',
    String.raw`\begin{table}`,
    String.raw`  \centering`,
    `  \\caption{${escapeLatex(`${title}. ${describeReportLead(report)}`)}}`,
    ...listTableLines(leaderboard({ runCount: runs.length }), rows),
    ...notes.map((note) => `  \\par\\smallskip\\footnotesize ${escapeLatex(note)}`),
    String.raw`\end{table}`,
    '',
  ].join('\n')
}

export const latexFormat: ReportFormat = {
  name: 'latex',
  label: 'LaTeX table',
  extension: '.tex',
  mediaType: 'application/x-tex',
  write: writeLatex,
}
