import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readSnapshot, readUpdate } from './read-live-event.ts'

const update = { runId: 'r', cells: [], progress: { done: 0 } }

it('takes what the server sends', () => {
  expect(readUpdate(JSON.stringify(update))).toEqual(update)
  expect(readSnapshot(JSON.stringify({ ...update, models: [], cases: [] }))).toMatchObject({ runId: 'r' })
})
it('does not take an update for a snapshot, nor anything else for either', () => {
  expect(readSnapshot(JSON.stringify(update))).toBeUndefined()
  for (const text of ['', '{', 'null', '[]', '{"runId":1}', undefined, 5]) {
    expect(readUpdate(text)).toBeUndefined()
    expect(readSnapshot(text)).toBeUndefined()
  }
})
it('never throws', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
      readUpdate(text)
      readSnapshot(text)
    }),
  )
})
