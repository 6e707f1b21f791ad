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
const MAX_OF_A_KIND = 5

type Errors = Pick<Terminal, 'stderr' | 'errorColumns'>

/** One line per message, up to a limit. The same mistake in many places differs only in its numbers: a few tell enough. */
function printEach(level: string, messages: readonly string[], terminal: Errors): void {
  const kinds = [...Map.groupBy(messages, (message) => message.replaceAll(/\d+/g, '0')).values()]
  const lines = kinds.flatMap((kind) => {
    const hidden = kind.length - MAX_OF_A_KIND
    return hidden > 1 ? [...kind.slice(0, MAX_OF_A_KIND), `… and ${formatCount(hidden)} more like these`] : kind
  })
  for (const line of lines.slice(0, MAX_SHOWN)) printNotice(`${level}: ${cleanText(line)}`, terminal)
  const hidden = lines.length - MAX_SHOWN
  if (hidden > 0) printNotice(`${level}: … and ${formatCount(hidden)} more`, terminal)
}

export function printWarnings(warnings: readonly string[], terminal: Errors): void {
  printEach('warning', warnings, terminal)
}

/** What to know before a run, although nothing is wrong. */
export function printNotes(notes: readonly string[] = [], terminal: Errors): void {
  printEach('note', notes, terminal)
}
