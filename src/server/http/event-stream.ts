import type { LiveCell, LiveProgress, LiveSnapshot } from '../../contract/index.ts'
import { MAX_CELLS_PER_MESSAGE } from '../runs/live-run.ts'
import type { LiveMessage } from '../runs/run-manager.ts'

const KEEP_ALIVE_MS = 15_000
const RESTART_MS = 3_000

/** Merges what a reader has not taken yet: even for a slow reader it never grows beyond one entry per cell. */
class PendingMessages {
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

  take(): { event: LiveMessage['type']; data: unknown } | undefined {
    if (this.#snapshot) {
      const data = this.#snapshot
      this.#snapshot = undefined
      return { event: 'snapshot', data }
    }
    if (this.#progress) {
      const data = { runId: this.#runId, cells: this.#takeCells(), progress: this.#progress }
      if (this.#cells.size === 0) this.#progress = undefined
      return { event: 'update', data }
    }
    return this.#end && { event: this.#end, data: {} }
  }
}

/** A browser whose stream ends without `finished` connects again, and after this one only when a new server may be up. */
export function writeEvent({ event, data }: { event: string; data: unknown }): string {
  const hint = event === 'restarting' ? `retry: ${RESTART_MS}\n` : ''
  return `${hint}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

/** A stream of server-sent events. `subscribe` starts listening and returns a function that stops it. */
export function createEventStream(
  subscribe: (listener: (message: LiveMessage) => void) => () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const pending = new PendingMessages()
  let stop: (() => void) | undefined
  let keepAlive: NodeJS.Timeout | undefined
  let isOpen = true

  const end = () => {
    isOpen = false
    clearInterval(keepAlive)
    stop?.()
  }

  /** Sends only what the reader has room for; the rest waits, merged. */
  const flush = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    while ((controller.desiredSize ?? 0) > 0) {
      const next = isOpen ? pending.take() : undefined
      if (!next) return
      // Before sending: enqueueing to a waiting reader calls flush again.
      const isLast = next.event === 'finished' || next.event === 'restarting'
      if (isLast) end()
      controller.enqueue(encoder.encode(writeEvent(next)))
      if (isLast) controller.close()
    }
  }

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode(': benchmaker\nretry: 1000\n\n'))
        keepAlive = setInterval(() => {
          if (isOpen && (controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(': still here\n\n'))
        }, KEEP_ALIVE_MS)
        keepAlive.unref()
        stop = subscribe((message) => {
          pending.add(message)
          flush(controller)
        })
        if (!isOpen) stop()
      },
      pull: flush,
      cancel: end,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 64 * 1024 }),
  )
}
