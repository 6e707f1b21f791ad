import type { ArenaView } from '../../server/code-arena/api.ts'
import { api, ApiFailure } from '../api-client.ts'
import { applyPanel, applyProgress, applyText } from './arena-state.ts'
import { readArenaEvent, type ArenaEvent } from './read-arena-event.ts'

export interface ArenaConnectionState {
  view?: ArenaView
  /** How the page hears of the run; the run itself goes on without it. */
  kind: 'connecting' | 'open' | 'lost' | 'ended' | 'refused'
  failure?: unknown
}

const RETRY_MS = 2_000
const RESUMED_CHECK_MS = 3_000
const NAMES = ['view', 'panel', 'text', 'progress'] as const

/** The run as it is now, and as it goes on. Begins with the first who listens, ends a moment after the last. */
export class ArenaConnection {
  readonly #runId: string
  #state: ArenaConnectionState = { kind: 'connecting' }
  #source: EventSource | undefined
  #timer: number | undefined
  #isTelling = false
  readonly #listeners = new Set<() => void>()

  constructor(runId: string) {
    this.#runId = runId
  }

  getState = (): ArenaConnectionState => this.#state

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    if (!this.#source && this.#state.kind === 'connecting') this.#open()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      this.#close()
      if (this.#state.kind !== 'refused') this.#state = { ...this.#state, kind: 'connecting' }
    }
  }

  /** After a resume, or when something was missed: listens again from the whole. */
  reopen = (): void => {
    this.#close()
    this.#set({ kind: 'connecting' })
    this.#open()
  }

  #set(changes: Partial<ArenaConnectionState>): void {
    this.#state = { ...this.#state, ...changes }
    // Texts come many at a time: one drawing for all that have come.
    if (this.#isTelling) return
    this.#isTelling = true
    window.setTimeout(() => {
      this.#isTelling = false
      for (const listener of this.#listeners) listener()
    }, 0)
  }

  #open(): void {
    const source = new EventSource(api.codeArenaEventsUrl(this.#runId))
    this.#source = source
    source.addEventListener('open', () => this.#set({ kind: 'open' }))
    for (const name of NAMES)
      source.addEventListener(name, ({ data }) => {
        const event = readArenaEvent(name, data)
        if (event) this.#receive(event)
      })
    source.addEventListener('finished', () => {
      // Closed here: a browser asks again by itself when a stream ends.
      source.close()
      void this.#settle(source)
    })
    source.addEventListener('error', () => {
      if (this.#source !== source || this.#state.kind === 'ended') return
      this.#set({ kind: 'lost' })
      if (source.readyState === EventSource.CLOSED) void this.#askWhy(source)
    })
  }

  #receive(event: ArenaEvent): void {
    if ('view' in event) return this.#set({ view: event.view })
    const { view } = this.#state
    if (!view) return undefined
    if ('panel' in event) return this.#set({ view: applyPanel(view, event.panel) })
    if ('progress' in event) return this.#set({ view: applyProgress(view, event.progress) })
    const next = applyText(view, event.text)
    if (next) return this.#set({ view: next })
    return this.reopen()
  }

  /** The end: what is stored now is what stays. */
  async #settle(source: EventSource): Promise<void> {
    const stored = await api.codeArenaRun(this.#runId).catch(() => undefined)
    if (this.#source !== source) return
    const { view } = this.#state
    const progress = stored?.progress ?? view?.progress
    this.#set({
      kind: 'ended',
      ...(stored && { view: { ...stored, ...(progress && { progress: { ...progress, status: stored.status } }) } }),
    })
    if ((stored ?? view)?.status !== 'completed') this.#watchForResume(source)
  }

  async #askWhy(source: EventSource): Promise<void> {
    const failure = await api.codeArenaRun(this.#runId).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (this.#source !== source) return
    if (failure instanceof ApiFailure && failure.status >= 400) this.#set({ kind: 'refused', failure })
    else this.#timer = window.setTimeout(() => this.reopen(), RETRY_MS)
  }

  /** A run that stopped before its end may be resumed from elsewhere; this page then goes along. */
  #watchForResume(source: EventSource): void {
    this.#timer = window.setTimeout(async () => {
      const stored = await api.codeArenaRun(this.#runId).catch(() => undefined)
      if (this.#source !== source) return
      if (stored?.isLive) this.reopen()
      else this.#watchForResume(source)
    }, RESUMED_CHECK_MS)
  }

  #close(): void {
    window.clearTimeout(this.#timer)
    this.#source?.close()
    this.#source = undefined
  }
}
