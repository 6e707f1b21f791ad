import { describeCache, describeMissing, formatRank, listLeaderboardColumns } from '../words/index.ts'
import { describeReportLead } from '../comparing/report-lead.ts'
import { describeJudgeNotes } from '../model/judge-notes.ts'
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

/** The leaderboard as a table for a paper; it needs the package booktabs. */
function writeLatex(report: Report): string {
  const { rows, runs, title, missing, judgeNotes } = report
  const columns = listLeaderboardColumns(runs.length, rows).filter(
    ({ isSecondary, isKnown }) => !isSecondary && (isKnown?.(rows) ?? true),
  )
  const notes = [
    ...missing.map((summary) => `${summary.modelId}: ${describeMissing(summary)}.`),
    ...describeJudgeNotes(judgeNotes),
    describeCache(rows),
  ].filter((note) => note !== undefined)
  const line = (cells: string[]) => `  ${cells.map(escapeLatex).join(' & ')} ${String.raw`\\`}`
  return [
    '% Needs \\usepackage{booktabs}.',
    String.raw`\begin{table}`,
    String.raw`  \centering`,
    `  \\caption{${escapeLatex(`${title}. ${describeReportLead(report)}`)}}`,
    `  \\begin{tabular}{rl${'r'.repeat(columns.length)}}`,
    String.raw`  \toprule`,
    line(['#', 'Model', ...columns.map((column) => column.title)]),
    String.raw`  \midrule`,
    ...rows.map((row) =>
      line([
        formatRank(row.rank),
        row.modelId + (row.isSimulated ? ' (simulated)' : ''),
        ...columns.map(({ describe }) => describe(row)),
      ]),
    ),
    String.raw`  \bottomrule`,
    String.raw`  \end{tabular}`,
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
