import type { LiveProgress, ArenaText } from '../../contract/index.ts'
import type { LiveMessage } from '../runs/run-manager.ts'
import type { ArenaHub } from './arena-hub.ts'
import { describePanel, isFinished, loadArena, type ArenaContext } from './arena-view.ts'

const KEEP_ALIVE_MS = 15_000

/** So much text goes into one event. */
const LONGEST_TEXT = 64_000

/** What one reader has been told of a page. */
interface Told {
  version: number
  attempt: number
  length: number
}

interface ArenaEvent {
  event: 'view' | 'panel' | 'text' | 'progress' | 'finished'
  data: unknown
}

/** What is new for one reader, worked out when it has room for it: however slow it is, nothing piles up. */
class ArenaReader {
  readonly #context: ArenaContext
  readonly #hub: ArenaHub
  #runId: string
  #needsView = true
  #progress: LiveProgress | undefined
  #isFinished = false
  #told = new Map<string, Told>()

  constructor(runId: string, context: ArenaContext, hub: ArenaHub) {
    this.#runId = runId
    this.#context = context
    this.#hub = hub
  }

  onMessage(message: LiveMessage): void {
    if (message.type === 'finished') this.#isFinished = true
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
    // From here on nothing is awaited: what comes later is told as news.
    const view = viewNow()
    const progress = this.#progress
    this.#progress = undefined
    this.#told = new Map(
      [...this.#hub.panelsOf(this.#runId)].map(([modelId, panel]) => [
        modelId,
        { version: isFinished(panel) ? -1 : panel.version, attempt: panel.attempt, length: panel.response.length },
      ]),
    )
    return { event: 'view', data: { ...view, ...(progress && { progress }) } }
  }

  #takeText(): ArenaEvent | undefined {
    for (const [modelId, { response, attempt }] of this.#hub.panelsOf(this.#runId)) {
      const told = this.#toldOf(modelId)
      const isAnew = told.attempt !== attempt
      const offset = isAnew ? 0 : told.length
      if (!isAnew && response.length <= offset) continue
      const text = response.slice(offset, offset + LONGEST_TEXT)
      told.attempt = attempt
      told.length = offset + text.length
      const data: ArenaText = { modelId, offset, text }
      return { event: 'text', data }
    }
    return undefined
  }

  async #takePanel(): Promise<ArenaEvent | undefined> {
    for (const [modelId, { version }] of this.#hub.panelsOf(this.#runId)) {
      const told = this.#toldOf(modelId)
      if (told.version === version) continue
      told.version = version
      const panel = await describePanel(this.#context, this.#hub, { runId: this.#runId, modelId })
      if (!panel) continue
      const { response: _response, ...data } = panel
      return { event: 'panel', data }
    }
    return undefined
  }

  #toldOf(modelId: string): Told {
    const told = this.#told.get(modelId) ?? { version: 0, attempt: 0, length: 0 }
    this.#told.set(modelId, told)
    return told
  }

  /** The next thing to tell; undefined when there is nothing new. */
  async take(): Promise<ArenaEvent | undefined> {
    if (this.#needsView) return this.#takeView()
    const news = this.#takeText() ?? (await this.#takePanel())
    if (news) return news
    if (this.#progress) {
      const data = this.#progress
      this.#progress = undefined
      return { event: 'progress', data }
    }
    return this.#isFinished ? { event: 'finished', data: {} } : undefined
  }
}

/** The events of a run as a stream; for a run that nobody works on, its view and the end. */
export function streamArena(runId: string, context: ArenaContext, hub: ArenaHub): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const reader = new ArenaReader(runId, context, hub)
  let stop: (() => void) | undefined
  let keepAlive: NodeJS.Timeout | undefined
  const state = { isOpen: true, isWriting: false, isAsked: false }

  const end = () => {
    state.isOpen = false
    clearInterval(keepAlive)
    stop?.()
  }

  const flush = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    state.isAsked = true
    if (state.isWriting) return
    state.isWriting = true
    try {
      while (state.isAsked && state.isOpen) {
        state.isAsked = false
        while (state.isOpen && (controller.desiredSize ?? 0) > 0) {
          const next = await reader.take()
          // The reader may have left meanwhile.
          if (!next || !state.isOpen) break
          controller.enqueue(encoder.encode(`event: ${next.event}\ndata: ${JSON.stringify(next.data)}\n\n`))
          if (next.event !== 'finished') continue
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
