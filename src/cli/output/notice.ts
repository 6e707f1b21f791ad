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

/** The last word of a command that cannot do its work: what is wrong, and what to do. */
export function printError(text: string, terminal: Pick<Terminal, 'stderr' | 'errorColumns'>): void {
  printNotice(`error: ${text}`, terminal)
}

const MAX_SHOWN = 100

type Errors = Pick<Terminal, 'stderr' | 'errorColumns'>

/** Prints one line per message, up to a limit: very many are usually the same mistake repeated. */
function printEach(kind: string, messages: readonly string[], terminal: Errors): void {
  for (const message of messages.slice(0, MAX_SHOWN)) printNotice(`${kind}: ${cleanText(message)}`, terminal)
  const hidden = messages.length - MAX_SHOWN
  if (hidden > 0) printNotice(`${kind}: … and ${formatCount(hidden)} more`, terminal)
}

export function printWarnings(warnings: readonly string[], terminal: Errors): void {
  printEach('warning', warnings, terminal)
}

/** What to know before a run, although nothing is wrong. */
export function printNotes(notes: readonly string[] = [], terminal: Errors): void {
  printEach('note', notes, terminal)
}
