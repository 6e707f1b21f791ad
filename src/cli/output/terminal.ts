import { randomInt } from 'node:crypto'
import type { Readable } from 'node:stream'
import { makeVisible } from '../../report/words/visible-text.ts'
import { writeAscii } from './ascii.ts'
import { EXIT_BAD_INPUT } from './exit-codes.ts'

/** A stream, or anything like one. */
export interface TextSink {
  write(text: string): unknown
  /** Writes a document as it is, unless a person reads it in a terminal. */
  writeDocument?(text: string): unknown
  once?(event: 'drain', listener: () => void): unknown
  isTTY?: boolean
}

/** Where a command writes; an argument, so that tests can read it. */
export interface Terminal {
  stdout: TextSink
  stderr: TextSink
  colour: boolean
  /** Width of stdout. */
  columns: number
  /** Width of stderr where that is a terminal: messages are wrapped there, and whole lines in a log. */
  errorColumns?: number
  /** True if it can show ASCII only: symbols are then written with it. */
  isAscii?: boolean
  /** True if stderr is a terminal: long work then shows its progress. */
  progress: boolean
  /** True if stderr is a log, such as CI's: long work then writes a line now and then. */
  progressLines?: boolean
  /** What `-` reads; the process's own stdin if it is absent. */
  stdin?: Readable & { isTTY?: boolean }
}

/** Two numbers drawn at each start: foreign text cannot contain them, so its own control sequences are recognised. */
const MARK = `${randomInt(1000, 10_000)};${randomInt(1000, 10_000)}`
// eslint-disable-next-line no-control-regex
const OWN_SEQUENCE = new RegExp(`\\u001b\\[(\\d+);${MARK}m`)

const START_OF_LINE = 900
const CLEAR_TO_END = 901
const SEQUENCES = new Map([
  [START_OF_LINE, '\r'],
  [CLEAR_TO_END, '\u001b[K'],
])

const own = (code: number) => `\u001b[${code};${MARK}m`

/** Goes back to the start of the line, to write it again. */
export const startOfLine = own(START_OF_LINE)
export const clearToEnd = own(CLEAR_TO_END)
export const clearLine = startOfLine + clearToEnd

/** The codes that switch a style on and off. */
const STYLES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const

export type Style = (format: keyof typeof STYLES, text: string) => string

export function styleFor({ colour }: Pick<Terminal, 'colour'>): Style {
  if (!colour) return (_format, text) => text
  return (format, text) => {
    const [on, off] = STYLES[format]
    return text.trim() === '' ? text : `${own(on)}${text}${own(off)}`
  }
}

/** Keeps our own styles; everything else that a terminal would obey becomes visible. */
function makeSafe(text: string): string {
  return text
    .split(OWN_SEQUENCE)
    .map((part, index) => {
      if (index % 2 === 0) return makeVisible(part)
      return SEQUENCES.get(Number(part)) ?? `\u001b[${part}m`
    })
    .join('')
}

function guardSink(sink: TextSink, isAscii: boolean): TextSink {
  return {
    write: (text) => sink.write(isAscii ? writeAscii(makeSafe(text)) : makeSafe(text)),
    writeDocument: (text) => sink.write(sink.isTTY ? makeSafe(text) : text),
    ...(sink.once && { once: sink.once.bind(sink) }),
  }
}

/** A terminal on which no command can print what the terminal would obey, whatever text it forgot to clean. */
export function guardTerminal(terminal: Terminal): Terminal {
  const { stdout, stderr, isAscii = false } = terminal
  return { ...terminal, stdout: guardSink(stdout, isAscii), stderr: guardSink(stderr, isAscii) }
}

/** Prints the one document that goes to stdout. */
export function printDocument(text: string, { stdout }: Pick<Terminal, 'stdout'>): unknown {
  return stdout.writeDocument ? stdout.writeDocument(text) : stdout.write(text)
}

export function printJson(document: unknown, terminal: Pick<Terminal, 'stdout'>): void {
  printDocument(`${JSON.stringify(document, null, 2)}\n`, terminal)
}

let isWorking = false

/** From now on, output that nobody can read any more is dropped: the process ends only after its work is stored. */
export function outliveOutput(): void {
  isWorking = true
}

const MAX_COLUMNS = 120
/** Where nobody says how wide the output is: a pipe, a file, the log of a CI system. */
const WITHOUT_TERMINAL = 100

/** The width of a terminal, else what `COLUMNS` says. Some terminals of CI systems have no width, or say 0. */
function columnsOf(
  { isTTY, columns = 0 }: { isTTY?: boolean; columns?: number },
  { COLUMNS = '' }: Environment,
): number {
  if (isTTY === true) return Math.min(columns > 0 ? columns : 80, MAX_COLUMNS)
  const wanted = /^\d+$/.test(COLUMNS) ? Number(COLUMNS) : 0
  return Math.min(wanted > 0 ? wanted : WITHOUT_TERMINAL, MAX_COLUMNS)
}

/** The terminal as what goes to stderr sees it. */
export function onStderr(terminal: Terminal): Terminal {
  return { ...terminal, columns: terminal.errorColumns ?? terminal.columns }
}

/** Writes what people read: to stdout, or to stderr if a document goes to stdout. Each has its own width. */
export function printForPeople(
  format: (terminal: Terminal) => string,
  { json = false }: { json?: boolean },
  terminal: Terminal,
): void {
  if (json) terminal.stderr.write(format(onStderr(terminal)))
  else terminal.stdout.write(format(terminal))
}

export const COLOUR_CHOICES = ['never', 'always', 'auto'] as const

type Environment = Readonly<Record<string, string | undefined>>

/** Whether the locale was set to one that has only ASCII, such as `LC_ALL=C`. */
function isAsciiLocale({ LC_ALL, LC_CTYPE, LANG }: Environment): boolean {
  const locale = [LC_ALL, LC_CTYPE, LANG].find((value) => value !== undefined && value !== '')
  return locale !== undefined && !/utf-?8/i.test(locale)
}

/** Colours if stdout is a terminal, unless the environment says otherwise (no-color.org, force-color.org). */
export function wantsColour(isTerminal: boolean, env: Environment): boolean {
  if (env['NO_COLOR']) return false
  const forced = env['FORCE_COLOR']
  if (forced) return !['0', 'false'].includes(forced)
  return isTerminal
}

/** The last `--color` of a command line: it is needed before the line is parsed, whose errors may be coloured. */
export function readColour(args: readonly string[], colour: boolean): boolean {
  const end = args.indexOf('--')
  const before = end === -1 ? args : args.slice(0, end)
  const given = before.flatMap((arg, index) => {
    if (arg === '--color') return [before[index + 1]]
    return arg.startsWith('--color=') ? [arg.slice('--color='.length)] : []
  })
  const choice = given.at(-1)
  if (choice === 'never') return false
  return choice === 'always' || colour
}

export function openTerminal(): Terminal {
  // There is nowhere left to report it: the terminal is closed, or the reader of a pipe is gone.
  process.stderr.on('error', () => undefined)
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isWorking) return
    // The reader of a pipe may stop early (`| head`), which is not an error.
    if (error.code === 'EPIPE') process.exit(0)
    process.stderr.write(`The output cannot be written (${error.message}). Stored data is kept.\n`)
    process.exit(EXIT_BAD_INPUT)
  })
  return {
    stdout: process.stdout,
    stderr: process.stderr,
    colour: wantsColour(process.stdout.isTTY === true, process.env),
    columns: columnsOf(process.stdout, process.env),
    ...(process.stderr.isTTY && { errorColumns: columnsOf(process.stderr, process.env) }),
    isAscii: isAsciiLocale(process.env),
    progress: process.stderr.isTTY === true,
    progressLines: process.stderr.isTTY !== true,
  }
}
