import type { LiveRun } from './live-run.ts'
import type { LiveMessage } from './run-manager.ts'

/** Eight times a second: more cannot be seen, less looks jerky. */
const UPDATE_EVERY_MS = 125

/** The runs of a series, one after another: who watches them, and how to stop them. */
export class LiveSeries {
  readonly #listeners = new Set<(message: LiveMessage) => void>()
  readonly #controller = new AbortController()
  readonly #detaching = new AbortController()
  readonly #drain = new AbortController()
  #current: LiveRun | undefined
  /** Other runs that are in progress at the same time: whoever asks for them sees the current one. */
  readonly alongside = new Map<string, LiveRun>()
  #timer: NodeJS.Timeout | undefined
  /** It goes on when this server ends. */
  isOnWorkers = false
  /** Resolves when nothing is in progress any more. */
  ended: Promise<void> = Promise.resolve()

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Aborted when no further cell may start. */
  get draining(): AbortSignal {
    return this.#drain.signal
  }

  get currentRun(): LiveRun | undefined {
    return this.#current
  }

  abort(): void {
    this.#controller.abort()
  }

  /** Aborts when the server ends: what workers do goes on. */
  get detach(): AbortSignal {
    return this.#detaching.signal
  }

  /** For when the server ends: no further cell is started here, and those in progress are finished. */
  leave(): void {
    this.#detaching.abort()
    if (!this.isOnWorkers) this.#drain.abort()
  }

  #notify(message: LiveMessage): void {
    for (const listener of this.#listeners) {
      try {
        listener(message)
      } catch {
        // A listener that throws is dropped; the run continues.
        this.#listeners.delete(listener)
      }
    }
  }

  #sendChanges(): void {
    if (this.#listeners.size === 0) return
    const update = this.#current?.takeUpdate()
    if (update) this.#notify({ type: 'update', update })
  }

  /** Makes this the run that listeners see. */
  show(run: LiveRun): void {
    this.#sendAllChanges()
    this.#current = run
    if (this.#listeners.size > 0) this.#notify({ type: 'snapshot', snapshot: run.snapshot() })
    this.#timer ??= setInterval(() => this.#sendChanges(), UPDATE_EVERY_MS)
  }

  #sendAllChanges(): void {
    if (this.#listeners.size === 0) return
    for (let update = this.#current?.takeUpdate(); update; update = this.#current?.takeUpdate())
      this.#notify({ type: 'update', update })
  }

  end(): void {
    clearInterval(this.#timer)
    this.#sendAllChanges()
    this.#notify({ type: this.#detaching.signal.aborted ? 'restarting' : 'finished' })
    this.#listeners.clear()
  }

  watch(listener: (message: LiveMessage) => void): () => void {
    this.#listeners.add(listener)
    if (this.#current) listener({ type: 'snapshot', snapshot: this.#current.snapshot() })
    return () => this.#listeners.delete(listener)
  }
}
