import { ClientError, type CancelSignal } from '../../contract/index.ts'

/** How many requests may be under way at one provider. Lowered when the provider says 429, raised again as it answers. */
export interface Limiter {
  /** Waits for a place; the function it gives must be called when the request has ended. */
  acquire(signal?: CancelSignal): Promise<() => void>
  onRateLimited(): void
  onAnswered(): void
  /** The limit in force, for progress displays. */
  limit(): number
}

export function createLimiter(most: number): Limiter {
  let limit = most
  let underWay = 0
  let answeredSinceChange = 0
  const waiting = new Set<() => void>()

  const admit = () => {
    for (const enter of waiting) {
      if (underWay >= limit) return
      waiting.delete(enter)
      underWay++
      enter()
    }
  }

  const createRelease = () => {
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      underWay--
      admit()
    }
  }

  return {
    acquire: (signal) =>
      new Promise((resolve, reject) => {
        const cancel = () => {
          waiting.delete(enter)
          reject(new ClientError('cancelled', 'cancelled while waiting for a place'))
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
      if (limit < most && answeredSinceChange >= limit) {
        limit++
        answeredSinceChange = 0
        admit()
      }
    },
    limit: () => limit,
  }
}
