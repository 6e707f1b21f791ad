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

export function createLimiter(maxLimit: number): Limiter {
  let limit = maxLimit
  let inProgress = 0
  let answeredSinceChange = 0
  const waiting = new Set<() => void>()

  const admit = () => {
    for (const enter of waiting) {
      if (inProgress >= limit) return
      waiting.delete(enter)
      inProgress++
      enter()
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
        const cancel = () => {
          waiting.delete(enter)
          reject(new ClientError('cancelled', 'cancelled while waiting for a free slot'))
        }
        const enter = () => {
          signal?.removeEventListener('abort', cancel)
          resolve(createRelease())
        }
        if (signal?.aborted) return cancel()
        signal?.addEventListener('abort', cancel, { once: true })
        waiting.add(enter)
        admit()
        return undefined
      }),
    onRateLimited() {
      limit = Math.max(1, Math.floor(limit / 2))
      answeredSinceChange = 0
    },
    onAnswered() {
      answeredSinceChange++
      if (limit < maxLimit && answeredSinceChange >= limit) {
        limit++
        answeredSinceChange = 0
        admit()
      }
    },
    limit: () => limit,
  }
}
