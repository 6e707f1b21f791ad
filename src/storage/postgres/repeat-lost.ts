import { isTransient } from './errors.ts'
import type { Reconnect } from './reconnect.ts'

const MAX_TRIES = 5

/** The connection was lost when the server may have committed: only the server knows. */
export class UnknownOutcome<Result> {
  readonly result: Result
  readonly lost: unknown
  readonly isCommitted: () => Promise<boolean>

  constructor(result: Result, lost: unknown, isCommitted: () => Promise<boolean>) {
    this.result = result
    this.lost = lost
    this.isCommitted = isCommitted
  }
}

/**
 * Runs the work, and again if it conflicts with another transaction or the connection is lost, but never twice with
 * success: if it throws `UnknownOutcome`, the server is asked first.
 */
export async function repeatLost<Result>(work: () => Promise<Result>, reconnect: Reconnect): Promise<Result> {
  let unknown: UnknownOutcome<Result> | undefined
  let conflicts = 0
  return reconnect(async () => {
    for (;;) {
      if (unknown) {
        if (await unknown.isCommitted()) return unknown.result
        unknown = undefined
      }
      try {
        return await work()
      } catch (error) {
        if (error instanceof UnknownOutcome) {
          unknown = error
          throw error.lost
        }
        if (!isTransient(error) || ++conflicts === MAX_TRIES) throw error
      }
    }
  })
}
