import type { FailureRow } from '../../../report/model/failures/failures.ts'
import { failureTable } from '../../../report/tables/failures.ts'
import { styleFor, type Terminal } from '../terminal.ts'
import { cleanText, cutEnd, drawTable } from '../text-table.ts'

/** Four columns of a few letters each still say which case it is. */
const MIN_WIDTH = 6

/** What failed, under the model that failed it; nothing if nothing did. */
export function drawFailures(rows: readonly FailureRow[], terminal: Pick<Terminal, 'columns' | 'colour'>): string {
  if (rows.length === 0) return ''
  const style = styleFor(terminal)
  const { columns } = terminal
  const [labels = '', ...lines] = drawTable(failureTable, rows, { columns, minCutWidth: MIN_WIDTH })
    .trimEnd()
    .split('\n')
  const drawn = rows.map((row, index) =>
    row.isHeading ? style('red', cutEnd(cleanText(row.name), columns)) : lines[index]!,
  )
  return `${[style('dim', labels), ...drawn].join('\n')}\n`
}
