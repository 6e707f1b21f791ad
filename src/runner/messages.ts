import type { ScoringJob, ScoringResult, UnscoredCode } from '../contract/index.ts'

/** How many times work is started when its time ran out while the thread got little CPU time. */
export const MAX_TRIES = 3

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
