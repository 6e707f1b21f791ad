import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  liveSnapshotSchema,
  liveUpdateSchema,
  type LiveProgress,
  type LiveSnapshot,
  type LiveUpdate,
} from '../contract/index.ts'
import { readEvent } from './read-event.ts'

const progress: LiveProgress = {
  state: 'running',
  done: 1,
  total: 4,
  scored: 1,
  unscored: 0,
  errors: 0,
  retries: 0,
  cost: 0.25,
  unknownCosts: 0,
  rate: 2,
  startedAt: 1_000,
}
const update: LiveUpdate = {
  runId: 'r',
  cells: [{ case: 0, model: 1, state: 'scored', score: 0.5, outcome: 'truncated' }],
  progress,
}
const snapshot: LiveSnapshot = {
  ...update,
  runNumber: 1,
  runsPlanned: 1,
  kind: 'suite',
  suiteName: 'S',
  models: ['a', 'b'],
  caseIds: ['c'],
}

describe('events of a live run', () => {
  it('accepts what the server sends', () => {
    expect(readEvent(liveUpdateSchema, JSON.stringify(update))).toEqual(update)
    expect(readEvent(liveSnapshotSchema, JSON.stringify(snapshot))).toEqual(snapshot)
  })
  it('rejects an update as a snapshot, and anything else as either', () => {
    expect(readEvent(liveSnapshotSchema, JSON.stringify(update))).toBeUndefined()
    const invalid = JSON.stringify({ ...update, cells: [{ case: 0, model: 1, state: 'lost' }] })
    for (const text of ['', '{', 'null', '[]', '{"runId":1}', invalid, undefined, 5]) {
      expect(readEvent(liveUpdateSchema, text)).toBeUndefined()
      expect(readEvent(liveSnapshotSchema, text)).toBeUndefined()
    }
  })
  it('never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        expect(readEvent(liveUpdateSchema, text)).toBeUndefined()
        expect(readEvent(liveSnapshotSchema, text)).toBeUndefined()
      }),
    )
  })
})

describe('events of a Code Arena run', () => {
  const page: LiveUpdate = {
    ...update,
    cells: [
      {
        case: 0,
        model: 0,
        state: 'scored',
        text: { offset: 0, text: '<p>' },
        page: {
          score: { score: 0.8, judges: [{ judgeModelId: 'j', score: 0.8, reasoning: 'good' }], criteria: [] },
          inspection: {
            screenshots: [],
            console: [],
            errors: [],
            accessibility: [],
            blocked: [],
            interactions: [],
            observations: [],
          },
        },
      },
    ],
  }
  const whole: LiveSnapshot = {
    ...snapshot,
    ...page,
    kind: 'page',
    arena: { seriesRuns: ['r'], prompt: 'a page', systemPrompt: '', isQuickJudge: false },
  }

  it('accepts what the server sends', () => {
    expect(readEvent(liveSnapshotSchema, JSON.stringify(whole))).toEqual(whole)
    expect(readEvent(liveUpdateSchema, JSON.stringify(page))).toEqual(page)
  })
  it('rejects broken events and those of another kind', () => {
    const [cell] = page.cells
    for (const broken of [
      { ...whole, arena: { prompt: 'a page' } },
      { ...whole, cells: [{ ...cell, text: { offset: '0', text: 'x' } }] },
      { ...whole, cells: [{ ...cell, page: { score: 0.8 } }] },
      progress,
    ])
      expect(readEvent(liveSnapshotSchema, JSON.stringify(broken))).toBeUndefined()
    expect(readEvent(liveSnapshotSchema, '{"runId":"r"')).toBeUndefined()
  })
})
