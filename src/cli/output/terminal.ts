import { styleText } from 'node:util'
import { EXIT_BAD_INPUT } from './exit-codes.ts'

/** A stream, or anything like one. */
export interface TextSink {
  write(text: string): unknown
  once?(event: 'drain', listener: () => void): unknown
}

/** Where a command writes; an argument, so that tests can read it. */
export interface Terminal {
  stdout: TextSink
  stderr: TextSink
  colour: boolean
  columns: number
  /** True if stderr is a terminal: long work then shows its progress. */
  progress: boolean
}

type Format = Parameters<typeof styleText>[0]
export type Style = (format: Format, text: string) => string

export function styleFor({ colour }: Pick<Terminal, 'colour'>): Style {
  return colour ? (format, text) => styleText(format, text, { validateStream: false }) : (_format, text) => text
}

/** Prints the one document that goes to stdout. */
export function printJson(document: unknown, { stdout }: Pick<Terminal, 'stdout'>): void {
  stdout.write(`${JSON.stringify(document, null, 2)}\n`)
}

let isWorking = false

/** From now on, output that nobody can read any more is dropped: the process ends only after its work is stored. */
export function outliveOutput(): void {
  isWorking = true
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
    colour: process.stdout.isTTY === true && !process.env['NO_COLOR'],
    columns: process.stdout.columns ?? 100,
    progress: process.stderr.isTTY === true,
  }
}
