import {
  describeAgreement,
  describeDisagreement,
  describeEvidence,
  describeFlaky,
  describeRunCounts,
  describeMissing,
  describeNoScore,
  describePeople,
  describePurchase,
  describeRatings,
  excerpt,
  formatCount,
  formatRank,
  formatSpent,
  formatReportLine,
  formatReportSentence,
  formatPassed,
  formatScore,
  formatTime,
  listAgreement,
  listJudgingSections,
  listLabels,
  listLeaderboardColumns,
  listPeopleNotes,
  PEOPLE_TITLE,
  peopleColumns,
} from '../words/index.ts'
import type { ReportCell } from '../model/cases.ts'
import { describeJudgeNotes } from '../model/judge-notes.ts'
import { describeReportLead } from '../comparing/report-lead.ts'
import type { Report } from '../model/report.ts'
import { listGaps } from '../model/standings.ts'
import type { ReportRow } from '../model/report-row.ts'
import type { ReportFormat } from './report-format.ts'

/** Longer tables are unreadable. */
const MAX_ROWS = 200
const MAX_COMPARISONS = 10
/** Many models make very many pairs; HTML and JSON have them all. */
const ROOM_FOR_PAIRS = 10_000

/** A comment on GitHub may have 65,536 characters. */
const MAX_LENGTH = 60_000

/**
 * Turns untrusted text into one line of plain text: no markup, no HTML, no links. A word joiner after the @ keeps a
 * model's answer from notifying the person of that name.
 */
export function escapeMarkdown(text: string): string {
  return (
    text
      .replaceAll(/[\s\p{Cc}]+/gu, ' ')
      // Would turn the rest of the line around.
      .replaceAll(/[\u202A-\u202E\u2066-\u2069]/g, '')
      .trim()
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll(/[\\`*_[\]#|~!$]/g, String.raw`\$&`)
      .replaceAll('://', String.raw`:\/\/`)
      .replaceAll(/(?<![\p{L}\p{N}])@(?=[\p{L}\p{N}])/gu, '@\u2060')
      .replaceAll(/\bwww\./gi, (start) => `${start.slice(0, -1)}\\.`)
  )
}

export function table(columns: { title: string; right?: boolean }[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |\n`
  return (
    line(columns.map(({ title }) => title)) +
    line(columns.map(({ right }) => (right ? '---:' : '---'))) +
    rows.map(line).join('')
  )
}

function formatLeaderboard({ rows, runs }: Report): string {
  const figures = listLeaderboardColumns(runs.length, rows)
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

function details(title: string, content: string): string {
  return content === '' ? '' : `\n<details>\n<summary>${title}</summary>\n\n${content}\n</details>\n`
}

/** As many lines as there is room for, and how many are left out. */
function fitLines(lines: readonly string[], what: string): string {
  let room = ROOM_FOR_PAIRS
  const end = lines.findIndex((line) => (room -= line.length) < 0)
  if (end < 0) return lines.join('')
  return `${lines.slice(0, end).join('')}\n… and ${formatCount(lines.length - end, what)} more\n`
}

function formatComparisons({ comparisons, groups }: Report): string {
  if (comparisons.length === 0) return ''
  const lines = comparisons.map(({ comparison: { paired }, sentence }) => {
    if (!paired) return `- ${escapeMarkdown(sentence)}\n`
    return `- ${escapeMarkdown(sentence)} (${describeEvidence(paired)})\n`
  })
  const together = groups.map((group) => `- Cannot be told apart: ${group.map(escapeMarkdown).join(', ')}\n`)
  const rest = lines.slice(MAX_COMPARISONS)
  return `\n## Which differences are real\n\n${lines.slice(0, MAX_COMPARISONS).join('')}${together.join('')}${details(formatCount(rest.length, 'more pair'), fitLines(rest, 'pair'))}`
}

/** The differences as a paper reports them. */
function formatReportSentences({ comparisons }: Report): string {
  const pairs = comparisons.length
  const lines = comparisons.map(
    ({ comparison }) => `- ${escapeMarkdown(formatReportSentence(comparison, { pairs }))}\n`,
  )
  return details('To report', fitLines(lines, 'pair'))
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

function formatPeople({ people, ratingQueues }: Report): string {
  if (!people) return ''
  const rows = people.models.map((model) => [
    escapeMarkdown(model.modelId),
    ...peopleColumns.map(({ describe, isMain }) => (isMain ? `**${describe(model)}**` : describe(model))),
  ])
  const columns = [{ title: 'Model' }, ...peopleColumns.map(({ title, isText }) => ({ title, right: !isText }))]
  const notes = listPeopleNotes(people, ratingQueues).map((note) => `- ${escapeMarkdown(note)}\n`)
  return `\n## ${PEOPLE_TITLE}\n\n${escapeMarkdown(describePeople(people))}\n\n${table(columns, rows)}\n${notes.join('')}`
}

/** What to read before any score. */
function formatDisagreement({ agreement, judging }: Report): string {
  const text = describeDisagreement(agreement, judging.splits)
  return text === undefined ? '' : `**${escapeMarkdown(text)}**\n\n`
}

function formatJudging(report: Report): string {
  const { judging, runs } = report
  const sections = listJudgingSections(judging, { isSeries: runs.length > 1 }).map(({ title, lines, isOptional }) => {
    const list = fitLines(
      lines.map((line) => `- ${escapeMarkdown(line)}\n`),
      'line',
    )
    return isOptional ? details(title, list) : `\n## ${title}\n\n${list}`
  })
  const purchase = describePurchase(report)
  return sections.join('') + (purchase === undefined ? '' : `\n${escapeMarkdown(purchase)}\n`)
}

function formatMissing(report: Report): string {
  const lines = listGaps(report, { isDeciding: report.decisions !== undefined }).map(
    (summary) => `- ${escapeMarkdown(summary.modelId)}: ${escapeMarkdown(describeMissing(summary))}\n`,
  )
  return lines.length > 0 ? `\n## Without a score\n\n${lines.join('')}` : ''
}

function formatRatings({ ratings, runs }: Report, room: number): string {
  if (ratings.length === 0) return ''
  const isSeries = runs.length > 1
  const hasRaters = ratings.some(({ answers }) => answers.some(({ rater }) => rater !== undefined))
  const rows = ratings.flatMap(({ answers }) =>
    answers.map(({ testCaseId, modelId, runNumber, rating, score, note = '', rater }) => [
      escapeMarkdown(testCaseId),
      escapeMarkdown(modelId),
      ...(isSeries ? [formatCount(runNumber)] : []),
      formatScore(rating),
      formatScore(score),
      ...(hasRaters ? [escapeMarkdown(rater ?? '')] : []),
      escapeMarkdown(excerpt(note, 500)),
    ]),
  )
  const columns = [
    { title: 'Case' },
    { title: 'Model' },
    ...(isSeries ? [{ title: 'Run', right: true }] : []),
    { title: 'Rating', right: true },
    { title: 'Score', right: true },
    ...(hasRaters ? [{ title: 'Person' }] : []),
    { title: 'Note' },
  ]
  const lines = ratings.map(
    (model) => `- ${escapeMarkdown(model.modelId)}: ${escapeMarkdown(describeRatings(model))}\n`,
  )
  const title = `${formatCount(rows.length, 'answer')} with a rating or note`
  return `\n## Rated by people\n\n${lines.join('')}${details(title, fitTable(columns, rows, { what: 'answer', room }))}`
}

const passMark = (isPassed: boolean) => (isPassed ? '✓' : '✗')

/** A score with ✓ or ✗, or over several runs with how many passed. */
function formatCell({ mean, passed, answers }: ReportCell): string {
  if (mean !== undefined) {
    const count = answers.filter(({ score }) => score).length
    return `${formatScore(mean)} ${count === 1 ? passMark(passed === 1) : formatPassed({ passed, count })}`
  }
  const [answer] = answers
  return answer ? escapeMarkdown(describeNoScore(answer)) : '–'
}

/** As many rows as there is room for, and how many are left out. */
function fitTable(
  columns: { title: string; right?: boolean }[],
  rows: string[][],
  { what, room }: { what: string; room: number },
): string {
  let left = room
  const end = rows.findIndex((row, index) => {
    left -= row.join(' | ').length + 5
    return left < 0 || index >= MAX_ROWS
  })
  const shown = end < 0 ? rows : rows.slice(0, end)
  const hidden = rows.length - shown.length
  return table(columns, shown) + (hidden > 0 ? `\n… and ${formatCount(hidden, what)} more\n` : '')
}

function formatCases({ cases, rows }: Report, room: number): string {
  const lines = cases.map(({ id, category, cells }) => [
    escapeMarkdown(id),
    escapeMarkdown(category ?? ''),
    ...cells.map(formatCell),
  ])
  const columns = [
    { title: 'Case' },
    { title: 'Category' },
    ...rows.map(({ modelId }) => ({ title: escapeMarkdown(modelId), right: true })),
  ]
  return details('Cases', fitTable(columns, lines, { what: 'case', room }))
}

function formatAnswers({ cases }: Report, room: number): string {
  const lines = cases.flatMap(({ id, cells }) =>
    cells.flatMap(({ answers }) =>
      answers.map((answer) => {
        const { modelId, score, passed, response, error } = answer
        return [
          escapeMarkdown(id),
          escapeMarkdown(modelId),
          score ? `${formatScore(score.score)} ${passMark(passed === true)}` : escapeMarkdown(describeNoScore(answer)),
          escapeMarkdown(excerpt(response ?? error ?? '', 160)),
        ]
      }),
    ),
  )
  const columns = [{ title: 'Case' }, { title: 'Model' }, { title: 'Score', right: true }, { title: 'Answer' }]
  return details('Answers', fitTable(columns, lines, { what: 'answer', room }))
}

function formatFacts(report: Report): string {
  const { runs, caseCount, rows } = report
  const started = runs[0]?.startedAt === undefined ? undefined : formatTime(runs[0].startedAt)
  const facts = [
    ...listLabels(runs).map(([title, text]) => `${title.toLowerCase()} ${escapeMarkdown(text)}`),
    `${formatCount(caseCount, 'case')} × ${formatCount(rows.length, 'model')}${runs.length > 1 ? ` × ${formatCount(runs.length, 'run')}` : ''}`,
    ...(started === undefined ? [] : [started]),
    `cost ${formatSpent(report)}`,
    `run ${runs.map(({ id }) => escapeMarkdown(id)).join(', ')}`,
  ]
  return facts.join(' · ')
}

/** That and why runs ended early; each names its run if there are several. */
function formatStops({ unfinished, runs }: Report): string {
  const lines = unfinished.map(({ runId, sentence }) => {
    const whose = runs.length > 1 ? `${escapeMarkdown(runId)}: ` : ''
    return `**${whose}${escapeMarkdown(sentence)}.**\n\n`
  })
  return lines.join('')
}

/** What to doubt about the judges, beside the verdict. */
function formatJudgeNotes({ judgeNotes }: Report): string {
  return describeJudgeNotes(judgeNotes)
    .map((sentence) => `> ${escapeMarkdown(sentence)}\n\n`)
    .join('')
}

/** How runs that decide came to their decision, and what that saved. */
function formatDecisions({ decisions }: Report): string {
  if (!decisions) return ''
  return `${decisions.sentences.map((sentence) => `- ${escapeMarkdown(sentence)}\n`).join('')}\n`
}

/** A report for a pull request or a wiki: the verdict first, details collapsed, short enough for a comment. */
export function writeMarkdown(report: Report): string {
  const { title, method } = report
  const lead = describeReportLead(report)
  const main = [
    `# ${escapeMarkdown(title)}\n\n${formatDisagreement(report)}**${escapeMarkdown(lead)}**\n\n${formatJudgeNotes(report)}${formatStops(report)}${formatDecisions(report)}`,
    formatLeaderboard(report),
    `\n${formatFacts(report)}\n`,
    formatComparisons(report),
    formatSeries(report),
    formatAgreement(report),
    formatPeople(report),
    formatJudging(report),
    formatMissing(report),
  ].join('')
  const end = formatReportSentences(report) + details('Method', method.map((note) => `- ${note}\n`).join(''))
  const room = MAX_LENGTH - main.length - end.length
  const ratings = formatRatings(report, room / 3)
  const cases = formatCases(report, (room - ratings.length) / 2)
  const answers = formatAnswers(report, room - ratings.length - cases.length)
  return main + ratings + cases + answers + end
}

export const markdownFormat: ReportFormat = {
  name: 'markdown',
  label: 'Markdown',
  extension: '.md',
  mediaType: 'text/markdown',
  write: writeMarkdown,
}
