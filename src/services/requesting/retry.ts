import type { ClientError } from '../../contract/index.ts'

/** The most requests for one cell, for whatever mix of reasons. */
const MAX_REQUESTS = 6

const MAX_EMPTY_RETRIES = 2
const EMPTY_BACKOFF_MS = 400
const FIRST_BACKOFF_MS = 500
const MAX_BACKOFF_MS = 30_000

/** A server may ask for an hour, which is too long to wait for one cell. */
export const MAX_RETRY_AFTER_MS = 5 * 60_000

/** What has been tried for a cell so far. */
export interface Tries {
  requests: number
  emptyReplies: number
  /** False once a stream failed after it had started, or may have been refused: later requests do not stream. */
  stream: boolean
}

export interface Retry {
  waitMs: number
  stream: boolean
}

export function isWorthRetrying(failure: ClientError): boolean {
  const { kind, status, retryable } = failure
  if (kind === 'cancelled') return false
  if (retryable !== undefined) return retryable
  if (kind !== 'refused' || status === undefined) return true
  return status === 408 || status === 409 || status === 429 || status >= 500
}

/** Statuses of a client error that may come after work was done: a time limit, a conflict, a lost client. */
const MAYBE_BILLED = new Set([408, 409, 499])

/**
 * True if the request certainly cost nothing: it never left, or was refused by its HTTP status before a model saw it.
 * Providers may bill anything else that failed: broken streams, timeouts, errors of the server, cancelled requests.
 */
export function isUnbilled({ kind, status = 0, unbilled, duringStream }: ClientError): boolean {
  if (unbilled !== undefined) return unbilled
  return kind === 'refused' && !duringStream && status >= 300 && status < 500 && !MAYBE_BILLED.has(status)
}

/** Exponential with jitter: cells that failed together must not all retry together. */
function backOff(requests: number, random: () => number): number {
  return Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (requests - 1)) * (0.5 + random() / 2)
}

/** A server that asks for next to nothing is obeyed once: more often, a cell's requests would all leave at once. */
function waitAsAsked(retryAfterMs: number, { requests }: Tries, random: () => number): number {
  return requests === 1 ? retryAfterMs : Math.max(retryAfterMs, backOff(1, random))
}

/** Some servers that answer only without streaming say no more than this. */
const MAYBE_UNSTREAMED = new Set([405, 500, 501])

/** Decides whether and when to retry after an empty reply or an error. */
export function decideRetry(tries: Tries, failure: 'empty' | ClientError, random: () => number): Retry | undefined {
  if (tries.requests >= MAX_REQUESTS) return undefined
  if (failure === 'empty') {
    if (tries.emptyReplies > MAX_EMPTY_RETRIES) return undefined
    return { waitMs: EMPTY_BACKOFF_MS * tries.emptyReplies, stream: tries.stream }
  }
  if (failure.adapted) return { waitMs: 0, stream: tries.stream }
  const { retryAfterMs = 0, kind, status = 0, retryable, duringStream } = failure
  const mayRefuseStream = tries.stream && kind === 'refused' && MAYBE_UNSTREAMED.has(status)
  if (!isWorthRetrying(failure) && !(mayRefuseStream && retryable === undefined)) return undefined
  const stream = tries.stream && kind !== 'broken' && !duringStream && !mayRefuseStream
  if (retryAfterMs > MAX_RETRY_AFTER_MS) return undefined
  if (retryAfterMs > 0) return { waitMs: waitAsAsked(retryAfterMs, tries, random), stream }
  return { waitMs: backOff(tries.requests, random), stream }
}
