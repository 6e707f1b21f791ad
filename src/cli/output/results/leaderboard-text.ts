import stringWidth from 'fast-string-width'
import type { ReportRow, ReportSummary } from '../../../report/index.ts'
import { leaderboard } from '../../../report/tables/leaderboard.ts'
import { isStrong, narrowColumnsFor, type Column } from '../../../report/tables/table.ts'
import { formatRank, joinWords } from '../../../report/words/index.ts'
import { styleFor, type Style, type Terminal } from '../terminal.ts'
import { cleanText, layOut, pad, shortenNames, widestOf, wrapText } from '../text-table.ts'

/** A name needs this much room in one line with every figure; longer names get a line of their own. */
const ROOM_FOR_NAME = 24
/** The axis leaves names more: they tell models apart, and the figures are there without it. */
const NAME_BESIDE_AXIS = 32
export const MIN_NAME_WIDTH = 8

/** From 0 to 100 with ticks at every 25, as wide as there is room for: widths have a whole number between ticks. */
const AXIS_WIDTHS = [41, 33, 25, 21, 17]
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
interface Figure extends Column<ReportRow> {
  cells: string[]
  width: number
}

const GAP = 2
const sumWidths = (columns: readonly { width: number }[]) => columns.reduce((sum, { width }) => sum + GAP + width, 0)

function listFigures({ rows, runIds }: ReportSummary, style: Style): Figure[] {
  const figures = narrowColumnsFor(leaderboard({ runCount: runIds.length }), rows).filter(
    ({ key }) => key !== 'rank' && key !== 'model',
  )
  return figures.map((column) => {
    const cells = rows.map((row) => (isStrong(column, row) ? style('bold', column.text(row)) : column.text(row)))
    return { ...column, cells, width: widestOf([column.label, ...cells]) }
  })
}

/** Every figure in one line per model, with the intervals on an axis if there is room. */
function drawRows({ rows }: ReportSummary, figures: Figure[], { names, rank, room, style }: Layout): string {
  const axisWidth = AXIS_WIDTHS.find((width) => room - GAP - width >= Math.min(widestOf(names), NAME_BESIDE_AXIS))
  const nameWidth = room - (axisWidth === undefined ? 0 : GAP + axisWidth)
  const axis = axisWidth !== undefined && {
    label: drawAxisTitle(axisWidth),
    cells: rows.map(({ score }) => (score ? drawInterval(score, { width: axisWidth, style }) : '')),
  }
  return layOut([
    { label: '#', align: 'end', cells: rank },
    { label: 'Model', cells: shortenNames(names, nameWidth) },
    ...figures.flatMap((figure) => (figure.role === 'interval' && axis ? [figure, axis] : [figure])),
  ])
}

/** What the second line says first: it ends where the room does. */
const SECOND_LINE = ['interval', 'passed', 'missing', 'notRun', 'fromCache', 'cost', 'latency', 'n']

/** Two lines per model: rank, name and score, and below them the other figures, as many as fit. */
function drawPairsOfLines({ rows }: ReportSummary, figures: Figure[], { names, rank, columns, style }: Layout): string {
  const main = figures.find(({ role }) => role === 'main')!
  const rankWidth = widestOf(['#', ...rank])
  const indent = ' '.repeat(rankWidth + GAP)
  const nameWidth = Math.max(MIN_NAME_WIDTH, columns - rankWidth - GAP - GAP - main.width)
  const short = shortenNames(names, nameWidth)
  const longest = widestOf(['Model', ...short])

  const others = SECOND_LINE.flatMap((key) => figures.find((figure) => figure.key === key) ?? [])
  const describeFigures = (chosen: Figure[], row: ReportRow, index: number) =>
    chosen.flatMap(({ key, label, role, cells }) => {
      if (role === 'interval') return row.score ? [cells[index]!] : []
      // None missing goes without saying.
      if (cells[index] === '0' && key !== 'n') return []
      return [`${label.toLowerCase()} ${cells[index]}`]
    })
  const shown: Figure[] = []
  for (const figure of others) {
    const lines = rows.map((row, index) => describeFigures([...shown, figure], row, index).join(' · '))
    if (stringWidth(indent) + widestOf(lines) <= columns) shown.push(figure)
  }
  const lines = rows.map((row, index) => {
    const first = `${pad(rank[index]!, rankWidth, 'end')}  ${pad(short[index]!, longest)}  ${pad(main.cells[index]!, main.width, 'end')}`
    return `${first}\n${indent}${style('dim', describeFigures(shown, row, index).join(' · '))}\n`
  })
  const hidden = others.filter((figure) => !shown.includes(figure))
  const head = `${pad('#', rankWidth, 'end')}  ${pad('Model', longest)}  ${pad(main.label, main.width, 'end')}\n`
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
  const labels = hidden.map(({ label }) => label.toLowerCase())
  return `${style('dim', wrapText(`Left out for lack of room: ${joinWords(labels)}.`, columns, '  '))}\n`
}

/** One line per model if names and all figures but n fit, else two. Shows cost and latency only if any are known. */
export function drawLeaderboard(report: ReportSummary, terminal: Terminal): string {
  const style = styleFor(terminal)
  const { columns } = terminal
  const figures = listFigures(report, style)
  const names = report.rows.map(({ modelId }) => cleanText(modelId))
  const rank = report.rows.map((row) => formatRank(row.rank))
  const roomBeside = (shown: Figure[]) => columns - widestOf(['#', ...rank]) - GAP - sumWidths(shown)
  const needed = Math.min(Math.max(MIN_NAME_WIDTH, widestOf(names)), ROOM_FOR_NAME)
  const withoutCount = figures.filter(({ key }) => key !== 'n')
  const shown = [figures, withoutCount].find((candidate) => roomBeside(candidate) >= needed)
  if (!shown) return drawPairsOfLines(report, figures, { names, rank, room: 0, columns, style })
  const layout = { names, rank, room: roomBeside(shown), columns, style }
  const hidden = figures.filter((figure) => !shown.includes(figure))
  return drawRows(report, shown, layout) + nameHidden(hidden, layout)
}
