import type { LimitBook, Moves } from '../../contract/index.ts'
import type { Clock } from '../asking/clock.ts'

/** The times are milliseconds since 1970. */
interface Line {
  requestSlot: number
  tokenSlot: number
  pausedUntil: number
  moves: number
}

/** A pause that ends at most this much later than the one before is the same pause. */
const SAME_PAUSE_MS = 250

/** Keeps limits for this process. The database does the same for several (`src/storage/postgres/limit-book.ts`). */
export function createLocalBook(clock: Pick<Clock, 'now'>): LimitBook {
  const lines = new Map<string, Line>()
  const lineOf = (key: string): Line => {
    const line = lines.get(key) ?? { requestSlot: 0, tokenSlot: 0, pausedUntil: 0, moves: 0 }
    lines.set(key, line)
    return line
  }
  const describe = ({ moves, pausedUntil }: Line): Moves => ({
    moves,
    pausedMs: Math.max(0, pausedUntil - clock.now()),
  })

  return {
    isShared: false,
    async reserve(key, { slots, requestSeconds, tokenSeconds }) {
      const line = lineOf(key)
      const now = clock.now()
      const request = Math.max(line.requestSlot, now)
      const token = Math.max(line.tokenSlot, now)
      line.requestSlot = request + slots * requestSeconds * 1000
      line.tokenSlot = token + slots * tokenSeconds * 1000
      return { waitMs: Math.max(request, token) - now, ...describe(line) }
    },
    async giveBack(key, tokenSeconds) {
      const line = lineOf(key)
      line.tokenSlot -= tokenSeconds * 1000
      return describe(line)
    },
    async postpone(key, milliseconds) {
      const line = lineOf(key)
      const until = clock.now() + milliseconds
      if (until > line.pausedUntil + Math.min(SAME_PAUSE_MS, milliseconds / 2)) {
        line.pausedUntil = until
        line.requestSlot = until
        line.moves++
      }
      return describe(line)
    },
    // One process: its limiters count the requests themselves.
    takeShare: async (_key, { limit }) => limit,
    endShare: async () => {},
    close: async () => {},
  }
}
