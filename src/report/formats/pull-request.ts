import { filterChanges, type CaseChange } from '../comparing/case-changes.ts'
import type { LabelledPair } from '../comparing/comparison.ts'
import { describeCases } from '../words/verdicts/verdicts.ts'
import { describeReportLead } from '../words/verdicts/lead.ts'
import { describeJudgeNotes } from '../words/judges/judge-notes.ts'
import type { Report } from '../model/report.ts'
import {
  describeCache,
  describeCell,
  describeChanges,
  describeLeaderboard,
  describeNotCompared,
  describePassChanges,
  excerpt,
  formatCount,
  formatSpent,
} from '../words/index.ts'
import { describeMissing } from '../words/runs/outcomes.ts'
import { namePair, pairTable } from '../tables/comparing.ts'
import { leaderboard } from '../tables/leaderboard.ts'
import type { Table } from '../tables/table.ts'
import { escapeMarkdown, writeMarkdownTable } from './markdown.ts'
import type { ReportFormat } from './report-format.ts'

/** The first line: a later comment of the same kind replaces the one that has it. */
const MARKER = '<!-- benchmaker -->'

/** The comment is read among others: it must fit a screen. */
const MAX_ROWS = 8
const MAX_CASES = 5
const MAX_ID_LENGTH = 60

const name = (modelId: string) => escapeMarkdown(excerpt(modelId, 80))

/** As many rows as a comment has room for. */
function fitTable<Row>(table: Table<Row>, rows: readonly Row[], what: string): string {
  const left = rows.length - MAX_ROWS
  return (
    writeMarkdownTable(table, rows.slice(0, MAX_ROWS)) + (left > 0 ? `\n… and ${formatCount(left, what)} more\n` : '')
  )
}

const BOARD = new Set(['rank', 'model', 'score', 'interval', 'passed', 'missing', 'cost'])
const PAIRS = new Set(['model', 'change', 'interval', 'p', 'better', 'worse', 'lost'])

/** The columns that a comment has room for, with names cut to it. */
const shortTable = <Row>(table: Table<Row>, keys: ReadonlySet<string>): Table<Row> =>
  table
    .filter(({ key }) => keys.has(key))
    .map((column) =>
      column.role === 'name' ? { ...column, text: (row: Row) => excerpt(column.text(row), 80) } : column,
    )

function listChangedCases(pairs: readonly LabelledPair[], kind: 'worse' | 'better'): string[] {
  const isOne = pairs.length === 1
  const changed = pairs.flatMap((pair) => filterChanges(pair.changes, kind).map((change) => ({ pair, change })))
  const sizeOf = ({ pass, difference = 0 }: CaseChange) => Math.abs(difference) + (pass ? 1 : 0)
  const shown = changed.toSorted((a, b) => sizeOf(b.change) - sizeOf(a.change)).slice(0, MAX_CASES)
  const lines = shown.map(({ pair, change }) => {
    const whose = isOne ? '' : ` (${name(namePair(pair))})`
    return `- ${escapeMarkdown(excerpt(change.id, MAX_ID_LENGTH))}${whose}: ${describeCell(change.before)} → ${describeCell(change.after)}`
  })
  const left = changed.length - shown.length
  return left > 0 ? [...lines, `- … and ${formatCount(left)} more`] : lines
}

function fold(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `\n<details><summary>${title}</summary>\n\n${lines.join('\n')}\n</details>\n`
}

function sumChanges(pairs: readonly LabelledPair[]) {
  const sum = (field: 'better' | 'worse' | 'same' | 'lost' | 'gained') =>
    pairs.reduce((total, { changes }) => total + changes[field], 0)
  return { better: sum('better'), worse: sum('worse'), same: sum('same'), lost: sum('lost'), gained: sum('gained') }
}

/** Where the numbers come from. */
function listProvenance(report: Report): string[] {
  const { runs, rows, caseCount, clusterCount, comparison } = report
  const models = comparison ? [] : [formatCount(rows.length, 'model')]
  const sides = comparison?.sides.map(({ runIds }, index) => `${String.fromCharCode(65 + index)}: ${runIds.join(', ')}`)
  return [
    describeCases({ n: caseCount, clusters: clusterCount }),
    ...models,
    `cost ${formatSpent(report)}`,
    ...(sides ?? runs.map(({ id }) => `run ${id}`)).slice(0, 4).map(escapeMarkdown),
  ]
}

function writeMissing({ missing }: Report): string[] {
  return missing
    .slice(0, MAX_CASES)
    .map((summary) => `- ${name(summary.modelId)}: ${escapeMarkdown(describeMissing(summary))}`)
}

/** That runs ended early, and why: most runs of a series do so for the same reason. */
function writeStops({ unfinished }: Report): string {
  const sentences = [...new Set(unfinished.map(({ sentence }) => sentence))]
  const shown = sentences.slice(0, MAX_CASES).map((sentence) => `\n**${escapeMarkdown(sentence)}.**\n`)
  const left = sentences.length - shown.length
  return `${shown.join('')}${left > 0 ? `\n… and ${formatCount(left)} more\n` : ''}`
}

/** A comment for a pull request: what got better and worse, in at most about 40 lines, with the rest folded. */
function writePullRequest(report: Report): string {
  const { title, comparison, judgeNotes, templates } = report
  const pairs = comparison?.pairs ?? []
  const verdict = describeReportLead(report)
  const changes = pairs.length === 1 ? pairs[0]!.changes : sumChanges(pairs)
  const counts = [
    pairs.length > 0 && describeChanges(changes),
    pairs.length > 0 && describePassChanges(changes),
    pairs.length === 1 && describeNotCompared(pairs[0]!.changes.notCompared),
  ].filter((text) => text !== false && text !== undefined)
  const notes = comparison?.notes ?? []
  const cached = describeCache(report.rows)
  return [
    `${MARKER}\n### ${escapeMarkdown(excerpt(title, 120))}\n\n**${escapeMarkdown(verdict)}**\n`,
    counts.length > 0 && `\n${counts.join(' ')} A is before, B after.\n`,
    writeStops(report),
    `\n${pairs.length > 0 ? fitTable(shortTable(pairTable, PAIRS), pairs, 'pair') : fitTable(shortTable(leaderboard({ runCount: report.runs.length }), BOARD), report.rows, 'model')}`,
    pairs.length === 0 &&
      describeLeaderboard(report)
        .map((note) => `\n${escapeMarkdown(note)}\n`)
        .join(''),
    fold('Got worse', listChangedCases(pairs, 'worse')),
    fold('Got better', listChangedCases(pairs, 'better')),
    fold('Without a score', writeMissing(report)),
    fold(
      'What else differs',
      notes.slice(0, MAX_CASES).map((note) => `- ${escapeMarkdown(note)}`),
    ),
    templates !== undefined && `\n${escapeMarkdown(templates.sentence)}\n`,
    ...describeJudgeNotes(judgeNotes).map((note) => `\n${escapeMarkdown(note)}\n`),
    cached !== undefined && `\n${cached}\n`,
    `\n<sub>${listProvenance(report).join(' · ')}</sub>\n`,
  ]
    .filter((part) => part !== false)
    .join('')
}

export const pullRequestFormat: ReportFormat = {
  name: 'pr-comment',
  label: 'Pull request comment',
  extension: '.pr.md',
  mediaType: 'text/markdown',
  write: writePullRequest,
}
