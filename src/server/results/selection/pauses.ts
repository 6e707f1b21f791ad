import { setImmediate as yieldToEventLoop } from 'node:timers/promises'

/** Too short for a person, or the next request, to notice. */
const MAX_SLICE_MS = 8

/**
 * Pauses for a long loop: `await pauses.take()` lets the server do other work. Call `isDue` first, so that the loop
 * only rarely pays for an await.
 */
export function createPauses() {
  let since = performance.now()
  return {
    isDue: (): boolean => performance.now() - since > MAX_SLICE_MS,
    async take(): Promise<void> {
      await yieldToEventLoop()
      since = performance.now()
    },
  }
}
