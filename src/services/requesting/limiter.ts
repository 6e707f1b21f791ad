import { ClientError, type CancelSignal } from '../../contract/index.ts'

/** Limits the requests in progress at one provider. The limit drops on a 429 and rises again as answers arrive. */
export interface Limiter {
  /** Waits for a free slot; call the returned function when the request has ended. */
  acquire(signal?: CancelSignal): Promise<() => void>
  onRateLimited(): void
  onAnswered(): void
  /** The current limit, for progress displays. */
  limit(): number
}

/** A limiter whose upper limit may change. */
export interface AdjustableLimiter extends Limiter {
  setMax(max: number): void
  count(): { inProgress: number; waiting: number }
  /** Ends everybody who waits with an error. */
  refuseWaiting(error: unknown): void
}

interface Waiting {
  enter(): void
  fail(error: unknown): void
}

export function createLimiter(maxLimit: number): AdjustableLimiter {
  let max = maxLimit
  /** Lower than `max` after a 429. */
  let reduced = Infinity
  let inProgress = 0
  let answeredSinceChange = 0
  const waiting = new Set<Waiting>()
  const limit = () => Math.min(max, reduced)

  const admit = () => {
    for (const entry of waiting) {
      if (inProgress >= limit()) return
      waiting.delete(entry)
      inProgress++
      entry.enter()
    }
  }

  const createRelease = () => {
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      inProgress--
      admit()
    }
  }

  return {
    acquire: (signal) =>
      new Promise((resolve, reject) => {
        const stop = () => signal?.removeEventListener('abort', cancel)
        const entry: Waiting = {
          enter: () => {
            stop()
            resolve(createRelease())
          },
          fail: (error) => {
            stop()
            reject(error)
          },
        }
        const cancel = () => {
          waiting.delete(entry)
          entry.fail(new ClientError('cancelled', 'cancelled while waiting for a free slot'))
        }
        if (signal?.aborted) return cancel()
        signal?.addEventListener('abort', cancel, { once: true })
        waiting.add(entry)
        admit()
        return undefined
      }),
    onRateLimited() {
      reduced = Math.max(1, Math.floor(limit() / 2))
      answeredSinceChange = 0
    },
    onAnswered() {
      answeredSinceChange++
      if (reduced < max && answeredSinceChange >= limit()) {
        reduced++
        answeredSinceChange = 0
        admit()
      }
    },
    limit,
    setMax(value) {
      max = value
      admit()
    },
    count: () => ({ inProgress, waiting: waiting.size }),
    refuseWaiting(error) {
      for (const { fail } of waiting) fail(error)
      waiting.clear()
    },
  }
}
