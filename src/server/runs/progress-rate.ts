const WINDOW_MS = 20_000

/** Over less time than this, a rate means nothing. */
const MIN_MS = 500

/** The rate of finished cells over the last 20 seconds, not since the start. */
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

  /** Cells per second; 0 while it is unknown. */
  read(now: number): number {
    this.#forget(now)
    const elapsed = Math.min(WINDOW_MS, now - this.#startedAt)
    if (elapsed < MIN_MS) return 0
    return (this.#seconds.reduce((sum, { count }) => sum + count, 0) / elapsed) * 1000
  }
}
