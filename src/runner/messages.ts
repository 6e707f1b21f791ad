import type { ScoringJob, ScoringResult, UnscoredCode } from '../contract/index.ts'

export interface ThreadRequest {
  id: number
  job: ScoringJob
  deadlineMs: number
}

export type ThreadReply =
  | { id: number; result: ScoringResult }
  | { id: number; timedOut: true }
  | { id: number; timedOut: false; code: UnscoredCode; message: string }
