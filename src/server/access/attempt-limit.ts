const WINDOW_MS = 15 * 60_000
/** Beyond this many keys, the oldest are forgotten: the memory of the server must not grow with an attack. */
const MAX_KEYS = 10_000

/** Failures in a quarter of an hour. A login alone has the highest limit, so that a stranger cannot lock a person out. */
const LIMITS = { both: 5, address: 30, login: 100 } as const

/** Slows down guessing passwords and invitations. */
export interface AttemptLimit {
  /** False if too many attempts failed lately. */
  mayTry(address: string, login: string): boolean
  noteFailure(address: string, login: string): void
  noteSuccess(address: string, login: string): void
}

export function createAttemptLimit(now: () => number): AttemptLimit {
  const failures = new Map<string, { count: number; since: number }>()
  const keysOf = (address: string, login: string) =>
    [
      [`both ${address} ${login}`, LIMITS.both],
      [`address ${address}`, LIMITS.address],
      [`login ${login}`, LIMITS.login],
    ] as const
  const countOf = (key: string) => {
    const found = failures.get(key)
    return found && now() - found.since < WINDOW_MS ? found.count : 0
  }
  return {
    mayTry: (address, login) => keysOf(address, login).every(([key, limit]) => countOf(key) < limit),
    noteFailure(address, login) {
      for (const [key] of keysOf(address, login)) {
        const count = countOf(key)
        const since = count === 0 ? now() : failures.get(key)!.since
        failures.delete(key)
        failures.set(key, { count: count + 1, since })
      }
      for (const oldest of failures.keys()) {
        if (failures.size <= MAX_KEYS) break
        failures.delete(oldest)
      }
    },
    noteSuccess(address, login) {
      failures.delete(`both ${address} ${login}`)
    },
  }
}
