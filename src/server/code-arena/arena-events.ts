import type { LiveProgress, ArenaText } from '../../contract/index.ts'
import { writeEvent } from '../http/event-stream.ts'
import type { LiveMessage } from '../runs/run-manager.ts'
import type { ArenaHub } from './arena-hub.ts'
import { loadPanel, isFinished, loadArena, type ArenaContext } from './arena-view.ts'

const KEEP_ALIVE_MS = 15_000

/** The most text in one event. */
const MAX_TEXT_LENGTH = 64_000

/** What one reader has received of a page. */
interface Sent {
  version: number
  attempt: number
  length: number
}

interface ArenaEvent {
  event: 'view' | 'panel' | 'text' | 'progress' | 'finished' | 'restarting'
  data: unknown
}

/** Computes what is new for one reader when it has room for it, so that nothing piles up for a slow one. */
class ArenaReader {
  readonly #context: ArenaContext
  readonly #hub: ArenaHub
  #runId: string
  #needsView = true
  #progress: LiveProgress | undefined
  #end: 'finished' | 'restarting' | undefined
  #sent = new Map<string, Sent>()

  constructor(runId: string, context: ArenaContext, hub: ArenaHub) {
    this.#runId = runId
    this.#context = context
    this.#hub = hub
  }

  onMessage(message: LiveMessage): void {
    if (message.type === 'finished' || message.type === 'restarting') this.#end = message.type
    else if (message.type === 'update') this.#progress = message.update.progress
    else {
      this.#runId = message.snapshot.runId
      this.#progress = message.snapshot.progress
      this.#needsView = true
    }
  }

  async #takeView(): Promise<ArenaEvent> {
    this.#needsView = false
    const viewNow = await loadArena(this.#runId, this.#context, this.#hub)
    // No awaits from here on: whatever arrives later is sent as a separate event.
    const view = viewNow()
    const progress = this.#progress
    this.#progress = undefined
    this.#sent = new Map(
      [...this.#hub.panelsOf(this.#runId)].map(([modelId, panel]) => [
        modelId,
        { version: isFinished(panel) ? -1 : panel.version, attempt: panel.attempt, length: panel.response.length },
      ]),
    )
    return { event: 'view', data: { ...view, ...(progress && { progress }) } }
  }

  #takeText(): ArenaEvent | undefined {
    for (const [modelId, { response, attempt }] of this.#hub.panelsOf(this.#runId)) {
      const sent = this.#sentOf(modelId)
      const isNewAttempt = sent.attempt !== attempt
      const offset = isNewAttempt ? 0 : sent.length
      if (!isNewAttempt && response.length <= offset) continue
      const text = response.slice(offset, offset + MAX_TEXT_LENGTH)
      sent.attempt = attempt
      sent.length = offset + text.length
      const data: ArenaText = { modelId, offset, text }
      return { event: 'text', data }
    }
    return undefined
  }

  async #takePanel(): Promise<ArenaEvent | undefined> {
    for (const [modelId, { version }] of this.#hub.panelsOf(this.#runId)) {
      const sent = this.#sentOf(modelId)
      if (sent.version === version) continue
      sent.version = version
      const panel = await loadPanel(this.#context, this.#hub, { runId: this.#runId, modelId })
      if (!panel) continue
      const { response: _response, ...data } = panel
      return { event: 'panel', data }
    }
    return undefined
  }

  #sentOf(modelId: string): Sent {
    const sent = this.#sent.get(modelId) ?? { version: 0, attempt: 0, length: 0 }
    this.#sent.set(modelId, sent)
    return sent
  }

  /** The next event; undefined if there is nothing new. */
  async take(): Promise<ArenaEvent | undefined> {
    if (this.#needsView) return this.#takeView()
    const event = this.#takeText() ?? (await this.#takePanel())
    if (event) return event
    if (this.#progress) {
      const data = this.#progress
      this.#progress = undefined
      return { event: 'progress', data }
    }
    return this.#end && { event: this.#end, data: {} }
  }
}

/** Streams the events of a run; for a run that is not live, its view and the end. */
export function streamArena(runId: string, context: ArenaContext, hub: ArenaHub): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const reader = new ArenaReader(runId, context, hub)
  let stop: (() => void) | undefined
  let keepAlive: NodeJS.Timeout | undefined
  const state = { isOpen: true, isWriting: false, isRequested: false }

  const end = () => {
    state.isOpen = false
    clearInterval(keepAlive)
    stop?.()
  }

  const flush = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    state.isRequested = true
    if (state.isWriting) return
    state.isWriting = true
    try {
      while (state.isRequested && state.isOpen) {
        state.isRequested = false
        while (state.isOpen && (controller.desiredSize ?? 0) > 0) {
          const next = await reader.take()
          // The reader may have disconnected in the meantime.
          if (!next || !state.isOpen) break
          controller.enqueue(encoder.encode(writeEvent(next)))
          if (next.event !== 'finished' && next.event !== 'restarting') continue
          end()
          controller.close()
        }
      }
    } catch (error) {
      end()
      controller.error(error)
    } finally {
      state.isWriting = false
    }
  }

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode(': benchmaker\nretry: 1000\n\n'))
        keepAlive = setInterval(() => {
          if (state.isOpen && (controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(': still here\n\n'))
        }, KEEP_ALIVE_MS).unref()
        stop = context.runs.watch(runId, (message) => {
          reader.onMessage(message)
          void flush(controller)
        })
        if (!stop) reader.onMessage({ type: 'finished' })
        void flush(controller)
      },
      pull: (controller) => flush(controller),
      cancel: end,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 256 * 1024 }),
  )
}
