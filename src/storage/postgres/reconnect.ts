import { setTimeout as pause } from 'node:timers/promises'
import { StorageError } from '../../contract/index.ts'
import { isConnectionLost, isFull } from './errors.ts'

const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 2000

export interface ReconnectOptions {
  place: string
  /** How long the server may be away before calls fail. */
  waitMs: number
}

/** `attempt` may run several times: it must have written nothing, or must find out what it wrote. */
export type Reconnect = <Result>(attempt: () => Promise<Result>) => Promise<Result>

/**
 * Repeats calls while the server is away. All calls share one deadline, counted from the first failure: otherwise each
 * call of a stopping run would wait for the whole time again.
 */
export function createReconnector({ place, waitMs }: ReconnectOptions): Reconnect {
  let lostAt: number | undefined
  return async (attempt) => {
    for (let tries = 0; ; tries++) {
      try {
        const result = await attempt()
        lostAt = undefined
        return result
      } catch (error) {
        if (!isConnectionLost(error)) {
          // The server replied, so it is back.
          lostAt = undefined
          throw error
        }
        lostAt ??= performance.now()
        const leftMs = lostAt + waitMs - performance.now()
        if (leftMs <= 0) throw goneFor(place, waitMs, error)
        // Random, so that many calls do not return all at once.
        const backOffMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries) * (0.5 + Math.random() / 2)
        await pause(Math.min(backOffMs, leftMs))
      }
    }
  }
}

function goneFor(place: string, waitMs: number, cause: unknown): StorageError {
  const detail = cause instanceof Error ? cause.message || cause.name : String(cause)
  const seconds = Math.round(waitMs / 1000)
  if (isFull(cause))
    return new StorageError(
      `${place} accepted no more connections for ${seconds} s (${detail}): close some, or raise max_connections, then try again. Everything stored before is safe.`,
      { cause },
    )
  return new StorageError(
    `${place} was away for ${seconds} s (${detail}): start the server or check the network, then try again. Everything stored before is safe.`,
    { cause },
  )
}
