import {
  describeAgreement,
  describeEvidence,
  describeFlaky,
  describeRunCounts,
  describeMissing,
  excerpt,
  formatCount,
  formatRank,
  formatSpent,
  formatReportLine,
  formatPassed,
  formatScore,
  formatTime,
  listAgreement,
  listLabels,
  listLeaderboardColumns,
} from '../words/index.ts'
import type { ReportCell } from '../model/cases.ts'
import type { Report } from '../model/report.ts'
import type { ReportRow } from '../model/report-row.ts'
import type { ReportFormat } from './report-format.ts'

/** Longer tables are unreadable, and sites truncate long comments. */
const MAX_ROWS = 200

/**
 * Turns untrusted text into one line of plain text: no markup, no HTML, no links. A word joiner after the @ keeps a
 * model's answer from notifying the person of that name.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[\\`*_[\]#|~!$]/g, String.raw`\$&`)
    .replaceAll('://', String.raw`:\/\/`)
    .replaceAll(/(?<![\p{L}\p{N}])@(?=[\p{L}\p{N}])/gu, '@\u2060')
    .replaceAll(/\bwww\./gi, (start) => `${start.slice(0, -1)}\\.`)
}

function table(columns: { title: string; right?: boolean }[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |\n`
  return (
    line(columns.map(({ title }) => title)) +
    line(columns.map(({ right }) => (right ? '---:' : '---'))) +
    rows.map(line).join('')
  )
}

function formatLeaderboard({ rows, runs }: Report): string {
  const figures = listLeaderboardColumns(runs.length)
  const format = (row: ReportRow) => [
    formatRank(row.rank),
    escapeMarkdown(row.modelId) + (row.isSimulated ? ' (simulated)' : ''),
    ...figures.map(({ describe, isMain }) => (isMain && row.score ? `**${describe(row)}**` : describe(row))),
  ]
  return table(
    [{ title: '#', right: true }, { title: 'Model' }, ...figures.map(({ title }) => ({ title, right: true }))],
    rows.map(format),
  )
}

function formatComparisons({ comparisons, groups }: Report): string {
  if (comparisons.length === 0) return ''
  const lines = comparisons.map(({ comparison: { paired }, sentence }) => {
    if (!paired) return `- ${escapeMarkdown(sentence)}\n`
    return `- ${escapeMarkdown(sentence)} (${describeEvidence(paired)})\n`
  })
  const together = groups.map((group) => `- Cannot be told apart: ${group.map(escapeMarkdown).join(', ')}\n`)
  return `\n## Which differences are real\n\n${lines.join('')}${together.join('')}`
}

function formatSeries({ overRuns, series }: Report): string {
  if (overRuns.length === 0) return ''
  const lines = overRuns.map(({ modelId, flaky }) => {
    const changing = flaky.length > 0 ? `; ${escapeMarkdown(describeFlaky(flaky))}` : ''
    return `- ${formatReportLine(escapeMarkdown(modelId), series.get(modelId)!)}${changing}\n`
  })
  return `\n## Over ${describeRunCounts(overRuns)}\n\n${lines.join('')}`
}

function formatAgreement({ agreement }: Report): string {
  if (!agreement) return ''
  const lines = [describeAgreement(agreement), ...listAgreement(agreement)]
  return `\n## How far the judges agree\n\n${lines.map((line) => `- ${escapeMarkdown(line)}\n`).join('')}`
}

function formatMissing({ missing }: Report): string {
  const lines = missing.map(
    (summary) => `- ${escapeMarkdown(summary.modelId)}: ${escapeMarkdown(describeMissing(summary))}\n`,
  )
  return lines.length > 0 ? `\n## Missing\n\n${lines.join('')}` : ''
}

const passMark = (isPassed: boolean) => (isPassed ? '✓' : '✗')

/** A score with ✓ or ✗, or over several runs with how many passed. */
function formatCell({ mean, passed, answers }: ReportCell): string {
  if (mean !== undefined) {
    const count = answers.filter(({ score }) => score).length
    return `${formatScore(mean)} ${count === 1 ? passMark(passed === 1) : formatPassed({ passed, count })}`
  }
  const [answer] = answers
  return answer ? escapeMarkdown(answer.unscored?.code ?? answer.outcome ?? 'no score') : '–'
}

function more(left: number, what: string): string {
  return left > 0 ? `\n… and ${formatCount(left, what)} more\n` : ''
}

function formatCases({ cases, rows }: Report): string {
  const shown = cases
    .slice(0, MAX_ROWS)
    .map(({ id, category, cells }) => [escapeMarkdown(id), escapeMarkdown(category ?? ''), ...cells.map(formatCell)])
  const columns = [
    { title: 'Case' },
    { title: 'Category' },
    ...rows.map(({ modelId }) => ({ title: escapeMarkdown(modelId), right: true })),
  ]
  return `\n## Cases\n\n${table(columns, shown)}${more(cases.length - shown.length, 'case')}`
}

function formatAnswers({ cases }: Report): string {
  const answers = cases.flatMap(({ id, cells }) =>
    cells.flatMap((cell) => cell.answers.map((answer) => ({ id, answer }))),
  )
  const shown = answers
    .slice(0, MAX_ROWS)
    .map(({ id, answer: { modelId, score, passed, unscored, outcome, response, error } }) => [
      escapeMarkdown(id),
      escapeMarkdown(modelId),
      score
        ? `${formatScore(score.score)} ${passMark(passed === true)}`
        : escapeMarkdown(unscored?.code ?? outcome ?? 'no score'),
      escapeMarkdown(excerpt(response ?? error ?? '', 160)),
    ])
  const list = table(
    [{ title: 'Case' }, { title: 'Model' }, { title: 'Score', right: true }, { title: 'Answer' }],
    shown,
  )
  return `\n<details>\n<summary>Answers</summary>\n\n${list}${more(answers.length - shown.length, 'answer')}\n</details>\n`
}

/** Shows at the top if a run did not finish. */
function formatFacts(report: Report): string {
  const { runs, caseCount, rows, unfinished } = report
  const started = runs[0]?.startedAt === undefined ? undefined : formatTime(runs[0].startedAt)
  const facts = [
    ...listLabels(runs).map(([title, text]) => `${title.toLowerCase()} ${escapeMarkdown(text)}`),
    `${formatCount(caseCount, 'case')} × ${formatCount(rows.length, 'model')}${runs.length > 1 ? ` × ${formatCount(runs.length, 'run')}` : ''}`,
    ...(started === undefined ? [] : [started]),
    ...unfinished.map((run) => `**${run.status}**, ${formatCount(run.cells, 'cell')} not finished`),
    `cost ${formatSpent(report)}`,
    `run ${runs.map(({ id }) => escapeMarkdown(id)).join(', ')}`,
  ]
  return facts.join(' · ')
}

/** A report for a pull request or a wiki. */
export function writeMarkdown(report: Report): string {
  return [
    `# ${escapeMarkdown(report.title)}\n\n${formatFacts(report)}\n\n`,
    formatLeaderboard(report),
    formatComparisons(report),
    formatSeries(report),
    formatAgreement(report),
    formatMissing(report),
    formatCases(report),
    formatAnswers(report),
    `\n## Method\n\n${report.method.map((note) => `- ${note}\n`).join('')}`,
  ].join('')
}

export const markdownFormat: ReportFormat = {
  name: 'markdown',
  label: 'Markdown',
  extension: '.md',
  mediaType: 'text/markdown',
  write: writeMarkdown,
}
