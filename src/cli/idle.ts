import { setTimeout as pause } from 'node:timers/promises'

const LOOK_MS = 5
const MOST_LOOKS = 30
/** The share of the time that is work. */
const LITTLE = 0.3

/** Settles when there is little to do but wait for answers; in the end also when there is always something. Keeps no program from ending. */
export async function untilIdle(): Promise<void> {
  for (let look = 0; look < MOST_LOOKS; look++) {
    const before = performance.eventLoopUtilization()
    await pause(LOOK_MS, undefined, { ref: false })
    if (performance.eventLoopUtilization(before).utilization < LITTLE) return
  }
}
