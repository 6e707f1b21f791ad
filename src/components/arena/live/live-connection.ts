import type { z } from 'zod'
import { createLiveRunStore, type LiveRunStore } from '../../../stores/liveRunStore.ts'
import { api } from '../../api.ts'
import { apiAddress, readFailure, readReply, type ApiFailure } from '../../api-request.ts'
import { isInProgress, liveSnapshotSchema, liveUpdateSchema } from '../../../contract/index.ts'
import { readEvent } from '../../read-event.ts'

/** The state of the connection, not of the run: the run continues without it. */
export type ConnectionState =
  | { kind: 'connecting' | 'open' | 'lost' | 'ended' }
  | { kind: 'refused'; failure: ApiFailure }

export interface LiveConnection {
  readonly store: LiveRunStore
  getState(): ConnectionState
  subscribe(listener: () => void): () => void
  /** Whether the names of the models are asked for; before a vote they are not. */
  showNames(areNamesShown: boolean): void
  /** Reconnects, after a resume. */
  reopen(): void
  /** Keeps it open until the returned function is called. */
  hold(): () => void
}

const RETRY_MS = 2_000
const CLOSE_DELAY_MS = 1_000
const RESUME_CHECK_MS = 3_000

/** Listens for events with this name. Broken ones are skipped: the next full snapshot corrects the screen. */
function onEvent<Schema extends z.ZodType>(
  source: EventSource,
  name: string,
  schema: Schema,
  receive: (value: z.output<Schema>) => void,
): void {
  source.addEventListener(name, ({ data }: MessageEvent<unknown>) => {
    const value = readEvent(schema, data)
    if (value !== undefined) receive(value)
  })
}

/** An event stream does not tell why it was refused; a plain request to the same address does. */
async function findRefusal(url: string): Promise<ApiFailure | undefined> {
  const controller = new AbortController()
  try {
    const reply = await fetch(url, { signal: controller.signal })
    return reply.ok ? undefined : await readFailure(reply)
  } catch {
    return undefined
  } finally {
    controller.abort()
  }
}

/** A hidden tab draws no frames, but its title still shows the progress. */
const HIDDEN_MS = 1_000

function scheduleUpdate(notify: () => void): void {
  const update = () => {
    window.cancelAnimationFrame(frame)
    window.clearTimeout(timer)
    notify()
  }
  const frame = window.requestAnimationFrame(update)
  const timer = window.setTimeout(update, HIDDEN_MS)
}

/** By the id of the run that each currently shows. */
const connections = new Map<string, RunConnection>()

class RunConnection implements LiveConnection {
  readonly store = createLiveRunStore(scheduleUpdate)
  runId: string
  #users = 0
  #source: EventSource | undefined
  #state: ConnectionState = { kind: 'connecting' }
  #retry: number | undefined
  readonly #listeners = new Set<() => void>()

  #areNamesShown: boolean

  constructor(runId: string, { areNamesShown }: { areNamesShown: boolean }) {
    this.runId = runId
    this.#areNamesShown = areNamesShown
    this.#open()
  }

  get #address(): string {
    const query = { names: this.#areNamesShown ? ('shown' as const) : ('hidden' as const) }
    return apiAddress(api.runs[':id'].events.$path({ param: { id: this.runId }, query }))
  }

  showNames = (areNamesShown: boolean): void => {
    // What was seen once is not hidden again: another screen may have asked for it.
    if (!areNamesShown || this.#areNamesShown) return
    this.#areNamesShown = true
    this.reopen()
  }

  getState = (): ConnectionState => this.#state

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  #setState(state: ConnectionState): void {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }

  #open(): void {
    const source = new EventSource(this.#address)
    this.#source = source
    source.addEventListener('open', () => this.#setState({ kind: 'open' }))
    onEvent(source, 'snapshot', liveSnapshotSchema, (snapshot) => {
      this.store.receiveSnapshot(snapshot)
      if (snapshot.runId === this.runId) return
      connections.delete(this.runId)
      this.runId = snapshot.runId
      connections.get(this.runId)?.close()
      connections.set(this.runId, this)
    })
    onEvent(source, 'update', liveUpdateSchema, (update) => {
      // Some text before this one is missing: everything is loaded again.
      if (!this.store.receiveUpdate(update)) this.reopen()
    })
    source.addEventListener('finished', () => {
      // Without this, the browser would reconnect when the stream ends.
      source.close()
      this.store.receiveEnd()
      this.#setState({ kind: 'ended' })
      if (this.store.getProgress()?.state !== 'done') this.#watchForResume()
    })
    source.addEventListener('error', () => {
      if (this.#state.kind === 'ended') return
      this.#setState({ kind: 'lost' })
      if (source.readyState === EventSource.CLOSED) void this.#handleClosed(source)
    })
  }

  async #handleClosed(source: EventSource): Promise<void> {
    const failure = await findRefusal(this.#address)
    if (this.#source !== source) return
    if (failure) this.#setState({ kind: 'refused', failure })
    else this.#retry = window.setTimeout(() => this.reopen(), RETRY_MS)
  }

  /** Follows a run that is resumed from another tab or browser, or that another process works on. */
  #watchForResume(): void {
    this.#retry = window.setTimeout(async () => {
      const runs = await readReply(api.runs.$get({ query: { limit: '50' } })).then(
        (list) => list.runs,
        () => [],
      )
      if (this.#state.kind !== 'ended' || this.#users === 0) return
      const run = runs.find(({ id }) => id === this.runId)
      // It goes on, or did so and ended since the last look.
      const hasGoneOn = run && (isInProgress(run.state) || run.state === 'done')
      if (hasGoneOn || this.store.getProgress()?.workedOnBy) this.reopen()
      else this.#watchForResume()
    }, RESUME_CHECK_MS)
  }

  reopen = (): void => {
    this.close()
    this.#setState({ kind: 'connecting' })
    this.#open()
  }

  hold = (): (() => void) => {
    this.#users++
    return () => {
      this.#users--
      window.setTimeout(() => this.#closeIfUnused(), CLOSE_DELAY_MS)
    }
  }

  #closeIfUnused(): void {
    if (this.#users > 0) return
    this.close()
    if (connections.get(this.runId) === this) connections.delete(this.runId)
  }

  close(): void {
    window.clearTimeout(this.#retry)
    this.#source?.close()
    this.#source = undefined
  }
}

/**
 * The shared connection to a run. It stays open for a moment after its last user leaves: when a series starts its next
 * run, the address changes and the page remounts, and must not start empty.
 */
export function connectToRun(runId: string, options: { areNamesShown: boolean }): LiveConnection {
  const existing = connections.get(runId)
  if (existing) {
    // It was resumed in the meantime.
    if (existing.getState().kind === 'ended') existing.reopen()
    return existing
  }
  const connection = new RunConnection(runId, options)
  connections.set(runId, connection)
  return connection
}
