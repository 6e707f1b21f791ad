import {
  arenaPanelUpdateSchema,
  arenaTextSchema,
  arenaViewSchema,
  isLive,
  liveProgressSchema,
  type ArenaText,
  type ArenaView,
} from '../../contract/index.ts'
import { api } from '../api.ts'
import { apiAddress, ApiFailure, readReply } from '../api-request.ts'
import { applyPanel, applyProgress, applyText } from './arena-state.ts'
import { onEvent } from '../on-event.ts'

export interface ArenaConnectionState {
  view?: ArenaView
  /** The state of the connection, not of the run: the run continues without it. */
  kind: 'connecting' | 'open' | 'lost' | 'ended' | 'refused'
  failure?: unknown
}

const RETRY_MS = 2_000
const RESUME_CHECK_MS = 3_000

/** A live view of a run. Connects with the first listener and disconnects after the last. */
export class ArenaConnection {
  readonly #runId: string
  #state: ArenaConnectionState = { kind: 'connecting' }
  #source: EventSource | undefined
  #timer: number | undefined
  #isNotifyScheduled = false
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

  /** Reconnects and loads everything again, after a resume or if something was missed. */
  reopen = (): void => {
    this.#close()
    this.#set({ kind: 'connecting' })
    this.#open()
  }

  #set(changes: Partial<ArenaConnectionState>): void {
    this.#state = { ...this.#state, ...changes }
    // Texts arrive in bursts: one notification for all of them.
    if (this.#isNotifyScheduled) return
    this.#isNotifyScheduled = true
    window.setTimeout(() => {
      this.#isNotifyScheduled = false
      for (const listener of this.#listeners) listener()
    }, 0)
  }

  #open(): void {
    const source = new EventSource(apiAddress(api.codeArena[':runId'].events.$path({ param: { runId: this.#runId } })))
    this.#source = source
    source.addEventListener('open', () => this.#set({ kind: 'open' }))
    onEvent(source, 'view', arenaViewSchema, (view) => this.#set({ view }))
    onEvent(source, 'panel', arenaPanelUpdateSchema, (news) => this.#change((view) => applyPanel(view, news)))
    onEvent(source, 'progress', liveProgressSchema, (progress) => this.#change((view) => applyProgress(view, progress)))
    onEvent(source, 'text', arenaTextSchema, (text) => this.#receiveText(text))
    source.addEventListener('finished', () => {
      // Without this, the browser would reconnect when the stream ends.
      source.close()
      void this.#settle(source)
    })
    source.addEventListener('error', () => {
      if (this.#source !== source || this.#state.kind === 'ended') return
      this.#set({ kind: 'lost' })
      if (source.readyState === EventSource.CLOSED) void this.#handleClosed(source)
    })
  }

  #change(change: (view: ArenaView) => ArenaView): void {
    const { view } = this.#state
    if (view) this.#set({ view: change(view) })
  }

  /** Reconnects if some text before this one is missing. */
  #receiveText(text: ArenaText): void {
    const { view } = this.#state
    if (!view) return
    const next = applyText(view, text)
    if (next) this.#set({ view: next })
    else this.reopen()
  }

  /** Loads the stored run, which is final. */
  async #settle(source: EventSource): Promise<void> {
    const stored = await readReply(api.codeArena[':runId'].$get({ param: { runId: this.#runId } })).catch(
      () => undefined,
    )
    if (this.#source !== source) return
    const { view } = this.#state
    const progress = stored?.progress ?? view?.progress
    this.#set({
      kind: 'ended',
      ...(stored && { view: { ...stored, ...(progress && { progress: { ...progress, state: stored.state } }) } }),
    })
    if ((stored ?? view)?.state !== 'done') this.#watchForResume(source)
  }

  async #handleClosed(source: EventSource): Promise<void> {
    const failure = await readReply(api.codeArena[':runId'].$get({ param: { runId: this.#runId } })).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (this.#source !== source) return
    if (failure instanceof ApiFailure && failure.status >= 400) this.#set({ kind: 'refused', failure })
    else this.#timer = window.setTimeout(() => this.reopen(), RETRY_MS)
  }

  /** Follows a run that is resumed from another tab or browser. */
  #watchForResume(source: EventSource): void {
    this.#timer = window.setTimeout(async () => {
      const stored = await readReply(api.codeArena[':runId'].$get({ param: { runId: this.#runId } })).catch(
        () => undefined,
      )
      if (this.#source !== source) return
      if (stored && isLive(stored)) this.reopen()
      else this.#watchForResume(source)
    }, RESUME_CHECK_MS)
  }

  #close(): void {
    window.clearTimeout(this.#timer)
    this.#source?.close()
    this.#source = undefined
  }
}
