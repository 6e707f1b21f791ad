import type { LimitStore, Moves } from '../../contract/index.ts'
import type { Clock } from '../asking/clock.ts'

/** The times are milliseconds since 1970. */
interface LimitState {
  requestSlot: number
  tokenSlot: number
  pausedUntil: number
  moves: number
}

/** A pause that ends at most this much later than the one before is the same pause. */
const SAME_PAUSE_MS = 250

/** Keeps limits for this process. The database does the same for several (`src/storage/postgres/limit-store.ts`). */
export function createLocalLimitStore(clock: Pick<Clock, 'now'>): LimitStore {
  const states = new Map<string, LimitState>()
  const stateOf = (key: string): LimitState => {
    const state = states.get(key) ?? { requestSlot: 0, tokenSlot: 0, pausedUntil: 0, moves: 0 }
    states.set(key, state)
    return state
  }
  const describe = ({ moves, pausedUntil }: LimitState): Moves => ({
    moves,
    pausedMs: Math.max(0, pausedUntil - clock.now()),
  })

  return {
    isShared: false,
    async reserve(key, { slots, requestSeconds, tokenSeconds }) {
      const state = stateOf(key)
      const now = clock.now()
      const request = Math.max(state.requestSlot, now)
      const token = Math.max(state.tokenSlot, now)
      state.requestSlot = request + slots * requestSeconds * 1000
      state.tokenSlot = token + slots * tokenSeconds * 1000
      return { waitMs: Math.max(request, token) - now, ...describe(state) }
    },
    async refund(key, tokenSeconds) {
      const state = stateOf(key)
      state.tokenSlot -= tokenSeconds * 1000
      return describe(state)
    },
    async postpone(key, milliseconds) {
      const state = stateOf(key)
      const until = clock.now() + milliseconds
      if (until > state.pausedUntil + Math.min(SAME_PAUSE_MS, milliseconds / 2)) {
        state.pausedUntil = until
        state.requestSlot = until
        state.moves++
      }
      return describe(state)
    },
    // One process: its limiters count the requests themselves.
    acquire: async (_key, { limit }) => limit,
    release: async () => {},
    close: async () => {},
  }
}
