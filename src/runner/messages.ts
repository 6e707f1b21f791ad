import type { ScoringJob, ScoringResult, UnscoredCode } from '../contract/index.ts'

/** How often work is begun anew when the clock ran out but the thread had hardly had the processor. */
export const MOST_TRIES = 3

export interface ThreadRequest {
  id: number
  job: ScoringJob
  deadlineMs: number
}

export type ThreadReply =
  | { id: number; began: true }
  | { id: number; result: ScoringResult }
  | { id: number; timedOut: true }
  | { id: number; timedOut: false; code: UnscoredCode; message: string }
