import { setImmediate as nextTurn } from 'node:timers/promises'

/** Well below what a person, or the next request, would notice. */
const LONGEST_SLICE_MS = 8

/**
 * Pauses for a long loop: `await pauses.take()` lets the server do what else waits. `isDue` is asked first, so that the loop
 * pays for an await only once in a while.
 */
export function createPauses() {
  let since = performance.now()
  return {
    isDue: (): boolean => performance.now() - since > LONGEST_SLICE_MS,
    async take(): Promise<void> {
      await nextTurn()
      since = performance.now()
    },
  }
}
