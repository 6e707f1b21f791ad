import stringWidth from 'fast-string-width'
import type { ReportRow, ReportSummary } from '../../../report/index.ts'
import { formatRank, joinWords, listLeaderboardColumns, type LeaderboardColumn } from '../../../report/words/index.ts'
import { styleFor, type Style, type Terminal } from '../terminal.ts'
import { cleanText, drawTable, shortenNames, wrapText, type Column } from '../text-table.ts'

/** A name needs this much room in one line with every figure; longer names get a line of their own. */
const ROOM_FOR_NAME = 24
/** The axis leaves names more: they tell models apart, and the figures are there without it. */
const NAME_BESIDE_AXIS = 32
export const MIN_NAME_WIDTH = 8

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
function drawRows({ rows }: ReportSummary, figures: Figure[], { names, rank, room, style }: Layout): string {
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
  return drawTable(
    shown.map(({ column }) => column),
    rows.map((_, index) => shown.map(({ cells }) => cells[index]!)),
  )
}

/** What the second line says first: it ends where the room does. */
const SECOND_LINE = ['95 % interval', 'Passed', 'Missing', 'Not run', 'From cache', 'Cost', 'Latency', 'n']

/** Two lines per model: rank, name and score, and below them the other figures, as many as fit. */
function drawPairsOfLines({ rows }: ReportSummary, figures: Figure[], { names, rank, columns, style }: Layout): string {
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
export function drawLeaderboard(report: ReportSummary, terminal: Terminal): string {
  const style = styleFor(terminal)
  const { columns } = terminal
  const figures = listFigures(report, style)
  const names = report.rows.map(({ modelId }) => cleanText(modelId))
  const rank = report.rows.map((row) => formatRank(row.rank))
  const roomBeside = (shown: Figure[]) => columns - widest(['#', ...rank]) - GAP - sumWidths(shown)
  const needed = Math.min(Math.max(MIN_NAME_WIDTH, widest(names)), ROOM_FOR_NAME)
  const withoutCount = figures.filter(({ column }) => column.title !== 'n')
  const shown = [figures, withoutCount].find((candidate) => roomBeside(candidate) >= needed)
  if (!shown) return drawPairsOfLines(report, figures, { names, rank, room: 0, columns, style })
  const layout = { names, rank, room: roomBeside(shown), columns, style }
  const hidden = figures.filter((figure) => !shown.includes(figure))
  return drawRows(report, shown, layout) + nameHidden(hidden, layout)
}
