import { setImmediate as nextTurn } from 'node:timers/promises'

/** Well below what a person, or the next request, would notice. */
const LONGEST_SLICE_MS = 8

/**
 * Breaks for long loops: `await turns.give()` lets the program do what else waits whenever this loop has had its share. `isDue` is
 * looked at first, so that a loop pays for an await only when it takes a break.
 */
export function takeTurns() {
  let since = performance.now()
  return {
    isDue: (): boolean => performance.now() - since > LONGEST_SLICE_MS,
    async give(): Promise<void> {
      await nextTurn()
      since = performance.now()
    },
  }
}
