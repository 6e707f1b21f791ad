import { randomUUID } from 'node:crypto'
import { shareLeaseMs, type LimitStore } from '../../contract/index.ts'
import { createLimiter, type Limiter } from '../requesting/limiter.ts'

const RENEW_EVERY_MS = 1000
const RENEW_AT_MOST_EVERY_MS = 200

/** A process that could not renew its share sends nothing new a little before the others count it as gone. */
const LAPSES_AFTER_MS = shareLeaseMs - 2000

export interface SharedLimiter extends Limiter {
  close(): Promise<void>
}

/**
 * A limiter over all processes that share the limit store: each has a share of the limit, as large as it needs and as is fair,
 * and renews it every second.
 */
export function createSharedLimiter(key: string, limit: number, limitStore: LimitStore): SharedLimiter {
  const holder = randomUUID()
  const limiter = createLimiter(0)
  let share = 0
  let renewal: NodeJS.Timeout | undefined
  let isRenewing = false
  let renewedAt = -Infinity
  let ending: Promise<void> = Promise.resolve()

  const setShare = (value: number) => {
    share = value
    limiter.setMax(value)
  }

  async function renew(): Promise<void> {
    if (isRenewing) return
    isRenewing = true
    try {
      await ending
      const askedAt = performance.now()
      const { inProgress, waiting } = limiter.count()
      const kept = Math.max(inProgress, share)
      const granted = await limitStore.acquire(key, { holder, limit, wanted: inProgress + waiting, kept })
      renewedAt = askedAt
      setShare(granted)
    } catch (error) {
      // The database may be back before the share expires; if it never was reached, nobody may send anything.
      if (performance.now() - renewedAt > LAPSES_AFTER_MS) {
        setShare(0)
        if (isFatal(error)) limiter.refuseWaiting(error)
      }
    } finally {
      isRenewing = false
    }
  }

  function check(): void {
    const { inProgress, waiting } = limiter.count()
    if (performance.now() - renewedAt > LAPSES_AFTER_MS) setShare(0)
    if (inProgress > 0 || waiting > 0) void renew()
    else if (!isRenewing) void end()
  }

  /** Nothing is in progress: the others get the whole share. */
  function end(): Promise<void> {
    clearInterval(renewal)
    renewal = undefined
    setShare(0)
    renewedAt = -Infinity
    ending = limitStore.release(key, holder).catch(() => {
      // It expires.
    })
    return ending
  }

  return {
    ...limiter,
    acquire(signal) {
      const acquired = limiter.acquire(signal)
      renewal ??= setInterval(check, RENEW_EVERY_MS).unref()
      // Also between two renewals: what is free is not worth a second of waiting.
      const isSoon = performance.now() - renewedAt < RENEW_AT_MOST_EVERY_MS
      if (limiter.count().waiting > 0 && share < limit && !isSoon) void renew()
      return acquired
    },
    async close() {
      if (renewal) await end()
    },
  }
}

/** The limit store gave up, after waiting for the database as long as storage does. */
function isFatal(error: unknown): boolean {
  return error instanceof Error && error.name === 'StorageError'
}
