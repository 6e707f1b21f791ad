import type { LiveCell, LiveProgress, LiveSnapshot } from '../contract/index.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLiveRunStore, isAnswerComplete } from './liveRunStore.ts'

const progress: LiveProgress = {
  state: 'running',
  done: 0,
  total: 6,
  scored: 0,
  unscored: 0,
  errors: 0,
  retries: 0,
  cost: 0,
  unknownCosts: 0,
  rate: 0,
  startedAt: 0,
}
const snapshot = (cells: LiveCell[] = [], runId = 'r1'): LiveSnapshot => ({
  runId,
  runNumber: 1,
  runsPlanned: 1,
  kind: 'suite',
  suiteName: 'S',
  models: ['a', 'b'],
  caseIds: ['one', 'two', 'three'],
  cells,
  progress,
})

/** A schedule that the test flushes by hand. */
function manualSchedule() {
  const waiting: (() => void)[] = []
  return {
    schedule: (notify: () => void) => void waiting.push(notify),
    flush: () => waiting.splice(0).forEach((notify) => notify()),
    waiting,
  }
}

describe('a live run', () => {
  it('calls listeners once per flush, however much arrived, and only for cells that changed', () => {
    const { schedule, flush, waiting } = manualSchedule()
    const store = createLiveRunStore(schedule)
    store.receiveSnapshot(snapshot())
    flush()
    const calls = { run: 0, changed: 0, other: 0 }
    store.subscribe(() => calls.run++)
    store.subscribeCell('two', 'a', () => calls.changed++)
    store.subscribeCell('three', 'b', () => calls.other++)
    for (const tail of ['4', '42', '42.'])
      store.receiveUpdate({
        runId: 'r1',
        cells: [{ case: 1, model: 0, state: 'running', step: 'streaming', tail }],
        progress,
      })
    expect(waiting).toHaveLength(1)
    expect(store.getCell('two', 'a')?.tail).toBe('42.')
    flush()
    expect(calls).toEqual({ run: 1, changed: 1, other: 0 })
  })
  it('stops calling a listener that has unsubscribed', () => {
    const { schedule, flush } = manualSchedule()
    const store = createLiveRunStore(schedule)
    store.receiveSnapshot(snapshot())
    let calls = 0
    const unsubscribe = store.subscribeCell('one', 'a', () => calls++)
    unsubscribe()
    store.receiveUpdate({ runId: 'r1', cells: [{ case: 0, model: 0, state: 'running', step: 'sent' }], progress })
    flush()
    expect(calls).toBe(0)
  })
  it('replaces everything with a new snapshot: after a reconnect, and when a series starts its next run', () => {
    const { schedule, flush } = manualSchedule()
    const store = createLiveRunStore(schedule)
    store.receiveSnapshot(snapshot([{ case: 0, model: 0, state: 'scored', score: 1 }]))
    flush()
    let calls = 0
    store.subscribeCell('one', 'a', () => calls++)
    store.receiveEnd()
    store.receiveSnapshot(snapshot([], 'r2'))
    flush()
    expect(calls).toBe(1)
    expect(store.getCell('one', 'a')).toBeUndefined()
    expect(store.hasEnded()).toBe(false)
    store.receiveUpdate({ runId: 'r1', cells: [{ case: 0, model: 0, state: 'error' }], progress })
    expect(store.getCell('one', 'a')).toBeUndefined()
  })
  it('ignores a cell outside the grid', () => {
    const store = createLiveRunStore(() => {})
    store.receiveSnapshot(snapshot([{ case: 0, model: 2, state: 'error' }]))
    expect(store.getCell('two', 'a')).toBeUndefined()
  })
})

describe('the pages of a Code Arena run', () => {
  const writing = (model: number, text: string, offset = 0): LiveCell => ({
    case: 0,
    model,
    state: 'running',
    step: 'streaming',
    text: { offset, text },
  })
  const open = (...cells: LiveCell[]) => {
    const store = createLiveRunStore(() => undefined)
    const arena = { seriesRuns: ['r1'], prompt: 'p', systemPrompt: 's', isQuickJudge: false }
    store.receiveSnapshot({ ...snapshot(cells), kind: 'page', caseIds: ['page'], arena })
    return { store, receive: (cell: LiveCell) => store.receiveUpdate({ runId: 'r1', cells: [cell], progress }) }
  }

  it('append text to its page only', () => {
    const { store, receive } = open(writing(0, 'abc'))
    const [, other] = store.getPages()
    expect(receive(writing(0, 'def', 3))).toBe(true)
    expect(store.getPages()).toMatchObject([
      { modelId: 'a', response: 'abcdef' },
      { modelId: 'b', response: '', state: 'pending' },
    ])
    expect(store.getPages()[1]).toBe(other)
  })
  it('start over at offset 0, for a retried answer', () => {
    const { store, receive } = open(writing(0, 'abc'))
    receive(writing(0, 'x'))
    expect(store.getPages()[0]!.response).toBe('x')
  })
  it('say if some text is missing', () => {
    expect(open(writing(1, '')).receive(writing(1, 'x', 5))).toBe(false)
  })
  it('assemble the text however it is split, and even if parts are repeated', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 200 }),
        fc.array(fc.nat({ max: 200 }), { maxLength: 10 }),
        fc.nat({ max: 20 }),
        (text, cuts, back) => {
          const { store, receive } = open(writing(0, ''))
          let position = 0
          for (const cut of [...cuts.toSorted((x, y) => x - y), text.length]) {
            const from = Math.max(0, position - back)
            receive(writing(0, text.slice(from, Math.max(position, cut)), from))
            position = Math.min(text.length, Math.max(position, cut))
          }
          expect(store.getPages()[0]!.response).toBe(text)
        },
      ),
    )
  })
  it('keep their text when something else changes', () => {
    const { store, receive } = open(writing(0, 'abc'))
    receive({ case: 0, model: 0, state: 'running', step: 'scoring', page: { latencyMs: 5 } })
    expect(store.getPages()[0]).toEqual({
      case: 0,
      model: 0,
      modelId: 'a',
      state: 'running',
      step: 'scoring',
      page: { latencyMs: 5 },
      response: 'abc',
    })
  })
  it('are complete when no more text will arrive', () => {
    expect(isAnswerComplete({ step: 'streaming', response: 'text' })).toBe(false)
    expect(isAnswerComplete({ step: 'scoring', response: 'text' })).toBe(true)
    expect(isAnswerComplete({ response: '' })).toBe(false)
  })
})
