import type { Terminal } from './terminal.ts'
import { wrapText, cleanText } from './text-table.ts'
import { formatCount } from '../../report/words/index.ts'

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

const MAX_SHOWN = 100

/** Prints one line per warning, up to a limit: very many are usually the same mistake repeated. */
export function printWarnings(warnings: readonly string[], terminal: Pick<Terminal, 'stderr' | 'errorColumns'>): void {
  for (const warning of warnings.slice(0, MAX_SHOWN)) printNotice(`warning: ${cleanText(warning)}`, terminal)
  const hidden = warnings.length - MAX_SHOWN
  if (hidden > 0) printNotice(`warning: … and ${formatCount(hidden)} more`, terminal)
}
