import stringWidth from 'fast-string-width'
import { makeVisibleLine } from '../../report/words/visible-text.ts'

export interface Column {
  title: string
  align?: 'left' | 'right'
  /** Where a cell may be cut if the table is too wide: names in the middle, texts at the end. Default: nowhere. */
  cut?: 'middle' | 'end'
  /** If rows are stacked: takes a line of its own. Default: the first column. */
  isName?: boolean
  /** If rows are stacked: its cells need no title to be understood. */
  isObvious?: boolean
}

/** How much room there is. Infinite if nobody reads it in a terminal: a pipe or file gets everything. */
export interface Room {
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

function pad(text: string, width: number, align: 'left' | 'right'): string {
  const space = ' '.repeat(Math.max(0, width - stringWidth(text)))
  return align === 'right' ? space + text : text + space
}

/** No column that can be cut gets narrower, as long as its cells or title are that wide. */
const MIN_CUT_WIDTH = 14
const GAP = 2

function measure(columns: readonly Column[], rows: readonly string[][]): number[] {
  return columns.map(({ title }, index) =>
    Math.max(stringWidth(title), ...rows.map((row) => stringWidth(row[index] ?? ''))),
  )
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

/** Takes room from the widest column that can be cut, again and again. Undefined if that is not enough. */
function fitWidths(columns: readonly Column[], natural: readonly number[], room: number): number[] | undefined {
  const widths = natural.map((width, index) => (columns[index]!.cut ? Math.min(width, room) : width))
  const available = room - GAP * (columns.length - 1)
  while (sum(widths) > available) {
    const cuttable = widths.flatMap((width, index) =>
      columns[index]!.cut && width > Math.max(MIN_CUT_WIDTH, stringWidth(columns[index]!.title)) ? [index] : [],
    )
    if (cuttable.length === 0) return undefined
    const widest = cuttable.reduce((best, index) => (widths[index]! > widths[best]! ? index : best))
    widths[widest]!--
  }
  return widths
}

function cutColumn({ cut }: Column, cells: readonly string[], width: number): string[] {
  if (cut === 'middle') return shortenNames(cells, width)
  return cut === 'end' ? cells.map((cell) => cutEnd(cell, width)) : [...cells]
}

/** Each row in two lines or more: its name, and below it every other cell with its title. */
function stackRows(columns: readonly Column[], rows: readonly string[][], room: number): string {
  const nameAt = Math.max(
    0,
    columns.findIndex(({ isName }) => isName),
  )
  const names = shortenNames(
    rows.map((row) => row[nameAt] ?? ''),
    room,
  )
  const shown = columns.map(({ cut }, at) => {
    const cells = rows.map((row) => row[at] ?? '')
    return cut === 'middle' ? shortenNames(cells, Math.max(MIN_CUT_WIDTH, Math.floor(room / 2))) : cells
  })
  const stack = (_row: readonly string[], index: number) => {
    const facts = columns.flatMap(({ title, isObvious = false }, at) => {
      const cell = shown[at]![index]!
      if (at === nameAt || cell === '' || cell === '–') return []
      return [isObvious || title === '' ? cell : `${title.toLowerCase()} ${cell}`]
    })
    return `${names[index]}\n${INDENT}${wrapFacts(facts, room)}\n`
  }
  return rows.map(stack).join('')
}

const INDENT = '  '
const MAX_UNBROKEN = 30

/** Joins facts with dots and wraps between them; only a long one is broken itself. */
function wrapFacts(facts: readonly string[], room: number): string {
  const unbroken = facts.map((fact) => (stringWidth(fact) <= MAX_UNBROKEN ? fact.replaceAll(' ', '\u00a0') : fact))
  return wrapText(unbroken.join(' · '), room, INDENT).replaceAll('\u00a0', ' ')
}

/** A table as wide as its cells; if there is no room for that, cut columns give way, and then rows are stacked. */
export function drawTable(
  columns: Column[],
  rows: string[][],
  { columns: room }: Room = { columns: Infinity },
): string {
  const widths = fitWidths(columns, measure(columns, rows), room)
  if (!widths) return stackRows(columns, rows, room)
  const shown = columns.map((column, index) =>
    cutColumn(
      column,
      rows.map((row) => row[index] ?? ''),
      widths[index]!,
    ),
  )
  const formatRow = (cells: string[]) =>
    columns
      .map(({ align = 'left' }, index) => pad(cells[index] ?? '', widths[index]!, align))
      .join(' '.repeat(GAP))
      .trimEnd()
  return [
    formatRow(columns.map(({ title }) => title)),
    ...rows.map((_, row) => formatRow(shown.map((cells) => cells[row]!))),
  ]
    .map((line) => `${line}\n`)
    .join('')
}

/** A space that no line ends at: in `80 %`, `p = 0.03`, `2 × timeout`, and before a dot between facts. */
const NO_BREAK = / (?=[%=×±·] ?)|(?<= [=×±]) /g

/** A command to copy, at the end of a paragraph: a line break in it would end it early. */
const COMMAND = /(?<=: )benchmaker .*$/

/** Wraps a paragraph at spaces; every line after the first starts with `indent`. */
export function wrapText(paragraph: string, width: number, indent: string): string {
  if (stringWidth(indent) + stringWidth(paragraph) <= width) return paragraph
  const text = paragraph.replaceAll(NO_BREAK, '\u00a0').replace(COMMAND, (command) => command.replaceAll(' ', '\u00a0'))
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
