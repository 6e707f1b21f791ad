import stringWidth from 'fast-string-width'
import { writeReport, type Report, type ReportRow, type ReportSummary } from '../../../report/index.ts'
import { listGaps } from '../../../report/model/standings.ts'
import {
  describeAgreement,
  describeCache,
  describeEstimate,
  describeCorrection,
  explainSequential,
  describeEvidence,
  describeFlaky,
  describeLead,
  describeMissing,
  describePeople,
  describeRatings,
  describeRunCounts,
  describeVerdict,
  formatCount,
  formatRank,
  formatReportLine,
  formatSpent,
  joinWords,
  listAgreement,
  listLeaderboardColumns,
  listPeopleNotes,
  PEOPLE_TITLE,
  type LeaderboardColumn,
} from '../../../report/words/index.ts'
import { describeJudgeNotes } from '../../../report/model/judge-notes.ts'
import { formatDisagreement, formatJudging, type JudgingTextOptions } from './judging-text.ts'
import { printDocument, printForPeople, styleFor, type Style, type Terminal } from '../terminal.ts'
import { cleanText, cutEnd, formatTable, shortenNames, wrapText, type Column } from '../text-table.ts'

const MAX_FLAKY_NAMED = 5
const MAX_MESSAGES_QUOTED = 2

/** A name needs this much room in one line with every figure; longer names get a line of their own. */
const ROOM_FOR_NAME = 24
/** The axis leaves names more: they tell models apart, and the figures are there without it. */
const NAME_BESIDE_AXIS = 32
/** More pairs are unreadable in a terminal; pipes and reports have them all. */
const MAX_PAIRS_SHOWN = 12
const MIN_NAME_WIDTH = 8

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
function formatTotalCost(report: ReportSummary, { columns }: Terminal): string {
  const { cost, answersCost } = report
  if (cost.total === answersCost.total && cost.unknown === answersCost.unknown) return ''
  return `${wrapText(`Total cost, including judges and failed requests: ${formatSpent(report)}`, columns, '  ')}\n`
}

/** A figure of the leaderboard, ready to print. */
interface Figure {
  column: LeaderboardColumn
  cells: string[]
  width: number
}

const GAP = 2
const sumWidths = (columns: readonly { width: number }[]) => columns.reduce((sum, { width }) => sum + GAP + width, 0)
const widest = (texts: readonly string[]) => Math.max(0, ...texts.map((text) => stringWidth(text)))

function listFigures({ rows, runIds }: ReportSummary, style: Style): Figure[] {
  return listLeaderboardColumns(runIds.length, rows)
    .filter(({ isSecondary = false, isKnown }) => !isSecondary && (isKnown?.(rows) ?? true))
    .map((column) => {
      const cells = rows.map((row) =>
        column.isMain && row.score ? style('bold', column.describe(row)) : column.describe(row),
      )
      return { column, cells, width: widest([column.title, ...cells]) }
    })
}

/** Every figure in one line per model, with the intervals on an axis if there is room. */
function formatRows({ rows }: ReportSummary, figures: Figure[], { names, rank, room, style }: Layout): string {
  const longestName = widest(names)
  const axisWidth = AXIS_WIDTHS.find((width) => room - GAP - width >= Math.min(longestName, NAME_BESIDE_AXIS))
  const nameWidth = room - (axisWidth === undefined ? 0 : GAP + axisWidth)
  const axis = axisWidth !== undefined && {
    column: { title: drawAxisTitle(axisWidth) },
    cells: rows.map(({ score }) => (score ? drawInterval(score, { width: axisWidth, style }) : '')),
  }
  const shown: { column: Column; cells: string[] }[] = [
    { column: { title: '#', align: 'right' }, cells: rank },
    { column: { title: 'Model' }, cells: shortenNames(names, nameWidth) },
    ...figures.flatMap(({ column: { title, isInterval }, cells }) => [
      { column: { title, align: 'right' as const }, cells },
      ...(isInterval && axis ? [axis] : []),
    ]),
  ]
  return formatTable(
    shown.map(({ column }) => column),
    rows.map((_, index) => shown.map(({ cells }) => cells[index]!)),
  )
}

/** What the second line says first: it ends where the room does. */
const SECOND_LINE = ['95 % interval', 'Passed', 'Missing', 'Not asked', 'From cache', 'Cost', 'Latency', 'n']

/** Two lines per model: rank, name and score, and below them the other figures, as many as fit. */
function formatPairsOfLines(
  { rows }: ReportSummary,
  figures: Figure[],
  { names, rank, columns, style }: Layout,
): string {
  const main = figures.find(({ column }) => column.isMain)!
  const rankWidth = widest(['#', ...rank])
  const indent = ' '.repeat(rankWidth + GAP)
  const nameWidth = Math.max(MIN_NAME_WIDTH, columns - rankWidth - GAP - GAP - main.width)
  const short = shortenNames(names, nameWidth)
  const pad = (text: string, width: number) => text + ' '.repeat(Math.max(0, width - stringWidth(text)))
  const right = (text: string, width: number) => ' '.repeat(Math.max(0, width - stringWidth(text))) + text
  const longest = widest(['Model', ...short])

  const others = SECOND_LINE.flatMap((title) => figures.find(({ column }) => column.title === title) ?? [])
  const describeFigures = (chosen: Figure[], row: ReportRow, index: number) =>
    chosen.flatMap(({ column, cells }) => {
      if (column.isInterval) return row.score ? [cells[index]!] : []
      // None missing goes without saying.
      if (cells[index] === '0' && column.title !== 'n') return []
      return [`${column.title.toLowerCase()} ${cells[index]}`]
    })
  const shown: Figure[] = []
  for (const figure of others) {
    const lines = rows.map((row, index) => describeFigures([...shown, figure], row, index).join(' · '))
    if (stringWidth(indent) + widest(lines) <= columns) shown.push(figure)
  }
  const lines = rows.map((row, index) => {
    const first = `${right(rank[index]!, rankWidth)}  ${pad(short[index]!, longest)}  ${right(main.cells[index]!, main.width)}`
    return `${first}\n${indent}${style('dim', describeFigures(shown, row, index).join(' · '))}\n`
  })
  const hidden = others.filter((figure) => !shown.includes(figure))
  const head = `${right('#', rankWidth)}  ${pad('Model', longest)}  ${right(main.column.title, main.width)}\n`
  return `${head}${lines.join('')}${nameHidden(hidden, { columns, style })}`
}

interface Layout {
  names: string[]
  rank: string[]
  /** Left for names beside every figure. */
  room: number
  columns: number
  style: Style
}

function nameHidden(hidden: Figure[], { columns, style }: Pick<Layout, 'columns' | 'style'>): string {
  if (hidden.length === 0) return ''
  const titles = hidden.map(({ column }) => column.title.toLowerCase())
  return `${style('dim', wrapText(`Left out for lack of room: ${joinWords(titles)}.`, columns, '  '))}\n`
}

/** One line per model if names and all figures but n fit, else two. Shows cost and latency only if any are known. */
function formatLeaderboard(report: ReportSummary, terminal: Terminal): string {
  const style = styleFor(terminal)
  const { columns } = terminal
  const figures = listFigures(report, style)
  const names = report.rows.map(({ modelId }) => cleanText(modelId))
  const rank = report.rows.map((row) => formatRank(row.rank))
  const roomBeside = (shown: Figure[]) => columns - widest(['#', ...rank]) - GAP - sumWidths(shown)
  const needed = Math.min(Math.max(MIN_NAME_WIDTH, widest(names)), ROOM_FOR_NAME)
  const withoutCount = figures.filter(({ column }) => column.title !== 'n')
  const shown = [figures, withoutCount].find((candidate) => roomBeside(candidate) >= needed)
  const cache = formatCache(report, terminal)
  if (!shown) return formatPairsOfLines(report, figures, { names, rank, room: 0, columns, style }) + cache
  const layout = { names, rank, room: roomBeside(shown), columns, style }
  const hidden = figures.filter((figure) => !shown.includes(figure))
  return formatRows(report, shown, layout) + nameHidden(hidden, layout) + cache
}

/** Indents a paragraph and wraps it. */
function paragraph(text: string, { columns }: Pick<Terminal, 'columns'>, { mark = '  ', indent = '  ' } = {}): string {
  return `${mark}${wrapText(text, columns, indent)}\n`
}

function formatCache({ rows }: ReportSummary, terminal: Terminal): string {
  const sentence = describeCache(rows)
  return sentence === undefined ? '' : `\n${paragraph(sentence, terminal)}`
}

/** Names as they appear in sentences: one that is longer than a line would be broken anywhere. */
function nameModels(models: readonly string[], { columns }: Terminal): (modelId: string) => string {
  const cleaned = models.map(cleanText)
  const short = shortenNames(cleaned, Math.max(MIN_NAME_WIDTH, columns - 8))
  const names = new Map(models.map((modelId, index) => [modelId, short[index]!]))
  return (modelId) => names.get(modelId) ?? cleanText(modelId)
}

type NameModel = (modelId: string) => string

function formatComparisons({ comparisons, groups }: ReportSummary, terminal: Terminal, nameOf: NameModel): string {
  if (comparisons.length === 0) return ''
  const style = styleFor(terminal)
  const indent = '    '
  const shown = Number.isFinite(terminal.columns) ? comparisons.slice(0, MAX_PAIRS_SHOWN) : comparisons
  const rest = comparisons.length - shown.length
  const more = `… and ${formatCount(rest, 'more pair')}: pipe this output, or write a report with --out report.html`
  const lines = shown.map(({ comparison }) => {
    const { modelA, modelB, paired } = comparison
    const mark = paired?.isSignificant ? style('green', '  ≠ ') : style('yellow', '  ≈ ')
    const sentence = describeVerdict({ ...comparison, modelA: nameOf(modelA), modelB: nameOf(modelB) })
    const figures = paired && describeEvidence(paired)
    return [
      paragraph(sentence, terminal, { mark, indent }),
      ...(figures === undefined ? [] : [`${indent}${style('dim', wrapText(figures, terminal.columns, indent))}\n`]),
    ].join('')
  })
  const tests = comparisons.flatMap(({ comparison: { paired } }) => paired?.verdictTest ?? [])
  const corrected = comparisons.length > 1 ? `, ${describeCorrection(tests)}` : ''
  const explained = explainSequential(tests)
  const title = `Which differences are real (paired by case${corrected})`
  const together = groups.map((group) =>
    paragraph(`Cannot be told apart: ${group.map(nameOf).join(', ')}`, terminal, { indent }),
  )
  return [
    '\n',
    paragraph(title, terminal, { mark: '' }),
    ...lines,
    ...(rest > 0 ? [paragraph(more, terminal, { indent })] : []),
    ...together,
    ...(explained === undefined ? [] : [paragraph(explained, terminal)]),
  ].join('')
}

function formatSeries({ overRuns, series }: ReportSummary, terminal: Terminal, nameOf: NameModel): string {
  if (overRuns.length === 0) return ''
  const indent = '    '
  const lines = overRuns.map(({ modelId, flaky }) => {
    const stats = series.get(modelId)!
    const same = stats.method === 'identical-runs' ? ', all runs identical' : ''
    const flakyCases =
      flaky.length === 0
        ? ''
        : paragraph(cleanText(describeFlaky(flaky, MAX_FLAKY_NAMED)), terminal, { mark: indent, indent })
    return paragraph(`${formatReportLine(nameOf(modelId), stats)}${same}`, terminal, { indent }) + flakyCases
  })
  const title = `Over ${describeRunCounts(overRuns)} of the same cases (mean ± SD over runs, interval for more such runs)`
  return `\n${paragraph(title, terminal, { mark: '' })}${lines.join('')}`
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
  return [...lines, ...others].map((line) => `    ${cutEnd(line, Math.max(30, columns - 4))}\n`).join('')
}

/** Why cells have no score, with the original messages, and the means in the worst and best case. */
function formatMissing(report: ReportSummary, terminal: Terminal, nameOf: NameModel): string {
  const { messages, decisions } = report
  const lines = listGaps(report, { isDeciding: decisions !== undefined }).map((summary) => {
    const { modelId } = summary
    const why = paragraph(`${nameOf(modelId)}: ${cleanText(describeMissing(summary))}`, terminal, { indent: '    ' })
    return why + quoteMessages(messages.get(modelId) ?? [], terminal)
  })
  return lines.length > 0 ? `\n${styleFor(terminal)('yellow', 'Without a score')}\n${lines.join('')}` : ''
}

function formatRatings({ ratings }: ReportSummary, terminal: Terminal, nameOf: NameModel): string {
  if (ratings.length === 0) return ''
  const lines = ratings.map((model) =>
    paragraph(`${nameOf(model.modelId)}: ${describeRatings(model)}`, terminal, { indent: '    ' }),
  )
  return `\nRated by people\n${lines.join('')}`
}

function formatPeople({ people, ratingQueues }: ReportSummary, terminal: Terminal, nameOf: NameModel): string {
  if (!people) return ''
  const lines = people.models.map((model) =>
    paragraph(`${nameOf(model.modelId)}: ${describeEstimate(model)}`, terminal, { indent: '    ' }),
  )
  const notes = listPeopleNotes(people, ratingQueues).map((note) =>
    paragraph(cleanText(note), terminal, { indent: '    ' }),
  )
  return `\n${PEOPLE_TITLE}\n${paragraph(cleanText(describePeople(people)), terminal)}${lines.join('')}${notes.join('')}`
}

function formatAgreement({ agreement }: ReportSummary, terminal: Terminal): string {
  if (!agreement) return ''
  const lines = [describeAgreement(agreement), ...listAgreement(agreement)]
  return `\nHow far the judges agree\n${lines.map((line) => paragraph(cleanText(line), terminal, { indent: '    ' })).join('')}`
}

/** The outcome in one sentence, if there is anything to compare. */
function formatLead({ rows, comparisons }: ReportSummary, terminal: Terminal, nameOf: NameModel): string {
  if (rows.length < 3) return ''
  const lead = describeLead(
    rows.map((row) => ({ ...row, modelId: nameOf(row.modelId) })),
    comparisons.map(({ comparison }) => ({
      ...comparison,
      modelA: nameOf(comparison.modelA),
      modelB: nameOf(comparison.modelB),
    })),
  )
  return `${wrapText(lead, terminal.columns, '  ')}\n\n`
}

/** What to doubt about the judges, beside the verdict. */
function formatJudgeNotes({ judgeNotes }: ReportSummary, terminal: Terminal): string {
  const lines = describeJudgeNotes(judgeNotes).map((sentence) =>
    styleFor(terminal)('yellow', wrapText(cleanText(sentence), terminal.columns, '  ')),
  )
  return lines.length > 0 ? `${lines.join('\n')}\n\n` : ''
}

/** That and why runs ended early; each names its run if there are several. */
function formatStops({ unfinished, runIds }: ReportSummary, terminal: Terminal): string {
  const lines = unfinished.map(({ runId, sentence }) => {
    const whose = runIds.length > 1 ? `${cleanText(runId)}: ` : ''
    return styleFor(terminal)('yellow', wrapText(`${whose}${sentence}.`, terminal.columns, '  '))
  })
  return lines.length > 0 ? `${lines.join('\n')}\n\n` : ''
}

/** How runs that decide came to their decision, and what that saved. */
function formatDecisions({ decisions }: ReportSummary, terminal: Terminal): string {
  if (!decisions) return ''
  const lines = decisions.sentences.map((sentence) => `${wrapText(cleanText(sentence), terminal.columns, '  ')}\n`)
  return `${lines.join('')}\n`
}

/** The report as a person reads it in a terminal. */
export function formatResults(report: ReportSummary, terminal: Terminal, options: JudgingTextOptions = {}): string {
  const { title, runIds, rows, caseCount } = report
  const runCount = runIds.length === 1 ? '' : ` × ${formatCount(runIds.length, 'run')}`
  const size = `${formatCount(caseCount, 'case')} × ${formatCount(rows.length, 'model')}${runCount}`
  const nameOf = nameModels(
    rows.map(({ modelId }) => modelId),
    terminal,
  )
  // Foreign text never begins a line: it could look like one of ours.
  const heading = wrapText(`${cleanText(title)} · ${size}`, terminal.columns, '  ')
  const shownTitle = cleanText(title)
  return [
    `${heading.startsWith(shownTitle) ? styleFor(terminal)('bold', shownTitle) + heading.slice(shownTitle.length) : heading}\n\n`,
    formatStops(report, terminal),
    formatDisagreement(report, terminal),
    formatDecisions(report, terminal),
    formatLead(report, terminal, nameOf),
    formatJudgeNotes(report, terminal),
    formatLeaderboard(report, terminal),
    formatTotalCost(report, terminal),
    formatComparisons(report, terminal, nameOf),
    formatSeries(report, terminal, nameOf),
    formatAgreement(report, terminal),
    formatPeople(report, terminal, nameOf),
    formatJudging(report, terminal, options),
    formatRatings(report, terminal, nameOf),
    formatMissing(report, terminal, nameOf),
  ].join('')
}

/** Prints the tables to stdout; with `--json` the document goes there and the tables to stderr. */
export function printResults(report: Report, { json = false }: { json?: boolean }, terminal: Terminal): void {
  if (json) printDocument(writeReport(report, { format: 'json' }), terminal)
  printForPeople((room) => formatResults(report, room), { json }, terminal)
}
