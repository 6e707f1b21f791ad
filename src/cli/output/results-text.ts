import stringWidth from 'fast-string-width'
import { writeReport, type Report, type ReportSummary } from '../../report/index.ts'
import {
  describeAgreement,
  describeEvidence,
  describeFlaky,
  describeRunCounts,
  describeMissing,
  formatCount,
  formatRank,
  formatSpent,
  listAgreement,
  listLeaderboardColumns,
} from '../../report/words/index.ts'
import { printDocument, styleFor, type Style, type Terminal } from './terminal.ts'
import { cleanText, formatTable, shorten, wrapText, type Column } from './text-table.ts'

const MAX_FLAKY_NAMED = 5
const MAX_MESSAGES_QUOTED = 2
const MIN_NAME_WIDTH = 12

/** Room for a name that an axis must leave. */
const NAME_BESIDE_AXIS = 16

/** From 0 to 100 with ticks at every 25, as wide as there is room for: widths have a whole number between ticks. */
const AXIS_WIDTHS = [41, 33, 25, 21]
const TICKS = [0, 25, 50, 75, 100]

function drawAxisTitle(width: number): string {
  const step = (width - 1) / 4
  const labels = TICKS.slice(0, -1).map((tick) => String(tick).padEnd(step))
  return `${labels.join('').slice(0, width - 3)}100`
}

/** A dot with its interval on a shared axis. */
function drawInterval(
  { mean, low, high }: { mean: number; low: number; high: number },
  { width, style }: { width: number; style: Style },
): string {
  const at = (score: number) => Math.round(score * (width - 1))
  const cells = Array.from({ length: width }, (_, index) => {
    if (index === at(mean)) return style('cyan', '●')
    if (index === at(low)) return '├'
    if (index === at(high)) return '┤'
    if (index > at(low) && index < at(high)) return '─'
    return style('dim', index % ((width - 1) / 4) === 0 ? '┊' : ' ')
  })
  return cells.join('')
}

/** The total cost, if judges or failed requests add to the costs of the answers. */
function formatTotalCost(report: ReportSummary): string {
  const { cost, answersCost } = report
  if (cost.total === answersCost.total && cost.unknown === answersCost.unknown) return ''
  return `Total cost, including judges and failed requests: ${formatSpent(report)}\n`
}

interface ShownColumn {
  column: Column
  cells: string[]
}

const GAP = 2
const widthOf = ({ column: { title }, cells }: ShownColumn) =>
  GAP + Math.max(...[title, ...cells].map((text) => stringWidth(text)))
const sumWidths = (columns: readonly ShownColumn[]) => columns.reduce((sum, column) => sum + widthOf(column), 0)

/** Shows cost and latency only if any are known; in a narrow terminal, the last columns and the axis give way. */
function formatLeaderboard({ rows, runIds }: ReportSummary, terminal: Terminal): string {
  const style = styleFor(terminal)
  const listed = listLeaderboardColumns(runIds.length).filter(
    ({ isSecondary = false, isKnown }) => !isSecondary && (isKnown?.(rows) ?? true),
  )
  const figures = listed.map(({ title, describe, isMain, isInterval }) => ({
    isInterval,
    column: { title, align: 'right' as const },
    cells: rows.map((row) => (isMain && row.score ? style('bold', describe(row)) : describe(row))),
  }))
  const rank: ShownColumn = {
    column: { title: '#', align: 'right' },
    cells: rows.map((row) => formatRank(row.rank)),
  }
  const roomFor = () => terminal.columns - sumWidths([rank, ...figures])
  const names = rows.map(({ modelId }) => cleanText(modelId))
  const longestName = Math.max(...names.map((name) => stringWidth(name)))
  while (figures.length > 1 && roomFor() < MIN_NAME_WIDTH) figures.pop()

  const room = roomFor()
  const axisWidth = AXIS_WIDTHS.find((width) => room - GAP - width >= Math.min(longestName, NAME_BESIDE_AXIS))
  const axis = (width: number): ShownColumn => ({
    column: { title: drawAxisTitle(width) },
    cells: rows.map(({ score }) => (score ? drawInterval(score, { width, style }) : '')),
  })
  const nameWidth = Math.max(MIN_NAME_WIDTH, room - (axisWidth === undefined ? 0 : GAP + axisWidth))
  const shown = [
    rank,
    { column: { title: 'Model' }, cells: names.map((name) => shorten(name, nameWidth)) },
    ...figures.flatMap((figure) =>
      figure.isInterval && axisWidth !== undefined ? [figure, axis(axisWidth)] : [figure],
    ),
  ]
  return formatTable(
    shown.map(({ column }) => column),
    rows.map((_, index) => shown.map(({ cells }) => cells[index]!)),
  )
}

function formatComparisons({ comparisons, groups }: ReportSummary, terminal: Terminal): string {
  if (comparisons.length === 0) return ''
  const style = styleFor(terminal)
  const indent = '    '
  const lines = comparisons.map(({ comparison, sentence }) => {
    const mark = comparison.paired?.isSignificant ? style('green', '  ≠ ') : style('yellow', '  ≈ ')
    const figures = comparison.paired && describeEvidence(comparison.paired)
    return [
      `${mark}${wrapText(cleanText(sentence), terminal.columns, indent)}\n`,
      ...(figures === undefined ? [] : [`${indent}${style('dim', wrapText(figures, terminal.columns, indent))}\n`]),
    ].join('')
  })
  const title = `\nWhich differences are real (paired by case${comparisons.length > 1 ? ', Holm-corrected' : ''})\n`
  const together = groups.map((group) => `  Cannot be told apart: ${group.map(cleanText).join(', ')}\n`)
  return [title, ...lines, ...together].join('')
}

function formatSeries({ overRuns, series }: ReportSummary, { columns }: Terminal): string {
  if (overRuns.length === 0) return ''
  const lines = overRuns.map(({ modelId, line, flaky }) => {
    const same = series.get(modelId)?.method === 'identical-runs' ? ', all runs identical' : ''
    const flakyCases =
      flaky.length === 0 ? '' : `\n    ${wrapText(cleanText(describeFlaky(flaky, MAX_FLAKY_NAMED)), columns, '    ')}`
    return `  ${cleanText(line)}${same}${flakyCases}\n`
  })
  return `\nOver ${describeRunCounts(overRuns)} of the same cases (mean ± SD over runs, interval for more such runs)\n${lines.join('')}`
}

/** The most frequent messages, one per line. */
function quoteMessages(messages: readonly { text: string; times: number }[], { columns }: Terminal): string {
  const lines = messages
    .slice(0, MAX_MESSAGES_QUOTED)
    .map(({ text, times }) => `${formatCount(times)} × ${cleanText(text).replace(/\s+/g, ' ').trim()}`)
  const others =
    messages.length > MAX_MESSAGES_QUOTED
      ? [`and ${formatCount(messages.length - MAX_MESSAGES_QUOTED, 'other message')}`]
      : []
  return [...lines, ...others].map((line) => `    ${cutEnd(line, Math.max(40, columns - 5))}\n`).join('')
}

function cutEnd(text: string, maxLength: number): string {
  const characters = [...text]
  return characters.length <= maxLength ? text : `${characters.slice(0, maxLength - 1).join('')}…`
}

/** Why cells are missing, with the original messages, and the means in the worst and best case. */
function formatMissing({ missing, messages }: ReportSummary, terminal: Terminal): string {
  const lines = missing.map((summary) => {
    const quoted = quoteMessages(messages.get(summary.modelId) ?? [], terminal)
    return `  ${cleanText(summary.modelId)}: ${cleanText(describeMissing(summary))}\n${quoted}`
  })
  return lines.length > 0 ? `\n${styleFor(terminal)('yellow', 'Without a score')}\n${lines.join('')}` : ''
}

function formatAgreement({ agreement }: ReportSummary): string {
  if (!agreement) return ''
  const lines = [describeAgreement(agreement), ...listAgreement(agreement)]
  return `\nHow far the judges agree\n${lines.map((line) => `  ${cleanText(line)}\n`).join('')}`
}

/** The report as a person reads it in a terminal. */
export function formatResults(report: ReportSummary, terminal: Terminal): string {
  const { title, runIds, rows, caseCount } = report
  const runCount = runIds.length === 1 ? '' : ` × ${formatCount(runIds.length, 'run')}`
  return [
    `${styleFor(terminal)('bold', cleanText(title))} · ${formatCount(caseCount, 'case')} × ${formatCount(rows.length, 'model')}${runCount}\n\n`,
    formatLeaderboard(report, terminal),
    formatTotalCost(report),
    formatComparisons(report, terminal),
    formatSeries(report, terminal),
    formatAgreement(report),
    formatMissing(report, terminal),
  ].join('')
}

/** Prints the tables to stdout; with `--json` the document goes there and the tables to stderr. */
export function printResults(report: Report, { json = false }: { json?: boolean }, terminal: Terminal): void {
  if (json) printDocument(writeReport(report, { format: 'json' }), terminal)
  const sink = json ? terminal.stderr : terminal.stdout
  sink.write(formatResults(report, terminal))
}
