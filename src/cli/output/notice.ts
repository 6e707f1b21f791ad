import type { Terminal } from './terminal.ts'
import { wrapText } from './text-table.ts'

const INDENT = '  '

/**
 * Writes a message to stderr, wrapped between words if a person reads it. All lines but the first are indented: foreign
 * text in a message must not look like a line of its own.
 */
export function printNotice(
  text: string,
  { stderr, errorColumns = Infinity }: Pick<Terminal, 'stderr' | 'errorColumns'>,
): void {
  const lines = text.split('\n').map((line) => wrapText(line, errorColumns, INDENT))
  stderr.write(`${lines.join(`\n${INDENT}`)}\n`)
}
