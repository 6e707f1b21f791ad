import type { ReportRow, ReportSummary } from '../../../report/index.ts'
import { terminalLeaderboard } from '../../../report/tables/leaderboard.ts'
import { isStrong, type Column } from '../../../report/tables/table.ts'
import { findFirstPlace } from '../../../report/words/verdicts/first-place.ts'
import { styleFor, type Style, type Terminal } from '../terminal.ts'
import { cleanText, layOut, shortenNames, widestOf } from '../text-table.ts'

export const MIN_NAME_WIDTH = 8
/** Names may take so much of the width before columns give way, and so much when none can any more. */
const NAME_SHARE = 0.45
const SHORT_NAME_SHARE = 1 / 3

const GAP = 2
const AXIS_WIDTH = 21
/** Where there is room for every figure and more. */
const WIDE_AXIS_WIDTH = 41

/** What goes first as the terminal gets narrow: the line shows the interval's numbers until it goes itself. */
const STEPS: readonly (readonly string[])[] = [
  [],
  ['latency'],
  ['latency', 'interval'],
  ['latency', 'interval', 'cost'],
  ['latency', 'cost', 'axis'],
  ['latency', 'cost', 'axis', 'passed'],
  ['latency', 'cost', 'axis', 'passed', 'interval'],
  ['latency', 'cost', 'axis', 'passed', 'interval', 'lacks'],
]

/** `0     95 % CI     100`, or with the middle of the axis where a column has the numbers. */
function drawAxisTitle(width: number, middle: string): string {
  const before = Math.ceil((width - middle.length - '0100'.length) / 2)
  return `0${' '.repeat(before)}${middle}`.padEnd(width - 3) + '100'
}

/** A dot with its interval on a shared axis. */
function drawInterval(
  { mean, low, high }: { mean: number; low: number; high: number },
  { width, style }: { width: number; style: Style },
): string {
  const at = (score: number) => Math.round(score * (width - 1))
  const cells = Array.from({ length: width }, (_, index) => {
    if (index === at(mean)) return '●'
    if (index === at(low)) return '├'
    if (index === at(high)) return '┤'
    if (index > at(low) && index < at(high)) return '─'
    return style('dim', index % ((width - 1) / 2) === 0 ? '┊' : ' ')
  })
  return cells.join('')
}

interface Cells {
  key: string
  label: string
  align?: 'start' | 'end'
  cells: string[]
}

const widthOf = (columns: readonly Cells[]) =>
  columns.reduce((sum, { label, cells }) => sum + GAP + widestOf([label, ...cells]), -GAP)

interface Board {
  columns: Column<ReportRow>[]
  rows: readonly ReportRow[]
  style: Style
}

function drawCells({ columns, rows, style }: Board, axisWidth: number, hasNumbers: boolean): Cells[] {
  return columns.flatMap((column): Cells[] => {
    const { key, label, align = 'start' } = column
    const cells = rows.map((row) => {
      const text = cleanText(column.text(row))
      if (column.isWarning?.(row)) return style('yellow', text)
      return isStrong(column, row) ? style('bold', text) : text
    })
    if (key !== 'interval') return [{ key, label, align, cells }]
    const axis = {
      key: 'axis',
      label: drawAxisTitle(axisWidth, hasNumbers ? '50' : label),
      cells: rows.map(({ score }) => (score ? drawInterval(score, { width: axisWidth, style }) : '')),
    }
    return [{ key, label, align, cells }, axis]
  })
}

/** One line per model, and as many columns as there is room for. */
export function drawLeaderboard(
  { rows, comparisons, decisions }: ReportSummary,
  terminal: Pick<Terminal, 'columns' | 'colour'>,
): string {
  const style = styleFor(terminal)
  const room = terminal.columns
  const pairs = comparisons.map(({ comparison }) => comparison)
  const { leader, isWon } = findFirstPlace(rows, pairs)
  const tellsApart = rows.some(({ score }) => score && score.mean > 0)
  const columns = terminalLeaderboard(rows, { isDeciding: decisions !== undefined })
    .filter(({ key }) => tellsApart || (key !== 'interval' && key !== 'behind'))
    .map((column) => (tellsApart || column.key !== 'rank' ? column : { ...column, text: () => '–' }))
  const names = rows.map(({ modelId }) => cleanText(modelId))
  const layouts = STEPS.flatMap((left, step) => {
    const axes = step === 0 ? [WIDE_AXIS_WIDTH, AXIS_WIDTH] : [AXIS_WIDTH]
    return axes.map((axisWidth) =>
      drawCells({ columns, rows, style }, axisWidth, !left.includes('interval')).filter(
        ({ key }) => !left.includes(key),
      ),
    )
  })
  const needed = (cells: readonly Cells[]) => widthOf(cells.filter(({ key }) => key !== 'model')) + GAP
  const longest = Math.max(MIN_NAME_WIDTH, widestOf(['Model', ...names]))
  const fits = (cells: readonly Cells[], name: number) => needed(cells) + name <= room
  const beside = Math.min(longest, Math.max(MIN_NAME_WIDTH, Math.floor(NAME_SHARE * room)))
  const least = Math.min(longest, Math.max(MIN_NAME_WIDTH, Math.floor(SHORT_NAME_SHARE * room)))
  const withPassed = layouts.slice(0, -3)
  const chosen =
    withPassed.find((cells) => fits(cells, beside)) ?? layouts.find((cells) => fits(cells, least)) ?? layouts.at(-1)!
  const nameWidth = Math.max(MIN_NAME_WIDTH, Math.min(longest, room - needed(chosen)))
  const short = shortenNames(names, nameWidth)
  const shown = rows.map((row, index) =>
    isWon && row.modelId === leader?.modelId ? style('bold', short[index]!) : short[index]!,
  )
  return layOut(chosen.map((column) => (column.key === 'model' ? { ...column, cells: shown } : column)))
}
