import type { LiveRun } from './live-run.ts'
import type { LiveMessage } from './run-manager.ts'

/** Eight times a second: more is not seen, less looks like stuttering. */
const UPDATE_EVERY_MS = 125

/** Runs that follow each other, those who watch them, and the way to stop them. */
export class LiveSeries {
  readonly #listeners = new Set<(message: LiveMessage) => void>()
  readonly #controller = new AbortController()
  #current: LiveRun | undefined
  #timer: NodeJS.Timeout | undefined
  /** Settles when nothing is under way any more. */
  ended: Promise<void> = Promise.resolve()

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get currentRun(): LiveRun | undefined {
    return this.#current
  }

  abort(): void {
    this.#controller.abort()
  }

  #tell(message: LiveMessage): void {
    for (const listener of this.#listeners) {
      try {
        listener(message)
      } catch {
        // Whoever watches badly is not told any more; the run goes on.
        this.#listeners.delete(listener)
      }
    }
  }

  #tellChanges(): void {
    if (this.#listeners.size === 0) return
    const update = this.#current?.takeUpdate()
    if (update) this.#tell({ type: 'update', update })
  }

  /** From now on this run is the one to see. */
  show(run: LiveRun): void {
    this.#tellAllChanges()
    this.#current = run
    if (this.#listeners.size > 0) this.#tell({ type: 'snapshot', snapshot: run.snapshot() })
    this.#timer ??= setInterval(() => this.#tellChanges(), UPDATE_EVERY_MS)
  }

  #tellAllChanges(): void {
    if (this.#listeners.size === 0) return
    for (let update = this.#current?.takeUpdate(); update; update = this.#current?.takeUpdate())
      this.#tell({ type: 'update', update })
  }

  end(): void {
    clearInterval(this.#timer)
    this.#tellAllChanges()
    this.#tell({ type: 'finished' })
    this.#listeners.clear()
  }

  watch(listener: (message: LiveMessage) => void): () => void {
    this.#listeners.add(listener)
    if (this.#current) listener({ type: 'snapshot', snapshot: this.#current.snapshot() })
    return () => this.#listeners.delete(listener)
  }
}
