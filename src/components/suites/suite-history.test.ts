import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changeCase, insertCases, moveCase, removeCase, setIn, type Fields } from './suite-draft.ts'
import { findChangedCase, recordEdit, redo, startHistory, undo, type SuiteHistory } from './suite-history.ts'

const suite: Fields = {
  name: 'S',
  testCases: ['a', 'b', 'c'].map((id) => ({ id, prompt: '', scoringMethod: 'boolean' })),
}
const type = (index: number, prompt: string) => (before: Fields) =>
  changeCase(before, index, (testCase) => ({ ...testCase, prompt }))

function edit(history: SuiteHistory, changes: [change: (suite: Fields) => Fields, at: number][]): SuiteHistory {
  return changes.reduce((result, [change, at]) => recordEdit(result, change(result.present), at), history)
}

describe('the history of a suite', () => {
  it('undoes and redoes every deletion, one after another', () => {
    const deleted = edit(startHistory(suite), [
      [(before) => removeCase(before, 2), 0],
      [(before) => removeCase(before, 0), 10],
      [(before) => removeCase(before, 0), 20],
    ])
    expect(deleted.present['testCases']).toEqual([])
    const back = undo(undo(undo(deleted)))
    expect(back.present).toEqual(suite)
    expect(undo(back)).toBe(back)
    expect(redo(redo(redo(back))).present).toEqual(deleted.present)
  })
  it('takes typing in one field as one step, until a pause or another field', () => {
    const typed = edit(startHistory(suite), [
      [type(0, 'H'), 0],
      [type(0, 'He'), 300],
      [type(0, 'Hey'), 600],
      [type(0, 'Hey!'), 5000],
      [type(1, 'x'), 5100],
    ])
    expect(typed.past).toHaveLength(3)
    expect(undo(undo(typed)).present).toEqual(type(0, 'Hey')(suite))
  })
  it('does not merge typing after an undo into the step before it', () => {
    const typed = undo(edit(startHistory(suite), [[type(0, 'a'), 0]]))
    expect(recordEdit(typed, type(0, 'b')(typed.present), 10)).toMatchObject({ past: [suite], future: [] })
  })
  it('ignores an edit that changes nothing', () => {
    const history = startHistory(suite)
    expect(recordEdit(history, { ...suite }, 0)).toBe(history)
  })
  it('names the case that an undo brought back, moved or changed', () => {
    expect(findChangedCase(removeCase(suite, 1), suite)).toBe(1)
    expect(findChangedCase(suite, removeCase(suite, 2))).toBe(1)
    expect(findChangedCase(suite, type(2, 'x')(suite))).toBe(2)
    expect(findChangedCase(suite, setIn(suite, ['name'], 'T'))).toBeUndefined()
  })
  it('undoing all and redoing all of any edits returns to the start and to the end', () => {
    const change = fc.oneof(
      fc.nat(2).map((index) => (before: Fields) => removeCase(before, index)),
      fc.tuple(fc.nat(2), fc.string()).map(([index, text]) => type(index, text)),
      fc.tuple(fc.nat(2), fc.nat(2)).map(
        ([from, to]) =>
          (before: Fields) =>
            moveCase(before, from, to),
      ),
      fc.nat(3).map((index) => (before: Fields) => insertCases(before, index, [{ id: 'new' }])),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(change, fc.nat(500)), { maxLength: 30 }), (steps) => {
        let now = 0
        const end = steps.reduce((history, [apply, wait]) => {
          now += wait
          return recordEdit(history, apply(history.present), now)
        }, startHistory(suite))
        let back = end
        while (back.past.length > 0) back = undo(back)
        expect(back.present).toEqual(suite)
        while (back.future.length > 0) back = redo(back)
        expect(back.present).toEqual(end.present)
      }),
    )
  })
})
