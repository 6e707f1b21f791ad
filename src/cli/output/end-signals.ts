import { EXIT_CANCELLED } from './exit-codes.ts'
import { outliveOutput, type Terminal } from './terminal.ts'

/** Ctrl-C, a shutdown, and a closed terminal or lost remote session: all end the work in order. */
const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Calls `onEnd` at the first such signal; a second one ends the process at once. Returns a function that stops it. */
export function listenForEnd(onEnd: () => void): () => void {
  outliveOutput()
  let isEnding = false
  const end = () => {
    if (isEnding) process.exit(EXIT_CANCELLED)
    isEnding = true
    onEnd()
  }
  for (const name of END_SIGNALS) process.on(name, end)
  return () => {
    for (const name of END_SIGNALS) process.off(name, end)
  }
}

/** Aborts the returned signal, with a message. */
export function listenForCancel(terminal: Terminal, message: string): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController()
  const stop = listenForEnd(() => {
    terminal.stderr.write(`\n${message} Press Ctrl-C again to quit at once.\n`)
    controller.abort()
  })
  return { signal: controller.signal, stop }
}
