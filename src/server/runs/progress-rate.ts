const WINDOW_MS = 20_000

/** Shorter than this, a rate says nothing. */
const SHORTEST_MS = 500

/** How fast it goes: finished cells over the last while, not since the beginning. */
export class ProgressRate {
  readonly #startedAt: number
  /** How many finished in each second of the window. */
  #seconds: { at: number; count: number }[] = []

  constructor(startedAt: number) {
    this.#startedAt = startedAt
  }

  add(now: number): void {
    const at = Math.floor(now / 1000) * 1000
    const last = this.#seconds.at(-1)
    if (last?.at === at) last.count++
    else this.#seconds.push({ at, count: 1 })
    if (this.#seconds.length > WINDOW_MS / 500) this.#forget(now)
  }

  #forget(now: number): void {
    this.#seconds = this.#seconds.filter(({ at }) => now - at < WINDOW_MS)
  }

  /** A second; 0 while it cannot be said. */
  read(now: number): number {
    this.#forget(now)
    const elapsed = Math.min(WINDOW_MS, now - this.#startedAt)
    if (elapsed < SHORTEST_MS) return 0
    return (this.#seconds.reduce((sum, { count }) => sum + count, 0) / elapsed) * 1000
  }
}
