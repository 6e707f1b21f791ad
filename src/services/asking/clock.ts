import { setTimeout as delay } from 'node:timers/promises'
import type { CancelSignal } from '../../contract/index.ts'

/** Time, handed in: tests bring their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Settles early, without an error, when the signal is raised. */
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
