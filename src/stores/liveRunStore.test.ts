import { toScoreTable, type LiveCell, type LiveProgress, type LiveSnapshot, type CellState } from '../contract/index.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findLuckyLeader, poolScores, shareScores } from '../statistics/index.ts'
import { rankStandings } from './live-standings.ts'
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
  cases: ['one', 'two', 'three'].map((id) => ({ id, title: `What is ${id}?` })),
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
    store.subscribeCell(1, 0, () => calls.changed++)
    store.subscribeCell(2, 1, () => calls.other++)
    for (const tail of ['4', '42', '42.'])
      store.receiveUpdate({
        runId: 'r1',
        cells: [{ case: 1, model: 0, state: 'running', step: 'streaming', tail }],
        progress,
      })
    expect(waiting).toHaveLength(1)
    expect(store.getCell(1, 0)?.tail).toBe('42.')
    flush()
    expect(calls).toEqual({ run: 1, changed: 1, other: 0 })
  })
  it('stops calling a listener that has unsubscribed', () => {
    const { schedule, flush } = manualSchedule()
    const store = createLiveRunStore(schedule)
    store.receiveSnapshot(snapshot())
    let calls = 0
    const unsubscribe = store.subscribeCell(0, 0, () => calls++)
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
    store.subscribeCell(0, 0, () => calls++)
    store.receiveEnd()
    store.receiveSnapshot(snapshot([], 'r2'))
    flush()
    expect(calls).toBe(1)
    expect(store.getCell(0, 0)).toBeUndefined()
    expect(store.hasEnded()).toBe(false)
    store.receiveUpdate({ runId: 'r1', cells: [{ case: 0, model: 0, state: 'error' }], progress })
    expect(store.getCell(0, 0)).toBeUndefined()
  })
  it('reads the short form of finished cells and marks their scores as rounded', () => {
    const store = createLiveRunStore(() => {})
    store.receiveSnapshot({
      ...snapshot([{ case: 2, model: 1, state: 'running', step: 'streaming', tail: '4' }]),
      finished: '3Kue..',
    })
    expect(store.getCell(0, 0)).toEqual({ case: 0, model: 0, state: 'scored', score: 0.3, isRounded: true })
    expect(store.getCell(0, 1)).toMatchObject({ score: 1, hasPassed: true, isRounded: true })
    expect(
      [store.getCell(1, 0), store.getCell(1, 1), store.getCell(2, 0), store.getCell(2, 1)].map((cell) => cell?.state),
    ).toEqual(['unscored', 'error', undefined, 'running'])
    expect(store.getStandings()).toMatchObject([
      { modelId: 'b', mean: 1, passed: 1, missing: 1, isRounded: true },
      { modelId: 'a', mean: 0.3, passed: 0, missing: 1 },
    ])
    store.receiveUpdate({ runId: 'r1', cells: [{ case: 0, model: 0, state: 'scored', score: 0.34 }], progress })
    expect(store.getStandings()[1]).toEqual({ modelId: 'a', n: 1, missing: 1, mean: 0.34, passed: 0 })
  })
  it('ignores a cell outside the grid', () => {
    const store = createLiveRunStore(() => {})
    store.receiveSnapshot(snapshot([{ case: 0, model: 2, state: 'error' }]))
    expect(store.getCell(1, 0)).toBeUndefined()
  })
  it('filters rows by text and by state', () => {
    const store = createLiveRunStore(() => {})
    store.receiveSnapshot(
      snapshot([
        { case: 0, model: 1, state: 'running', step: 'streaming' },
        { case: 2, model: 0, state: 'unscored' },
        { case: 1, model: 0, state: 'scored', score: 1 },
      ]),
    )
    expect(store.findRows('all')).toEqual([0, 1, 2])
    expect(store.findRows('going')).toEqual([0])
    expect(store.findRows('missing')).toEqual([2])
    expect(store.findRows('all', ' IS T')).toEqual([1, 2])
    expect(store.findRows('missing', 'one')).toEqual([])
  })
  it('recomputes standings only after something arrived', () => {
    const store = createLiveRunStore(() => {})
    store.receiveSnapshot(snapshot([{ case: 0, model: 0, state: 'scored', score: 1 }]))
    expect(store.getStandings()).toBe(store.getStandings())
  })
})

describe('standings', () => {
  it('have no interval with one score, and list models without a score last', () => {
    const cells: LiveCell[] = [{ case: 0, model: 1, state: 'scored', score: 0.5 }]
    const [first, second] = rankStandings({ models: ['a', 'b'], cases: [{ id: 'one' }] }, [undefined, cells[0]])
    expect(first).toEqual({ modelId: 'b', n: 1, missing: 0, mean: 0.5, passed: 0 })
    expect(second).toEqual({ modelId: 'a', n: 0, missing: 0, passed: 0 })
  })
  it('equal the figures of the report for the same scores and weights', () => {
    const state = fc.constantFrom<CellState>('pending', 'running', 'scored', 'unscored', 'error', 'skipped')
    const grid = fc.array(
      fc.record({
        weight: fc.double({ min: 0.1, max: 9, noNaN: true }),
        a: state,
        b: state,
        score: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      { minLength: 1, maxLength: 20 },
    )
    fc.assert(
      fc.property(grid, (rows) => {
        const models = ['a', 'b'] as const
        const cells = rows.flatMap((row, index) =>
          models.map((model, column): LiveCell => ({
            case: index,
            model: column,
            state: row[model],
            ...(row[model] === 'scored' && { score: row.score }),
          })),
        )
        const cases = rows.map(({ weight }, index) => ({ id: `case-${index}`, weight }))
        const results = cells
          .filter(({ score }) => score !== undefined)
          .map(({ case: row, model, score }) => ({
            testCaseId: `case-${row}`,
            modelId: models[model]!,
            score: { score: score! },
          }))
        const table = toScoreTable([{ id: 'r', models: [...models], results }], cases)
        const shared = shareScores(table)
        const expected = poolScores(table, shared)
        const standings = rankStandings({ models, cases }, cells)
        const ranked = standings.filter(({ mean, isLeftOut }) => mean !== undefined && !isLeftOut)
        const leader = findLuckyLeader(
          shared?.table ?? table,
          ranked.map(({ modelId }) => modelId),
        )
        for (const { modelId, n, mean, interval, own } of standings) {
          expect([n, mean]).toEqual([expected.get(modelId)?.count ?? 0, expected.get(modelId)?.mean])
          expect(own?.lacks).toBe(shared?.own.get(modelId)?.lacks)
          const [low = 0, high] = expected.get(modelId)?.confidence95 ?? []
          const luck = leader?.modelId === modelId ? leader.luck : 0
          if (n > 1) expect([interval!.low, interval!.high]).toEqual([Math.max(0, low - luck), high])
        }
      }),
    )
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
    store.receiveSnapshot({ ...snapshot(cells), kind: 'page', cases: [{ id: 'page', title: 'p' }], arena })
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
