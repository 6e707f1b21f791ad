import type { ArenaText } from '../../contract/index.ts'
import { PendingMessages, type StreamEvent } from '../http/event-stream.ts'
import type { ArenaHub } from './arena-hub.ts'
import { loadPanel, isFinished, loadArena, type ArenaContext } from './arena-view.ts'

/** The most text in one event. */
const MAX_TEXT_LENGTH = 64_000

/** What one reader has received of a page. */
interface Sent {
  version: number
  attempt: number
  length: number
}

/** Adds the pages of a Code Arena run to its events: their state, and all of their text. */
export class PageMessages extends PendingMessages {
  readonly #context: ArenaContext
  readonly #hub: ArenaHub
  #runId: string
  #needsView = false
  #isFinal = false
  #sent = new Map<string, Sent>()

  constructor(runId: string, context: ArenaContext, hub: ArenaHub) {
    super()
    this.#runId = runId
    this.#context = context
    this.#hub = hub
  }

  async #takeView(): Promise<StreamEvent> {
    this.#needsView = false
    this.#isFinal = this.takeEnd() !== undefined
    const viewNow = await loadArena(this.#runId, this.#context, this.#hub)
    // No awaits from here on: whatever arrives later is sent as a separate event.
    const view = viewNow()
    this.#sent = new Map(
      [...this.#hub.panelsOf(this.#runId)].map(([modelId, panel]) => [
        modelId,
        { version: isFinished(panel) ? -1 : panel.version, attempt: panel.attempt, length: panel.response.length },
      ]),
    )
    return { event: 'view', data: view }
  }

  #takeText(): StreamEvent | undefined {
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

  async #takePanel(): Promise<StreamEvent | undefined> {
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

  override async take(): Promise<StreamEvent | undefined> {
    const snapshot = this.takeSnapshot()
    if (snapshot) {
      this.#runId = snapshot.data.runId
      this.#needsView = true
      return snapshot
    }
    if (this.#needsView) return this.#takeView()
    const event = this.#takeText() ?? (await this.#takePanel()) ?? this.takeUpdate()
    if (event) return event
    const end = this.takeEnd()
    // Now everything is stored: the last view is final.
    return end?.event === 'finished' && !this.#isFinal ? this.#takeView() : end
  }
}
