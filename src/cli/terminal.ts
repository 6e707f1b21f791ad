import { styleText } from 'node:util'

/** Where a command writes: handed in, so that tests can read it. */
export interface Terminal {
  out(text: string): void
  err(text: string): void
  columns: number
  style: Style
}

type Format = Parameters<typeof styleText>[0]
export type Style = (format: Format, text: string) => string

export function openTerminal(): Terminal {
  // The reader of a pipe may leave early (`| head`): that is its right, not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    columns: process.stdout.columns ?? 100,
    // Colour only on a terminal, and never against NO_COLOR: styleText looks at both.
    style: (format, text) => styleText(format, text, { stream: process.stdout, validateStream: true }),
  }
}
