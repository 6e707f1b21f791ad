import type { CSSProperties, ReactNode } from 'react'
import { columnsFor, isStrong, type Column, type Table } from '../../../report/tables/table.ts'
import { classes } from '../classes.ts'
import { CutName } from '../names/ModelName.tsx'
import { TablePanel } from '../Page.tsx'

/** A column that only a page has: a mark on an axis. */
export interface Drawing<Row> {
  /** Read out instead of the axis in the head. */
  label: string
  axis?: ReactNode
  className?: string
  draw: (row: Row, index: number) => ReactNode
}

interface DataTableProps<Row> {
  label: string
  columns: Table<Row>
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** Cells that are more than their text, by the keys of their columns. */
  draw?: Record<string, (row: Row) => ReactNode>
  /** The cells of columns that stand for a model. */
  models?: {
    draw?: (row: Row, modelId: string, text: string) => ReactNode
    hint?: (row: Row, modelId: string) => string | undefined
    style?: (row: Row, modelId: string) => CSSProperties | undefined
  }
  /** What a cell says if a pointer rests on it, by the keys of their columns. */
  hints?: Record<string, (row: Row) => string | undefined>
  /** After the names. */
  chart?: Drawing<Row>
  /** Before everything, as wide as it has to be. */
  margin?: { width: number; draw: (row: Row, index: number) => ReactNode }
  /** Buttons after everything, read out under the label. */
  actions?: { label: string; draw: (row: Row) => ReactNode }
  isChosen?: (row: Row) => boolean
  /** What a click on the row does; those who use no pointer have a button in one of its cells. */
  onOpen?: (row: Row) => void
  /** False inside a panel, which has a frame already. */
  isFramed?: boolean
  /** Rows of 40 pixels, for a table that is the main thing on its screen. */
  isRoomy?: boolean
}

function visibilityOf<Row>({ keep, role }: Column<Row>): string {
  if (keep === 'always' || role === 'name' || role === 'main') return ''
  return keep === 'wide' ? 'max-lg:hidden' : 'max-sm:hidden'
}

const spaceOf = (align: 'start' | 'end' | undefined) =>
  classes('px-1.5 py-1.5 align-top first:pl-3 last:pr-3 sm:px-2', align === 'end' ? 'text-right' : 'text-left')

function Cell<Row>({ column, row, ...props }: { column: Column<Row>; row: Row } & Omit<DataTableProps<Row>, 'rows'>) {
  const { draw = {}, hints = {} } = props
  const { key, label, align, role, isModel, isWarning, text } = column
  const models = isModel ? props.models : undefined
  const content = models?.draw?.(row, label, text(row)) ?? draw[key]?.(row)
  if (role === 'name')
    return (
      <th
        scope="row"
        className={classes(spaceOf(align), 'sticky left-0 z-1 max-w-36 min-w-24 bg-inherit font-medium sm:max-w-72')}
      >
        {content ?? <CutName name={text(row)} />}
      </th>
    )
  return (
    <td
      title={models?.hint?.(row, label) ?? hints[key]?.(row)}
      style={models?.style?.(row, label)}
      className={classes(
        spaceOf(align),
        visibilityOf(column),
        (align === 'end' || isModel) && 'whitespace-nowrap tabular-nums',
        role === 'note' && 'min-w-40 break-words text-muted',
        isStrong(column, row) && 'font-semibold',
        isWarning?.(row) && 'text-warning',
      )}
    >
      {content ?? text(row)}
    </td>
  )
}

/** A table of the report, drawn from its description: names stay in sight, and narrow windows do without some columns. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, rows, keyOf, chart, margin, actions, isChosen, onOpen, isFramed, isRoomy } = props
  const columns = columnsFor(props.columns, rows)
  const names = columns.findLastIndex(({ role }) => role === 'name') + 1
  const marginStyle = margin && { width: margin.width, minWidth: margin.width }
  return (
    <TablePanel role="group" label={`${label}, scrolls sideways`} isFramed={isFramed}>
      <table className="w-full bg-surface text-[13px]">
        <caption className="sr-only">{label}</caption>
        <thead className="text-xs text-muted">
          <tr className="border-b border-line bg-surface">
            {margin && <td style={marginStyle} />}
            {columns.map((column, index) => [
              <th
                key={column.key}
                scope="col"
                className={classes(
                  spaceOf(column.align),
                  visibilityOf(column),
                  'font-normal',
                  column.role === 'name' ? 'sticky left-0 z-1 bg-surface' : 'whitespace-nowrap',
                  column.isModel && 'max-w-40 min-w-24',
                )}
              >
                {column.isModel ? (
                  <CutName name={column.label} className={column.align === 'end' ? 'justify-end' : undefined} />
                ) : (
                  column.label
                )}
              </th>,
              chart && index === names - 1 && (
                <th key="chart" scope="col" className={classes('px-4', chart.className ?? 'w-[34%] min-w-32')}>
                  <span className="sr-only">{chart.label}</span>
                  {chart.axis}
                </th>
              ),
            ])}
            {actions && (
              <th scope="col" className="w-10">
                <span className="sr-only">{actions.label}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr
              key={keyOf(row)}
              onClick={
                onOpen &&
                ((event) => {
                  if (event.target instanceof Element && event.target.closest('a, button, input, select')) return
                  onOpen(row)
                })
              }
              className={classes(
                'border-b border-line last:border-0',
                isRoomy && 'h-10 *:align-middle',
                onOpen && 'cursor-pointer',
                isChosen?.(row) ? 'bg-accent-soft' : 'bg-surface hover:bg-hover',
              )}
            >
              {margin && (
                <td className="relative p-0" style={marginStyle}>
                  {margin.draw(row, index)}
                </td>
              )}
              {columns.map((column, position) => [
                <Cell key={column.key} {...props} column={column} row={row} />,
                chart && position === names - 1 && (
                  <td key="chart" className={classes('px-4', chart.className ?? 'min-w-32')}>
                    {chart.draw(row, index)}
                  </td>
                ),
              ])}
              {actions && <td className="px-1">{actions.draw(row)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </TablePanel>
  )
}

/** The marks of an axis, spread evenly over its width. */
export function Axis({ ticks }: { ticks: readonly string[] }) {
  return (
    <span aria-hidden className="relative block h-4 font-normal">
      {ticks.map((tick, index) => (
        <span
          key={tick}
          // Where there is little room, every other one: they would overlap.
          className={classes('absolute -translate-x-1/2', ticks.length > 3 && index % 2 === 1 && 'max-sm:hidden')}
          style={{ left: `${(100 * index) / (ticks.length - 1)}%` }}
        >
          {tick}
        </span>
      ))}
    </span>
  )
}
