import { stripVTControlCharacters } from 'node:util'

export interface Column {
  title: string
  align?: 'left' | 'right'
}

/** Model names come from outside: control characters in them must not move the cursor or break the row. */
export function cleanText(text: string): string {
  return stripVTControlCharacters(text).replace(/\p{Cc}/gu, ' ')
}

/** East Asian wide characters and emoji take two columns; combining marks none. */
function displayWidth(text: string): number {
  const plain = stripVTControlCharacters(text)
  // Latin, box drawing and the like: one column a character, and no need to segment.
  if (/^[\u0020-\u02ff\u2010-\u2027\u2190-\u25ff]*$/.test(plain)) return plain.length
  let width = 0
  for (const { segment } of new Intl.Segmenter().segment(plain))
    width +=
      /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u.test(
        segment,
      )
        ? 2
        : 1
  return width
}

/** Cut in the middle, where long model names differ least. */
export function shorten(text: string, longest: number): string {
  if (displayWidth(text) <= longest) return text
  const characters = [...text]
  const tail = Math.floor((longest - 1) / 2)
  return `${characters.slice(0, longest - 1 - tail).join('')}…${characters.slice(characters.length - tail).join('')}`
}

function pad(text: string, width: number, align: 'left' | 'right'): string {
  const space = ' '.repeat(Math.max(0, width - displayWidth(text)))
  return align === 'right' ? space + text : text + space
}

export function formatTable(columns: Column[], rows: string[][]): string {
  const widths = columns.map(({ title }, index) =>
    Math.max(displayWidth(title), ...rows.map((row) => displayWidth(row[index] ?? ''))),
  )
  const formatRow = (cells: string[]) =>
    columns
      .map(({ align = 'left' }, index) => pad(cells[index] ?? '', widths[index]!, align))
      .join('  ')
      .trimEnd()
  return [formatRow(columns.map(({ title }) => title)), ...rows.map(formatRow)].map((line) => `${line}\n`).join('')
}

/** Breaks a paragraph at spaces; lines after the first are indented by as much as `indent`. */
export function wrapText(text: string, width: number, indent: string): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && displayWidth(indent) + displayWidth(longer) > width) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return [...lines, line].join(`\n${indent}`)
}
