import stringWidth from 'fast-string-width'
import { makeVisibleLine } from '../../report/words/visible-text.ts'

export interface Column {
  title: string
  align?: 'left' | 'right'
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

function pad(text: string, width: number, align: 'left' | 'right'): string {
  const space = ' '.repeat(Math.max(0, width - stringWidth(text)))
  return align === 'right' ? space + text : text + space
}

export function formatTable(columns: Column[], rows: string[][]): string {
  const widths = columns.map(({ title }, index) =>
    Math.max(stringWidth(title), ...rows.map((row) => stringWidth(row[index] ?? ''))),
  )
  const formatRow = (cells: string[]) =>
    columns
      .map(({ align = 'left' }, index) => pad(cells[index] ?? '', widths[index]!, align))
      .join('  ')
      .trimEnd()
  return [formatRow(columns.map(({ title }) => title)), ...rows.map(formatRow)].map((line) => `${line}\n`).join('')
}

/** Wraps a paragraph at spaces; every line after the first starts with `indent`. */
export function wrapText(text: string, width: number, indent: string): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && stringWidth(indent) + stringWidth(longer) > width) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return [...lines, line].join(`\n${indent}`)
}
