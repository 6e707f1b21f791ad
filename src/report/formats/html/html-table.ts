import { columnsFor, type Column, type Table } from '../../tables/table.ts'
import { shortenName } from '../../words/index.ts'
import { html, type Content, type Markup } from './html-markup.ts'

const MAX_HEADING_LENGTH = 48

interface HtmlTable<Row> {
  columns: Table<Row>
  rows: readonly Row[]
  /** What the region is called that scrolls if the table is too wide; without one it never scrolls. */
  label?: string
  /** The class of the table, which styles it. */
  look: string
  /** Cells that are more than their text, by the keys of their columns. */
  draw?: Record<string, (row: Row) => Content>
  /** The cells of columns that stand for a model. */
  drawModel?(row: Row, modelId: string): Content
  /** A drawing after the names. */
  chart?: { head: Content; draw(row: Row): Content }
  isDown?(row: Row): boolean
}

function classOf<Row>({ align, role }: Column<Row>): string {
  if (role === 'main') return 'number strong main'
  if (align === 'end') return 'number'
  return role === 'name' ? 'id name' : role === 'note' ? 'note' : 'name'
}

/** Every cell escaped. On a narrow screen, figures get their labels from `data-label`. */
export function makeTable<Row>({
  columns,
  rows,
  label,
  look,
  draw = {},
  drawModel,
  chart,
  isDown,
}: HtmlTable<Row>): Markup {
  const shown = columnsFor(columns, rows)
  const lastName = shown.findLastIndex(({ role }) => role === 'name')
  const withChart = (parts: Markup[], drawing: () => Content) =>
    chart ? parts.toSpliced(lastName + 1, 0, html`${drawing()}`) : parts
  const cell = (column: Column<Row>, row: Row, index: number): Markup => {
    const text = (column.isModel ? drawModel?.(row, column.label) : draw[column.key]?.(row)) ?? column.text(row)
    const content = column.isWarning?.(row) ? html`<span class="bad">${text}</span>` : text
    const isFact = look.startsWith('board') && index > lastName && column.role !== 'main'
    return html`<td class="${classOf(column)}${isFact && ' fact'}"${isFact && html` data-label="${column.label}"`}${column.role === 'note' && html` dir="auto"`}>${content}</td>`
  }
  const head = shown.map(
    ({ align, label: title, isModel }) =>
      html`<th${align === 'end' && html` class="number"`} scope="col">${isModel ? shortenName(title, MAX_HEADING_LENGTH) : title}</th>`,
  )
  const table = html`<table class="${look}">
<thead><tr>${withChart(head, () => html`<th class="chart" scope="col">${chart?.head}</th>`)}</tr></thead>
<tbody>
${rows.map(
  (row) =>
    html`<tr${isDown?.(row) && html` class="down"`}>${withChart(
      shown.map((column, index) => cell(column, row, index)),
      () => html`<td class="chart">${chart?.draw(row)}</td>`,
    )}</tr>
`,
)}</tbody></table>`
  return label === undefined
    ? table
    : html`<div class="scroll" role="region" aria-label="${label}" tabindex="0">${table}</div>
`
}
