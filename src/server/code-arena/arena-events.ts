import type { LiveCell } from '../../contract/index.ts'
import { PendingMessages, type StreamEvent } from '../http/event-stream.ts'
import type { LiveRun } from '../runs/live-run.ts'
import { readPageNow, openArena, type ArenaContext } from './arena-pages.ts'
import { hideUpdate, type Naming } from './naming.ts'

/** Adds the pages of a Code Arena run to its events: what was found on them, and all of their text. */
export class PageMessages extends PendingMessages {
  readonly #context: ArenaContext
  readonly #options: { areNamesShown: boolean }
  #naming: Naming | undefined
  #run: LiveRun | undefined
  #isFinal = false
  /** How much of each page's text the reader has, by model. */
  readonly #sent = new Map<number, { restarts: number; length: number }>()

  constructor(context: ArenaContext, options: { areNamesShown: boolean }) {
    super()
    this.#options = options
    this.#context = context
  }

  async #takeAll(runId: string): Promise<StreamEvent> {
    this.#isFinal = this.takeEnd() !== undefined
    const { run, naming, snapshot } = await openArena(runId, this.#context, this.#options)
    this.#run = run
    this.#naming = naming
    // No awaits from here on: whatever arrives later is sent as a separate event.
    const data = snapshot()
    for (const model of run.models.keys()) {
      const { text, restarts } = run.readPage(model)
      this.#sent.set(model, { restarts, length: text.length })
    }
    return { event: 'snapshot', data }
  }

  #takeText(run: LiveRun, model: number): LiveCell['text'] {
    const { text, restarts } = run.readPage(model)
    const sent = this.#sent.get(model)
    const isNew = sent?.restarts !== restarts
    const offset = isNew ? 0 : sent.length
    if (!isNew && text.length <= offset) return undefined
    this.#sent.set(model, { restarts, length: text.length })
    return { offset, text: text.slice(offset) }
  }

  async #complete(cells: readonly LiveCell[], run: LiveRun): Promise<LiveCell[]> {
    const completed: LiveCell[] = []
    for (const { case: row, model } of cells) {
      const page = await readPageNow(run, model, this.#context.storage)
      const text = page && this.#takeText(run, model)
      if (page) completed.push({ ...page, case: row, model, ...(text && { text }) })
    }
    return completed
  }

  override async take(): Promise<StreamEvent | undefined> {
    const snapshot = this.takeSnapshot()
    if (snapshot) return this.#takeAll(snapshot.data.runId)
    const run = this.#run
    const update = this.takeUpdate()
    if (update && run && this.#naming) {
      const cells = await this.#complete(update.data.cells, run)
      return { ...update, data: hideUpdate({ ...update.data, cells }, this.#naming) }
    }
    const end = this.takeEnd()
    // Now everything is stored: the last snapshot is final.
    return end?.event === 'finished' && run && !this.#isFinal ? this.#takeAll(run.runId) : end
  }
}
