import { styleText } from 'node:util'
import { EXIT_BAD_INPUT } from './exit-codes.ts'

/** Where text goes: a stream, or anything like one. */
export interface TextSink {
  write(text: string): unknown
  once?(event: 'drain', listener: () => void): unknown
}

/** Where a command writes: handed in, so that tests can read it. */
export interface Terminal {
  stdout: TextSink
  stderr: TextSink
  colour: boolean
  columns: number
  /** True when somebody watches stderr: long work then shows how far it is. */
  progress: boolean
}

type Format = Parameters<typeof styleText>[0]
export type Style = (format: Format, text: string) => string

export function styleFor({ colour }: Pick<Terminal, 'colour'>): Style {
  return colour ? (format, text) => styleText(format, text, { validateStream: false }) : (_format, text) => text
}

/** One document, and nothing else of the command, on stdout. */
export function printJson(document: unknown, { stdout }: Pick<Terminal, 'stdout'>): void {
  stdout.write(`${JSON.stringify(document, null, 2)}\n`)
}

export function openTerminal(): Terminal {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // The reader of a pipe may leave early (`| head`): that is its right, not an error.
    if (error.code === 'EPIPE') process.exit(0)
    process.stderr.write(`What is to be printed cannot be written (${error.message}). What was stored is kept.\n`)
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
