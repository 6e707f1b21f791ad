import type { LiveCell, LiveProgress, LiveSnapshot } from '../../contract/index.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEventStream } from './event-stream.ts'
import type { LiveMessage } from '../runs/run-manager.ts'

const progress = (done: number): LiveProgress => ({
  state: 'running',
  done,
  total: 9,
  scored: done,
  unscored: 0,
  errors: 0,
  retries: 0,
  cost: 0,
  unknownCosts: 0,
  rate: 0,
  startedAt: 0,
})
const snapshot = (runId: string): LiveSnapshot => ({
  runId,
  runNumber: 1,
  runsPlanned: 1,
  kind: 'suite',
  suiteName: 'S',
  models: ['m'],
  caseIds: [],
  cells: [],
  progress: progress(0),
})
const cell = (row: number, score: number): LiveCell => ({ case: row, model: 0, state: 'scored', score })
const update = (cells: LiveCell[], done = 1): LiveMessage => ({
  type: 'update',
  update: { runId: 'r', cells, progress: progress(done) },
})

/** A stream whose messages the test sends. */
function open() {
  let notify: (message: LiveMessage) => void = () => undefined
  let isSubscribed = false
  const stream = createEventStream((listener) => {
    notify = listener
    isSubscribed = true
    return () => {
      isSubscribed = false
    }
  })
  return { stream, send: (message: LiveMessage) => notify(message), isSubscribed: () => isSubscribed }
}

async function readAll(
  stream: ReadableStream<Uint8Array>,
): Promise<{ event: string; data: Record<string, unknown> }[]> {
  const text = await new Response(stream).text()
  return text.split('\n\n').flatMap((block) => {
    const [, event, data] = /^event: (\w+)\ndata: (.*)$/m.exec(block) ?? []
    return event === undefined || data === undefined ? [] : [{ event, data: JSON.parse(data) }]
  })
}

/** What a screen shows in the end: the latest state of each cell since the last snapshot. */
function applyAll(events: { event: string; data: Record<string, unknown> }[]): {
  run: unknown
  cells: Map<number, unknown>
  done: unknown
} {
  const shown = { run: undefined as unknown, cells: new Map<number, unknown>(), done: undefined as unknown }
  for (const { event, data } of events) {
    if (event === 'finished') continue
    if (event === 'snapshot') shown.cells.clear()
    shown.run = data['runId']
    shown.done = Object(data['progress'])['done']
    const cells = data['cells']
    if (Array.isArray(cells)) for (const changed of cells) shown.cells.set(changed.case, changed.score)
  }
  return shown
}

describe('an event stream', () => {
  it('gives a slow reader merged updates that lead to the same state, however many there were', async () => {
    const message = fc.oneof(
      {
        weight: 8,
        arbitrary: fc.record({ rows: fc.array(fc.nat({ max: 8 }), { maxLength: 4 }), score: fc.nat({ max: 9 }) }),
      },
      { weight: 1, arbitrary: fc.constant(undefined) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 40 }), async (script) => {
        const { stream, send } = open()
        const sent: { event: string; data: Record<string, unknown> }[] = [
          { event: 'snapshot', data: { ...snapshot('r') } },
        ]
        send({ type: 'snapshot', snapshot: snapshot('r') })
        // Nothing is read until everything has been sent.
        for (const [index, item] of script.entries()) {
          if (item) {
            const cells = item.rows.map((row) => cell(row, item.score))
            sent.push({ event: 'update', data: { runId: 'r', cells, progress: progress(index) } })
            send(update(cells, index))
          } else {
            sent.push({ event: 'snapshot', data: { ...snapshot('r') } })
            send({ type: 'snapshot', snapshot: snapshot('r') })
          }
        }
        send({ type: 'finished' })
        const events = await readAll(stream)
        expect(events.at(-1)?.event).toBe('finished')
        expect(applyAll(events)).toEqual(applyAll(sent))
      }),
    )
  })
  it('ends exactly once for a waiting reader', async () => {
    const { stream, send } = open()
    const reading = readAll(stream)
    send({ type: 'snapshot', snapshot: snapshot('r') })
    await new Promise((resolve) => setImmediate(resolve))
    send(update([cell(1, 1)]))
    await new Promise((resolve) => setImmediate(resolve))
    send({ type: 'finished' })
    expect((await reading).map(({ event }) => event)).toEqual(['snapshot', 'update', 'finished'])
  })
  it('holds a bounded amount for a reader that never reads', async () => {
    const { stream, send } = open()
    send({ type: 'snapshot', snapshot: snapshot('r') })
    const wide = Array.from({ length: 1000 }, (_, row) => ({ ...cell(row, 1), message: 'x'.repeat(100) }))
    for (let index = 0; index < 500; index++) send(update(wide, index))
    send({ type: 'finished' })
    const events = await readAll(stream)
    // 500 updates of 150 kB each were sent; at most one entry per cell waits, besides what the buffer holds.
    expect(events.length).toBeLessThan(6)
    expect(applyAll(events).done).toBe(499)
  })
  it('stops listening when the reader disconnects', async () => {
    const { stream, send, isSubscribed } = open()
    expect(isSubscribed()).toBe(true)
    await stream.cancel()
    expect(isSubscribed()).toBe(false)
    expect(() => send(update([cell(1, 1)]))).not.toThrow()
  })
})
