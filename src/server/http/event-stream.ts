import type { LiveCell, LiveProgress, LiveSnapshot, LiveUpdate } from '../../contract/index.ts'
import { MAX_CELLS_PER_MESSAGE } from '../runs/live-run.ts'
import type { LiveMessage } from '../runs/run-manager.ts'

const KEEP_ALIVE_MS = 15_000
const RESTART_MS = 3_000

export interface StreamEvent {
  event: string
  data: unknown
}

/** Merges what a reader has not taken yet: even for a slow reader it never grows beyond one entry per cell. */
export class PendingMessages {
  #snapshot: LiveSnapshot | undefined
  #runId = ''
  #cells = new Map<string, LiveCell>()
  #progress: LiveProgress | undefined
  #end: 'finished' | 'restarting' | undefined

  add(message: LiveMessage): void {
    if (message.type === 'finished' || message.type === 'restarting') this.#end = message.type
    else if (message.type === 'snapshot') {
      this.#snapshot = message.snapshot
      this.#cells.clear()
      this.#progress = undefined
    } else {
      this.#runId = message.update.runId
      this.#progress = message.update.progress
      for (const cell of message.update.cells) this.#cells.set(`${cell.case},${cell.model}`, cell)
    }
  }

  #takeCells(): LiveCell[] {
    const taken: LiveCell[] = []
    for (const [key, cell] of this.#cells) {
      if (taken.length >= MAX_CELLS_PER_MESSAGE) break
      taken.push(cell)
      this.#cells.delete(key)
    }
    return taken
  }

  takeSnapshot(): { event: 'snapshot'; data: LiveSnapshot } | undefined {
    const data = this.#snapshot
    this.#snapshot = undefined
    return data && { event: 'snapshot', data }
  }

  takeUpdate(): { event: 'update'; data: LiveUpdate } | undefined {
    if (!this.#progress) return undefined
    const data = { runId: this.#runId, cells: this.#takeCells(), progress: this.#progress }
    if (this.#cells.size === 0) this.#progress = undefined
    return { event: 'update', data }
  }

  takeEnd(): StreamEvent | undefined {
    return this.#end && { event: this.#end, data: {} }
  }

  /** The next event; undefined if there is nothing new. */
  take(): StreamEvent | undefined | Promise<StreamEvent | undefined> {
    return this.takeSnapshot() ?? this.takeUpdate() ?? this.takeEnd()
  }
}

/** A browser whose stream ends without `finished` connects again, and after this one only when a new server may be up. */
function writeEvent({ event, data }: StreamEvent): string {
  const hint = event === 'restarting' ? `retry: ${RESTART_MS}\n` : ''
  return `${hint}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

/** A stream of server-sent events. `subscribe` starts listening and returns a function that stops it. */
export function createEventStream(
  subscribe: (listener: (message: LiveMessage) => void) => () => void,
  pending = new PendingMessages(),
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let stop: (() => void) | undefined
  let keepAlive: NodeJS.Timeout | undefined
  const state = { isOpen: true, isWriting: false, isRequested: false }

  const end = () => {
    state.isOpen = false
    clearInterval(keepAlive)
    stop?.()
  }

  /** Sends only what the reader has room for; the rest waits, merged. */
  const flush = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    // Enqueueing to a waiting reader calls this again.
    state.isRequested = true
    if (state.isWriting) return
    state.isWriting = true
    try {
      while (state.isRequested && state.isOpen) {
        state.isRequested = false
        while (state.isOpen && (controller.desiredSize ?? 0) > 0) {
          const next = await pending.take()
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
        }, KEEP_ALIVE_MS)
        keepAlive.unref()
        stop = subscribe((message) => {
          pending.add(message)
          void flush(controller)
        })
        if (!state.isOpen) stop()
      },
      pull: flush,
      cancel: end,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 64 * 1024 }),
  )
}
