/** A value in a data file: numbers are not rounded, and scores run from 0 to 1. */
export type DataValue = string | number | boolean | undefined

/** One column of a table. Terminal, page, HTML, Markdown, LaTeX and CSV draw every table from such a list. */
export interface Column<Row> {
  /** Never shown: names the column for settings and for a writer that draws its cells in its own way. */
  key: string
  label: string
  /** The label is the name of a model, which may be long. */
  isModel?: boolean
  /** Figures stand at the end. Default: start. */
  align?: 'start' | 'end'
  /** May contain foreign text: every writer escapes it. */
  text(row: Row): string
  /** What the cell is to its row: the name that tells rows apart, the figure that leads, its interval, or a long text. */
  role?: 'name' | 'main' | 'interval' | 'note'
  /** What a narrow window does without. `wide` needs much room: terminals and papers do without too. Default: a phone does. */
  keep?: 'always' | 'wide'
  /** Where a terminal may cut the text: names in the middle, notes at the end. Default: nowhere. */
  cut?: 'middle' | 'end'
  /** Understood without its label, if a narrow terminal stacks the cells of a row. */
  isObvious?: boolean
  /** Draws attention to the cell. */
  isWarning?(row: Row): boolean
  /** Whether a table of these rows has the column at all. Default: it has. */
  isIn?(rows: readonly Row[]): boolean
  /** The columns of a data file in its place, by their names there. */
  data?: Record<string, (row: Row) => DataValue>
}

export type Table<Row> = readonly Column<Row>[]

/** The columns that a table of these rows has. */
export function columnsFor<Row>(table: Table<Row>, rows: readonly Row[]): Column<Row>[] {
  return table.filter(({ isIn }) => isIn?.(rows) ?? true)
}

/** The columns for terminals and papers, where there is little room. */
export function narrowColumnsFor<Row>(table: Table<Row>, rows: readonly Row[]): Column<Row>[] {
  return columnsFor(table, rows).filter(({ keep }) => keep !== 'wide')
}

/** Bold, unless the cell says that there is no figure. */
export function isStrong<Row>({ role, isWarning }: Column<Row>, row: Row): boolean {
  return role === 'main' && !(isWarning?.(row) ?? false)
}
