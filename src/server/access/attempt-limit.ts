import { setLatest } from '../../contract/index.ts'
import { parseAddress } from '../../contract/team/internal-addresses.ts'

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

/** Whoever has one IPv6 address has a network of 2^64; IPv4 addresses written as IPv6 ones are all in the same. */
function networkOf(address: string): string {
  const bytes = parseAddress(address)
  if (bytes?.length !== 16 || bytes.slice(0, 8).every((byte) => byte === 0)) return address
  return bytes.slice(0, 8).join('.')
}

export function createAttemptLimit(now: () => number): AttemptLimit {
  const failures = new Map<string, { count: number; since: number }>()
  const keysOf = (address: string, login: string) =>
    [
      [`both ${networkOf(address)} ${login}`, LIMITS.both],
      [`address ${networkOf(address)}`, LIMITS.address],
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
        setLatest(failures, key, { count: count + 1, since }, MAX_KEYS)
      }
    },
    // It was counted as a failure before its password was checked; a whole office may come from one address.
    noteSuccess(address, login) {
      for (const [key] of keysOf(address, login)) {
        const found = failures.get(key)
        if (found) failures.set(key, { ...found, count: found.count - 1 })
      }
      failures.delete(`both ${networkOf(address)} ${login}`)
    },
  }
}
