import type { RunResult } from '../../contract/index.ts'

export const EXIT_GATE_FAILED = 1
/** Bad usage or bad input: nothing was done. Also used when the output cannot be written. */
export const EXIT_BAD_INPUT = 2
/** Done, but some cells have no score. */
export const EXIT_MISSING = 3
export const EXIT_CANCELLED = 130

/** A run that somebody cancelled says nothing about its gates; one that stopped at its budget failed them. */
export function exitCodeOf(
  runs: readonly Pick<RunResult, 'status' | 'stopReason'>[],
  { hasFailedGate, isComplete }: { hasFailedGate: boolean; isComplete: boolean },
): number {
  const cancelled = runs.filter(({ status }) => status === 'cancelled')
  if (cancelled.some(({ stopReason }) => stopReason !== 'budget')) return EXIT_CANCELLED
  if (hasFailedGate) return EXIT_GATE_FAILED
  if (cancelled.length > 0) return EXIT_CANCELLED
  return isComplete ? 0 : EXIT_MISSING
}
