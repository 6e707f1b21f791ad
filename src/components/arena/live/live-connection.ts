import { createLiveRunStore, type LiveRunStore } from '../../../stores/liveRunStore.ts'
import { api } from '../../api.ts'
import { apiAddress, readFailure, readReply, type ApiFailure } from '../../api-request.ts'
import { liveSnapshotSchema, liveUpdateSchema } from '../../../contract/index.ts'
import { onEvent } from '../../on-event.ts'

/** How the page hears of the run; the run itself goes on without it. */
export type ConnectionState =
  | { kind: 'connecting' | 'open' | 'lost' | 'ended' }
  | { kind: 'refused'; failure: ApiFailure }

export interface LiveConnection {
  readonly store: LiveRunStore
  getState(): ConnectionState
  subscribe(listener: () => void): () => void
  /** After a resume: listens again. */
  reopen(): void
  /** Keeps it open until the returned function is called. */
  hold(): () => void
}

const RETRY_MS = 2_000
const KEEP_MS = 1_000
const RESUMED_CHECK_MS = 3_000

/** An event stream does not say why it was refused; the same address asked plainly does. */
async function findRefusal(url: string): Promise<ApiFailure | undefined> {
  const stop = new AbortController()
  try {
    const reply = await fetch(url, { signal: stop.signal })
    return reply.ok ? undefined : await readFailure(reply)
  } catch {
    return undefined
  } finally {
    stop.abort()
  }
}

/** By the run that each shows now. */
const connections = new Map<string, RunConnection>()

class RunConnection implements LiveConnection {
  readonly store = createLiveRunStore((notify) => window.requestAnimationFrame(notify))
  runId: string
  #users = 0
  #source: EventSource | undefined
  #state: ConnectionState = { kind: 'connecting' }
  #retry: number | undefined
  readonly #listeners = new Set<() => void>()

  constructor(runId: string) {
    this.runId = runId
    this.#open()
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
    const source = new EventSource(apiAddress(api.runs[':id'].events.$path({ param: { id: this.runId } })))
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
    onEvent(source, 'update', liveUpdateSchema, (update) => this.store.receiveUpdate(update))
    source.addEventListener('finished', () => {
      // Closed here: a browser asks again by itself when a stream ends.
      source.close()
      this.store.receiveEnd()
      this.#setState({ kind: 'ended' })
      if (this.store.getProgress()?.status !== 'completed') this.#watchForResume()
    })
    source.addEventListener('error', () => {
      if (this.#state.kind === 'ended') return
      this.#setState({ kind: 'lost' })
      if (source.readyState === EventSource.CLOSED) void this.#askWhy(source)
    })
  }

  async #askWhy(source: EventSource): Promise<void> {
    const failure = await findRefusal(apiAddress(api.runs[':id'].events.$path({ param: { id: this.runId } })))
    if (this.#source !== source) return
    if (failure) this.#setState({ kind: 'refused', failure })
    else this.#retry = window.setTimeout(() => this.reopen(), RETRY_MS)
  }

  /** A run that stopped before its end may be resumed from another tab or browser; this one then goes along. */
  #watchForResume(): void {
    this.#retry = window.setTimeout(async () => {
      const runs = await readReply(api.runs.$get({ query: { limit: '50' } })).then(
        (list) => list.runs,
        () => [],
      )
      if (this.#state.kind !== 'ended' || this.#users === 0) return
      if (runs.some(({ id, isLive }) => id === this.runId && isLive)) this.reopen()
      else this.#watchForResume()
    }, RESUMED_CHECK_MS)
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
      window.setTimeout(() => this.#closeIfUnused(), KEEP_MS)
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
 * The connection of a run, shared by all who want it at the time. It stays for a moment after the last has left: when a series goes on
 * to its next run the address changes and the page is made anew, and must not start from nothing.
 */
export function connectToRun(runId: string): LiveConnection {
  const known = connections.get(runId)
  if (known) return known
  const connection = new RunConnection(runId)
  connections.set(runId, connection)
  return connection
}
