import { setTimeout as delay } from 'node:timers/promises'
import type { CancelSignal } from '../../contract/index.ts'

/** Passed in so that tests can control time. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Resolves early, without an error, when the signal aborts. */
  sleep(milliseconds: number, signal?: CancelSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(milliseconds, signal) {
    if (signal?.aborted) return
    const controller = new AbortController()
    const stop = () => controller.abort()
    signal?.addEventListener('abort', stop, { once: true })
    try {
      await delay(milliseconds, undefined, { signal: controller.signal })
    } catch (error) {
      if (!controller.signal.aborted) throw error
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  },
}
