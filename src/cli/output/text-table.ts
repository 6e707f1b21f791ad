import stringWidth from 'fast-string-width'
import { narrowColumnsFor, type Column, type Table } from '../../report/tables/table.ts'
import { makeVisibleLine } from '../../report/words/visible-text.ts'

/** How much room there is. Infinite if nobody reads it in a terminal: a pipe or file gets everything. */
interface Room {
  columns: number
}

/** For foreign text inside a line: a model name could move the cursor or break the row. */
export function cleanText(text: string): string {
  return makeVisibleLine(text)
}

/** Takes characters from the front as long as they fit into `columns`. */
function takeColumns(characters: readonly string[], columns: number): string[] {
  let used = 0
  const end = characters.findIndex((character) => (used += stringWidth(character)) > columns)
  return end < 0 ? [...characters] : characters.slice(0, end)
}

/** Cuts a text in the middle, where long model names differ least, so that it fits into `maxColumns` columns. */
export function shorten(whole: string, maxColumns: number): string {
  // No character is longer than 30 units, so only the ends matter; measuring all of a 5 MB answer would take a second.
  const maxLength = 30 * maxColumns
  const text = whole.length > 2 * maxLength ? whole.slice(0, maxLength) + whole.slice(-maxLength) : whole
  if (stringWidth(text) <= maxColumns) return text
  // By grapheme: half an emoji or a letter without its accent would be a different character.
  const characters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
  const tail = takeColumns(characters.toReversed(), Math.floor((maxColumns - 1) / 2))
    .reverse()
    .join('')
  const head = takeColumns(characters, maxColumns - 1 - stringWidth(tail)).join('')
  return `${head}…${tail}`
}

/** Cuts a text at its end. */
export function cutEnd(text: string, maxColumns: number): string {
  const start = text.length > 30 * maxColumns ? text.slice(0, 30 * maxColumns) : text
  if (start === text && stringWidth(text) <= maxColumns) return text
  const characters = Array.from(new Intl.Segmenter().segment(start), ({ segment }) => segment)
  return `${takeColumns(characters, maxColumns - 1)
    .join('')
    .trimEnd()}…`
}

function countCommonStart(names: readonly string[]): number {
  const [first = '', ...others] = names
  let length = 0
  while (length < first.length && others.every((name) => name[length] === first[length])) length++
  return length
}

/**
 * Shortens names in the middle. Names that would look the same after that lose their common start instead, so that what
 * tells them apart stays.
 */
export function shortenNames(names: readonly string[], maxColumns: number): string[] {
  const short = new Map(names.map((name) => [name, shorten(name, maxColumns)]))
  const separate = (group: string[]): void => {
    const start = countCommonStart(group)
    for (const name of group)
      short.set(name, start === 0 ? shorten(name, maxColumns) : cutStart(name, start, maxColumns))
    const alike = Map.groupBy(group, (name) => short.get(name)!)
    for (const members of alike.values()) if (members.length > 1 && countCommonStart(members) > start) separate(members)
  }
  const alike = Map.groupBy(short.keys(), (name) => short.get(name)!)
  for (const members of alike.values()) if (members.length > 1) separate(members)
  return names.map((name) => short.get(name)!)
}

/** Shows the start of a name, and then the part from where it differs from others. */
function cutStart(name: string, differsAt: number, maxColumns: number): string {
  const segments = Array.from(new Intl.Segmenter().segment(name))
  const from = segments.findLast(({ index }) => index <= differsAt)?.index ?? 0
  const common = segments.filter(({ index }) => index < from).map(({ segment }) => segment)
  const head = takeColumns(common, Math.floor(maxColumns / 4))
  if (head.length === common.length) return cutEnd(name, maxColumns)
  const start = `${head.join('')}…`
  return start + cutEnd(name.slice(from), maxColumns - stringWidth(start))
}

export function pad(text: string, width: number, align: 'start' | 'end' = 'start'): string {
  const space = ' '.repeat(Math.max(0, width - stringWidth(text)))
  return align === 'end' ? space + text : text + space
}

/** No column that can be cut gets narrower, as long as its cells or title are that wide. */
const MIN_CUT_WIDTH = 14
const GAP = 2

/** A column of printable cells, one for each row. */
interface Cells extends Pick<Column<never>, 'align' | 'cut' | 'role' | 'isObvious'> {
  label: string
  cells: readonly string[]
}

/** A loop: a table may have more rows than a call may have arguments. */
export function widestOf(texts: readonly string[]): number {
  return texts.reduce((widest, text) => Math.max(widest, stringWidth(text)), 0)
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

/** Takes room from the widest column that can be cut, again and again. Undefined if that is not enough. */
function fitWidths(columns: readonly Cells[], room: number, minCutWidth: number): number[] | undefined {
  const widths = columns.map(({ label, cells, cut }) => {
    const width = widestOf([label, ...cells])
    return cut ? Math.min(width, room) : width
  })
  const available = room - GAP * (columns.length - 1)
  while (sum(widths) > available) {
    const cuttable = widths.flatMap((width, index) =>
      columns[index]!.cut && width > Math.max(minCutWidth, stringWidth(columns[index]!.label)) ? [index] : [],
    )
    if (cuttable.length === 0) return undefined
    const widest = cuttable.reduce((best, index) => (widths[index]! > widths[best]! ? index : best))
    widths[widest]!--
  }
  return widths
}

function cutCells({ cut, cells }: Cells, width: number): readonly string[] {
  if (cut === 'middle') return shortenNames(cells, width)
  return cut === 'end' ? cells.map((cell) => cutEnd(cell, width)) : cells
}

/** Each row in two lines or more: its name, and below it every other cell with its label. */
function stackRows(columns: readonly Cells[], room: number): string {
  const named = columns.find(({ role }) => role === 'name') ?? columns[0]!
  const shown = columns.map(({ cut, cells }) =>
    cut === 'middle' ? shortenNames(cells, Math.max(MIN_CUT_WIDTH, Math.floor(room / 2))) : cells,
  )
  const stack = (name: string, index: number) => {
    const facts = columns.flatMap(({ label, isObvious = false, ...column }, at) => {
      const cell = shown[at]![index]!
      if (column.cells === named.cells || cell === '' || cell === '–') return []
      return [isObvious || label === '' ? cell : `${label.toLowerCase()} ${cell}`]
    })
    return `${name}\n${INDENT}${wrapFacts(facts, room)}\n`
  }
  return shortenNames(named.cells, room).map(stack).join('')
}

const INDENT = '  '
const MAX_UNBROKEN = 30

/** Joins facts with dots and wraps between them; only a long one is broken itself. */
function wrapFacts(facts: readonly string[], room: number): string {
  const unbroken = facts.map((fact) => (stringWidth(fact) <= MAX_UNBROKEN ? fact.replaceAll(' ', '\u00a0') : fact))
  return wrapText(unbroken.join(' · '), room, INDENT).replaceAll('\u00a0', ' ')
}

/** Columns of cells, as wide as they are; if there is no room for that, cut columns give way, and then rows are stacked. */
export function layOut(columns: readonly Cells[], room = Infinity, minCutWidth = MIN_CUT_WIDTH): string {
  const widths = fitWidths(columns, room, minCutWidth)
  if (!widths) return stackRows(columns, room)
  const lines = columns.map((column, index) =>
    [column.label, ...cutCells(column, widths[index]!)].map((cell) => pad(cell, widths[index]!, column.align)),
  )
  return (lines[0] ?? [])
    .map(
      (_, row) =>
        `${lines
          .map((cells) => cells[row]!)
          .join(' '.repeat(GAP))
          .trimEnd()}\n`,
    )
    .join('')
}

interface TableOptions<Row> extends Partial<Room> {
  /** How narrow a column that can be cut may get. */
  minCutWidth?: number
  /** Colours a cell. */
  paint?: (text: string, column: Column<Row>, row: Row) => string
}

/** Without the columns that need much room. */
export function drawTable<Row>(
  table: Table<Row>,
  rows: readonly Row[],
  { columns: room, minCutWidth, paint = (text) => text }: TableOptions<Row> = {},
): string {
  const columns = narrowColumnsFor(table, rows).map((column) => ({
    ...column,
    label: cleanText(column.label),
    cells: rows.map((row) => paint(cleanText(column.text(row)), column, row)),
  }))
  return layOut(columns, room, minCutWidth)
}

/** A space that no line ends at: in `80 %`, `p = 0.03`, `2 × timeout`, and before a dot between facts. */
const NO_BREAK = / (?=[%=×±·] ?)|(?<= [=×±]) |(?<=%) (?=CI\b)/g

/** `(95 % CI 3 to 21)`, `(−0.6 to 1.2)` */
const INTERVAL = /\((?:95 % CI )?[−+\d.]+ to [−+\d.]+\)/g

/** A command to copy, at the end of a paragraph: a line break in it would end it early. */
const COMMAND = /(?<=: )benchmaker .*$/

/** Wraps a paragraph at spaces; every line after the first starts with `indent`. */
export function wrapText(paragraph: string, width: number, indent: string): string {
  if (stringWidth(indent) + stringWidth(paragraph) <= width) return paragraph
  const keep = (part: string) => part.replaceAll(' ', '\u00a0')
  const text = paragraph.replaceAll(INTERVAL, keep).replaceAll(NO_BREAK, '\u00a0').replace(COMMAND, keep)
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && stringWidth(indent) + stringWidth(longer) > width) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return [...lines, line].join(`\n${indent}`).replaceAll('\u00a0', ' ')
}
