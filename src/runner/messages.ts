import type { RunToolCode, ScoringJob, ScoringResult, ToolRun, UnscoredCode } from '../contract/index.ts'

/**
 * How much longer than the deadline each try may take. Only a thread that got too little CPU time tries again: a busy
 * machine must not make a fast job time out, and each try starts from the beginning, so it gets more time.
 */
export const TRIES = [1, 2, 4, 8]

declare global {
  /** The part of WebAssembly that is used here: Node has it, and only the types of browsers declare it. */
  namespace WebAssembly {
    interface Module {}
    function compile(bytes: Uint8Array<ArrayBuffer>): Promise<Module>
  }
}

/** What a thread does: scores an answer, or runs the code of a tool. */
export type ThreadJob = ScoringJob | { tool: Parameters<RunToolCode>[0] }

export interface ThreadRequest {
  id: number
  job: ThreadJob
  deadlineMs: number
  /** For a job that runs code: the engine to run it in. */
  isolate?: WebAssembly.Module
}

export type ThreadReply =
  | { id: number; began: true }
  | { id: number; result: ScoringResult }
  | { id: number; run: ToolRun }
  | { id: number; timedOut: true }
  | { id: number; timedOut: false; code: UnscoredCode; message: string }
