import type { ReportSummary } from '../../../report/index.ts'
import { pairsTable, orderPairs } from '../../../report/tables/pairs.ts'
import { explainIntervals, formatCount } from '../../../report/words/index.ts'
import { isSignificantPair } from '../../../report/tables/pairs.ts'
import { styleFor, type Terminal } from '../terminal.ts'
import { drawTable, wrapText } from '../text-table.ts'

/** A screen has room for so many. */
const MAX_PAIRS = 9

/** Every pair in a line, in the order of the leaderboard: `--pairs`. */
export function drawPairs(
  { rows, comparisons }: ReportSummary,
  terminal: Pick<Terminal, 'columns' | 'colour'>,
  { areAllShown }: { areAllShown: boolean },
): string {
  const pairs = comparisons.map(({ comparison }) => comparison)
  const ordered = orderPairs(
    rows.map(({ modelId }) => modelId),
    pairs,
  )
  if (ordered.length === 0) return ''
  const shown = areAllShown ? ordered : ordered.slice(0, MAX_PAIRS)
  const style = styleFor(terminal)
  const table = drawTable(pairsTable, shown, {
    columns: terminal.columns,
    paint: (text, _column, row) => (isSignificantPair(row) ? text : style('dim', text)),
  })
  const rest = ordered.length - shown.length
  const more = rest > 0 ? `${style('dim', `… ${formatCount(rest, 'more pair')}: --output full`)}\n` : ''
  const note = explainIntervals(pairs)
  return `\n${table}${more}${note === undefined ? '' : `${wrapText(note, terminal.columns, '  ')}\n`}`
}
