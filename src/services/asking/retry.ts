import type { ClientError } from '../../contract/index.ts'

/** A cell has at most this many requests in all, whatever mix of reasons. */
const MOST_REQUESTS = 6

const MOST_EMPTY_RETRIES = 2
const EMPTY_BACKOFF_MS = 400
const FIRST_BACKOFF_MS = 500
const LONGEST_BACKOFF_MS = 30_000

/** A server may ask for an hour; nobody waits that long for one cell. */
const LONGEST_ASKED_WAIT_MS = 5 * 60_000

/** What has been tried for a cell so far. */
export interface Tries {
  requests: number
  emptyReplies: number
  /** False once a stream failed after it had begun: from then on the whole answer is asked for at once. */
  stream: boolean
}

export interface Retry {
  waitMs: number
  stream: boolean
}

function isWorthRetrying(failure: ClientError): boolean {
  const { kind, status, retryable } = failure
  if (kind === 'cancelled') return false
  if (retryable !== undefined) return retryable
  if (kind !== 'refused' || status === undefined) return true
  return status === 408 || status === 409 || status === 429 || status >= 500
}

/** Exponential with full jitter: many cells that failed together must not come back together. */
function backOff(requests: number, random: () => number): number {
  return Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (requests - 1)) * (0.5 + random() / 2)
}

/** Whether and when to ask again after a request that brought an empty reply or an error. */
export function decideRetry(tries: Tries, failure: 'empty' | ClientError, random: () => number): Retry | undefined {
  if (tries.requests >= MOST_REQUESTS) return undefined
  if (failure === 'empty') {
    if (tries.emptyReplies > MOST_EMPTY_RETRIES) return undefined
    return { waitMs: EMPTY_BACKOFF_MS * tries.emptyReplies, stream: tries.stream }
  }
  if (!isWorthRetrying(failure)) return undefined
  const stream = tries.stream && failure.kind !== 'broken' && !failure.duringStream
  if (failure.retryAfterMs !== undefined) {
    if (failure.retryAfterMs > LONGEST_ASKED_WAIT_MS) return undefined
    return { waitMs: failure.retryAfterMs, stream }
  }
  return { waitMs: backOff(tries.requests, random), stream }
}
