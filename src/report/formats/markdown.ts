import {
  describeAgreement,
  describeDisagreement,
  describeEvidence,
  describeGroups,
  explainGroups,
  explainIntervals,
  describeFlaky,
  describeRunCounts,
  describeLeaderboard,
  describeMissing,
  describeNoScore,
  describePeople,
  hasRatedSample,
  recommendNextStep,
  describeRatings,
  excerpt,
  formatCount,
  formatSpent,
  formatSeriesLine,
  formatReportSentence,
  formatPassed,
  formatScore,
  formatTime,
  groupingWords,
  listAgreement,
  listJudgingSections,
  listLabels,
  listCorrectedPairs,
  listPeopleNotes,
  PEOPLE_TITLE,
  FOR_A_REPORT,
  headGroup,
} from '../words/index.ts'
import type { ReportAnswer, ReportCase, ReportCell } from '../model/cases.ts'
import { describeJudgeNotes } from '../words/judges/judge-notes.ts'
import { describeCases } from '../words/verdicts/verdicts.ts'
import { describeReportLead } from '../words/verdicts/lead.ts'
import { listGroups } from '../model/standings/groups.ts'
import type { Report } from '../model/report.ts'
import { listGaps, listRepeated } from '../model/standings/standings.ts'
import { groupTable } from '../tables/groups.ts'
import { leaderboard } from '../tables/leaderboard.ts'
import { peopleTable, ratedAnswers } from '../tables/people.ts'
import { columnsFor, isStrong, type Column, type Table } from '../tables/table.ts'
import type { ReportFormat } from './report-format.ts'

/** Longer tables are unreadable. */
const MAX_ROWS = 200
const MAX_NOTE = 500
const MAX_COMPARISONS = 10
/** Many models make very many pairs; HTML and JSON have them all. */
const ROOM_FOR_PAIRS = 10_000
const ROOM_FOR_GROUPS = 6000

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
      // Not a lone #, which labels a column, nor the $ of a price: a formula ends with one that no digit follows.
      .replaceAll(/[\\`*_[\]|~!]|#(?!$)|\$(?!\d)/g, String.raw`\$&`)
      .replaceAll('://', String.raw`:\/\/`)
      .replaceAll(/(?<![\p{L}\p{N}])@(?=[\p{L}\p{N}])/gu, '@\u2060')
      .replaceAll(/\bwww\./gi, (start) => `${start.slice(0, -1)}\\.`)
  )
}

/** The lines of a table: its head, the line below it, and its rows. */
function listLines<Row>(table: Table<Row>, rows: readonly Row[]): string[] {
  const columns = columnsFor(table, rows)
  const line = (cells: string[]) => `| ${cells.join(' | ')} |\n`
  const format = (column: Column<Row>, row: Row) => {
    const text = escapeMarkdown(column.role === 'note' ? excerpt(column.text(row), MAX_NOTE) : column.text(row))
    return isStrong(column, row) ? `**${text}**` : text
  }
  return [
    line(columns.map(({ label }) => escapeMarkdown(label))),
    line(columns.map(({ align }) => (align === 'end' ? '---:' : '---'))),
    ...rows.map((row) => line(columns.map((column) => format(column, row)))),
  ]
}

export function writeMarkdownTable<Row>(table: Table<Row>, rows: readonly Row[]): string {
  return listLines(table, rows).join('')
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

function writeComparisons({ comparisons, groups }: Report): string {
  if (comparisons.length === 0) return ''
  const lines = comparisons.map(({ comparison: { paired }, sentence }) => {
    if (!paired) return `- ${escapeMarkdown(sentence)}\n`
    return `- ${escapeMarkdown(sentence)} (${describeEvidence(paired)})\n`
  })
  const pairs = comparisons.map(({ comparison }) => comparison)
  const together = groups.map((group) => `- ${headGroup(group, pairs)} ${group.map(escapeMarkdown).join(', ')}\n`)
  const rest = lines.slice(MAX_COMPARISONS)
  const note = explainIntervals(pairs)
  return `\n## Which differences are real\n\n${lines.slice(0, MAX_COMPARISONS).join('')}${together.join('')}${note === undefined ? '' : `\n${note}\n`}${details(formatCount(rest.length, 'more pair'), fitLines(rest, 'pair'))}`
}

/** The differences as a paper reports them. */
function writeReportSentences({ comparisons }: Report): string {
  const pairs = comparisons.length
  const lines = comparisons.map(
    ({ comparison }) => `- ${escapeMarkdown(formatReportSentence(comparison, { pairs }))}\n`,
  )
  return details(FOR_A_REPORT, fitLines(lines, 'pair'))
}

/** Who wins where: a sentence for each breakdown, its table collapsed. */
function writeGroups(report: Report): string {
  const models = report.rows.map(({ modelId }) => modelId)
  const parts = listGroups(report).map((grouped) => {
    const { by, groups } = grouped
    const sentence = describeGroups(grouped)
    const table = fitTable(groupTable(by, models, groups), groups, { what: 'group', room: ROOM_FOR_GROUPS })
    const notes = explainGroups(grouped).map((note) => `\n${escapeMarkdown(note)}\n`)
    const said = sentence === undefined ? '' : `\n${escapeMarkdown(sentence)}\n`
    return `${said}${details(`By ${groupingWords[by].one}`, `${table}${notes.join('')}`)}`
  })
  return parts.length === 0 ? '' : `\n## By group\n${parts.join('')}`
}

function writeSeries(report: Report): string {
  const repeated = listRepeated(report)
  if (repeated.length === 0) return ''
  const lines = repeated.map(({ repeats: { flaky }, ...stats }) => {
    const changing = flaky.length > 0 ? `; ${escapeMarkdown(describeFlaky(flaky))}` : ''
    return `- ${formatSeriesLine(escapeMarkdown(stats.modelId), stats)}${changing}\n`
  })
  return `\n## Over ${describeRunCounts(repeated)}\n\n${lines.join('')}`
}

function writeAgreement({ agreement }: Report): string {
  if (!agreement) return ''
  const lines = [describeAgreement(agreement), ...listAgreement(agreement)]
  return `\n## How far the judges agree\n\n${lines.map((line) => `- ${escapeMarkdown(line)}\n`).join('')}`
}

function writePeople({ people, ratingQueues }: Report): string {
  if (!people) return ''
  const notes = [...listCorrectedPairs(people), ...listPeopleNotes(people, ratingQueues)].map(
    (note) => `- ${escapeMarkdown(note)}\n`,
  )
  const estimates = hasRatedSample(people)
    ? `${escapeMarkdown(describePeople(people))}\n\n${writeMarkdownTable(peopleTable, people.models)}\n`
    : ''
  return `\n## ${PEOPLE_TITLE}\n\n${estimates}${notes.join('')}`
}

/** What to read before any score. */
function writeDisagreement({ agreement, judging }: Report): string {
  const text = describeDisagreement(agreement, judging.splits)
  return text === undefined ? '' : `**${escapeMarkdown(text)}**\n\n`
}

function writeJudging(report: Report): string {
  const { judging, runs } = report
  const sections = listJudgingSections(judging, { isSeries: runs.length > 1 }).map(({ title, lines, isOptional }) => {
    const list = fitLines(
      lines.map((line) => `- ${escapeMarkdown(line)}\n`),
      'line',
    )
    return isOptional ? details(title, list) : `\n## ${title}\n\n${list}`
  })
  const nextStep = recommendNextStep(report)
  return sections.join('') + (nextStep === undefined ? '' : `\n${escapeMarkdown(nextStep)}\n`)
}

function writeMissing(report: Report): string {
  const lines = listGaps(report, { isDeciding: report.decisions !== undefined }).map(
    (summary) => `- ${escapeMarkdown(summary.modelId)}: ${escapeMarkdown(describeMissing(summary))}\n`,
  )
  return lines.length > 0 ? `\n## Without a score\n\n${lines.join('')}` : ''
}

function writeRatings({ ratings, runs }: Report, room: number): string {
  if (ratings.length === 0) return ''
  const answers = ratings.flatMap((model) => model.answers)
  const lines = ratings.map(
    (model) => `- ${escapeMarkdown(model.modelId)}: ${escapeMarkdown(describeRatings(model))}\n`,
  )
  const title = `${formatCount(answers.length, 'answer')} with a rating or note`
  return `\n## Rated by people\n\n${lines.join('')}${details(title, fitTable(ratedAnswers({ runCount: runs.length }), answers, { what: 'answer', room }))}`
}

const passMark = (isPassed: boolean) => (isPassed ? '✓' : '✗')

/** A score with ✓ or ✗, or over several runs with how many passed. */
function writeCell({ mean, passed, answers }: ReportCell): string {
  if (mean !== undefined) {
    const count = answers.filter(({ score }) => score).length
    return `${formatScore(mean)} ${count === 1 ? passMark(passed === 1) : formatPassed({ passed, count })}`
  }
  const [answer] = answers
  return answer ? describeNoScore(answer) : '–'
}

/** As many rows as there is room for, and how many are left out. */
function fitTable<Row>(
  table: Table<Row>,
  rows: readonly Row[],
  { what, room }: { what: string; room: number },
): string {
  const [head = '', rule = '', ...lines] = listLines(table, rows)
  let left = room
  const end = lines.findIndex((line, index) => (left -= line.length) < 0 || index >= MAX_ROWS)
  const shown = end < 0 ? lines : lines.slice(0, end)
  const hidden = lines.length - shown.length
  return head + rule + shown.join('') + (hidden > 0 ? `\n… and ${formatCount(hidden, what)} more\n` : '')
}

function writeCases({ cases, rows }: Report, room: number): string {
  const table: Table<ReportCase> = [
    { key: 'case', label: 'Case', text: ({ id }) => id },
    { key: 'category', label: 'Category', text: ({ category = '' }) => category },
    ...rows.map(({ modelId }, index) => ({
      key: modelId,
      label: modelId,
      align: 'end' as const,
      text: ({ cells }: ReportCase) => writeCell(cells[index]!),
    })),
  ]
  return details('Cases', fitTable(table, cases, { what: 'case', room }))
}

const answerTable: Table<ReportAnswer & { caseId: string }> = [
  { key: 'case', label: 'Case', text: ({ caseId }) => caseId },
  { key: 'model', label: 'Model', text: ({ modelId }) => modelId },
  {
    key: 'score',
    label: 'Score',
    align: 'end',
    text: (answer) =>
      answer.score ? `${formatScore(answer.score.score)} ${passMark(answer.passed === true)}` : describeNoScore(answer),
  },
  { key: 'answer', label: 'Answer', text: ({ response, error }) => excerpt(response ?? error ?? '', 160) },
]

function writeAnswers({ cases }: Report, room: number): string {
  const answers = cases.flatMap(({ id: caseId, cells }) =>
    cells.flatMap((cell) => cell.answers.map((answer) => ({ ...answer, caseId }))),
  )
  return details('Answers', fitTable(answerTable, answers, { what: 'answer', room }))
}

function writeFacts(report: Report): string {
  const { runs, caseCount, clusterCount, rows } = report
  const started = runs[0]?.startedAt === undefined ? undefined : formatTime(runs[0].startedAt)
  const facts = [
    ...listLabels(runs).map(([title, text]) => `${title.toLowerCase()} ${escapeMarkdown(text)}`),
    `${describeCases({ n: caseCount, clusters: clusterCount })} × ${formatCount(rows.length, 'model')}${runs.length > 1 ? ` × ${formatCount(runs.length, 'run')}` : ''}`,
    ...(started === undefined ? [] : [started]),
    `cost ${formatSpent(report)}`,
    `run ${runs.map(({ id }) => escapeMarkdown(id)).join(', ')}`,
  ]
  return facts.join(' · ')
}

/** That and why runs ended early; each names its run if there are several. */
function writeStops({ unfinished, runs }: Report): string {
  const lines = unfinished.map(({ runId, sentence }) => {
    const whose = runs.length > 1 ? `${escapeMarkdown(runId)}: ` : ''
    return `**${whose}${escapeMarkdown(sentence)}.**\n\n`
  })
  return lines.join('')
}

/** What to doubt about the judges, beside the verdict. */
function writeJudgeNotes({ judgeNotes }: Report): string {
  return describeJudgeNotes(judgeNotes)
    .map((sentence) => `> ${escapeMarkdown(sentence)}\n\n`)
    .join('')
}

/** That cases look like variants of a few templates. */
function writeTemplates({ templates }: Report): string {
  return templates ? `> ${escapeMarkdown(templates.sentence)}\n\n` : ''
}

/** How runs that decide came to their decision, and what that saved. */
function writeDecisions({ decisions }: Report): string {
  if (!decisions) return ''
  return `${decisions.sentences.map((sentence) => `- ${escapeMarkdown(sentence)}\n`).join('')}\n`
}

/** A report for a pull request or a wiki: the verdict first, details collapsed, short enough for a comment. */
export function writeMarkdown(report: Report): string {
  const { title, method } = report
  const lead = describeReportLead(report)
  const main = [
    `# ${escapeMarkdown(title)}\n\n${writeDisagreement(report)}**${escapeMarkdown(lead)}**\n\n${writeTemplates(report)}${writeJudgeNotes(report)}${writeStops(report)}${writeDecisions(report)}`,
    writeMarkdownTable(leaderboard({ runCount: report.runs.length }), report.rows),
    ...describeLeaderboard(report).map((note) => `\n${escapeMarkdown(note)}\n`),
    `\n${writeFacts(report)}\n`,
    writeComparisons(report),
    writeGroups(report),
    writeSeries(report),
    writeAgreement(report),
    writePeople(report),
    writeJudging(report),
    writeMissing(report),
  ].join('')
  const end = writeReportSentences(report) + details('Method', method.map((note) => `- ${note}\n`).join(''))
  const room = MAX_LENGTH - main.length - end.length
  const ratings = writeRatings(report, room / 3)
  const cases = writeCases(report, (room - ratings.length) / 2)
  const answers = writeAnswers(report, room - ratings.length - cases.length)
  return main + ratings + cases + answers + end
}

export const markdownFormat: ReportFormat = {
  name: 'markdown',
  label: 'Markdown',
  extension: '.md',
  mediaType: 'text/markdown',
  write: writeMarkdown,
}
