import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  keepGroups,
  addCases,
  blankCase,
  changeCase,
  duplicateCase,
  findSelected,
  freshId,
  insertCases,
  moveCase,
  readCases,
  removeCase,
  searchCases,
  setIn,
  setMetadata,
  titleOf,
  type Fields,
} from './suite-draft.ts'

const suite = (...ids: string[]): Fields => ({
  name: 'S',
  testCases: ids.map((id) => ({ id, prompt: id })),
  later: true,
})
const idsOf = (edited: Fields) => readCases(edited).map(({ id }) => id)

const json = fc.jsonValue({ maxDepth: 3 })
const fields = fc.dictionary(
  fc.string({ minLength: 1 }).filter((key) => key !== '__proto__'),
  json,
)
const anySuite = fc.record({
  name: fc.string(),
  unknown: json,
  testCases: fc.array(fc.record({ id: fc.string(), extra: fields }), { minLength: 1, maxLength: 8 }),
})

describe('editing one value', () => {
  it('sets, adds and removes fields and list items without changing the rest or its order', () => {
    const before = { a: 1, b: { c: [1, 2, 3], d: 'x' }, e: 2 }
    expect(setIn(before, ['b', 'c', 1], 9)).toEqual({ a: 1, b: { c: [1, 9, 3], d: 'x' }, e: 2 })
    expect(setIn(before, ['b', 'c', 1], undefined)).toEqual({ a: 1, b: { c: [1, 3], d: 'x' }, e: 2 })
    expect(Object.keys(setIn(before, ['a'], 5))).toEqual(['a', 'b', 'e'])
    expect(setIn(before, ['a'], undefined)).toEqual({ b: before.b, e: 2 })
    expect(before).toEqual({ a: 1, b: { c: [1, 2, 3], d: 'x' }, e: 2 })
  })

  it('leaves every other field unchanged', () => {
    fc.assert(
      fc.property(
        fields,
        fc.string({ minLength: 1 }).filter((key) => key !== '__proto__'),
        (before, key) => {
          const { [key]: _old, ...others } = before
          const { [key]: set, ...kept } = setIn(before, [key], 'new')
          expect(set).toBe('new')
          expect(kept).toEqual(others)
          expect(setIn(before, [key], undefined)).toEqual(others)
        },
      ),
    )
  })

  it('removes metadata along with its last field, and keeps unknown fields in it', () => {
    expect(setMetadata({ id: 'a' }, 'category', 'x')).toEqual({ id: 'a', metadata: { category: 'x' } })
    expect(setMetadata({ id: 'a', metadata: { category: 'x' } }, 'category', undefined)).toEqual({ id: 'a' })
    expect(setMetadata({ id: 'a', metadata: { category: 'x', source: 1 } }, 'category', undefined)).toEqual({
      id: 'a',
      metadata: { source: 1 },
    })
  })
})

describe('editing the list of cases', () => {
  it('creates unused ids', () => {
    expect(freshId([], 'a')).toBe('a')
    expect(freshId([{ id: 'a' }, { id: 'a-2' }], 'a')).toBe('a-3')
    expect(freshId([{ id: 'a-2' }], 'a-2')).toBe('a-3')
    expect(idsOf(duplicateCase(suite('a', 'b'), 0))).toEqual(['a', 'a-2', 'b'])
    expect(idsOf(addCases(suite('a'), [{ id: 'a' }, { id: 'a' }, {}]))).toEqual(['a', 'a-2', 'a-3', 'case-4'])
    expect(blankCase([])).toEqual({ id: 'case-1', prompt: '', scoringMethod: 'exact-match', partial: false })
    expect(blankCase([], { scoringMethod: 'numeric-tolerance' })).toMatchObject({ answer: 'last' })
    expect(blankCase(readCases(suite('case-1')), { scoringMethod: 'boolean' })).toEqual({
      id: 'case-2',
      prompt: '',
      scoringMethod: 'boolean',
    })
  })

  it('moves cases only within the list', () => {
    expect(idsOf(moveCase(suite('a', 'b', 'c'), 0, 1))).toEqual(['b', 'a', 'c'])
    expect(idsOf(moveCase(suite('a', 'b', 'c'), 2, 0))).toEqual(['c', 'a', 'b'])
    expect(idsOf(moveCase(suite('a', 'b', 'c'), 0, -1))).toEqual(['a', 'b', 'c'])
    expect(idsOf(moveCase(suite('a', 'b', 'c'), 2, 3))).toEqual(['a', 'b', 'c'])
  })

  it('returns the same suite after removing and inserting, moving there and back, or an empty change', () => {
    fc.assert(
      fc.property(anySuite, fc.nat(), fc.nat(), (before, a, b) => {
        const { length } = before.testCases
        const [from, to] = [a % length, b % length]
        const removed = before.testCases[from]!
        expect(insertCases(removeCase(before, from), from, [removed])).toEqual(before)
        expect(moveCase(moveCase(before, from, to), to, from)).toEqual(before)
        expect(changeCase(before, from, (testCase) => testCase)).toEqual(before)
      }),
    )
  })
})

describe('keeping groups of cases as clusters', () => {
  it('names each after its first case, and leaves other cases and clusters as they are', () => {
    const given = {
      name: 'S',
      testCases: [{ id: 'a' }, { id: 'b', cluster: 'own' }, { id: 'c', cluster: '' }, { id: 'd' }],
    }
    expect(keepGroups(given, [['a', 'b', 'c', 'gone']])).toEqual({
      name: 'S',
      testCases: [{ id: 'a', cluster: 'a' }, { id: 'b', cluster: 'own' }, { id: 'c', cluster: 'a' }, { id: 'd' }],
    })
  })
})

describe('the selected case', () => {
  const cases = readCases(suite('a', 'b', 'a', ''))
  it('is the one in the address', () => {
    expect(findSelected(cases, 'b', 0)).toBe(1)
  })
  it('stays the same while two ids are equal, one is empty, or the id is gone', () => {
    expect(findSelected(cases, 'a', 2)).toBe(2)
    expect(findSelected(cases, null, 3)).toBe(3)
    expect(findSelected(cases, 'gone', 9)).toBe(3)
    expect(findSelected([], 'a', 2)).toBe(0)
  })
})

describe('the list of cases', () => {
  it('shows the prompt, or the last user message', () => {
    expect(titleOf({ prompt: 'P' })).toBe('P')
    expect(
      titleOf({
        messages: [
          { role: 'user', content: 'one' },
          { role: 'assistant', content: 'two' },
        ],
      }),
    ).toBe('one')
    expect(
      titleOf({
        messages: [
          {
            role: 'user',
            content: [
              { type: 'image', image: 'x' },
              { type: 'text', text: 'What?' },
            ],
          },
        ],
      }),
    ).toBe('[image] What?')
    expect(titleOf({})).toBe('')
  })
  it('finds cases with every word, ignoring letter case', () => {
    const cases = [
      { id: 'one', prompt: 'Capital of France' },
      { id: 'two', prompt: 'Capital of Spain', metadata: { tags: ['Geo'] }, checks: [{ scoringMethod: 'boolean' }] },
    ]
    expect(searchCases(cases, '')).toEqual([0, 1])
    expect(searchCases(cases, 'CAPITAL france')).toEqual([0])
    expect(searchCases(cases, 'geo boolean')).toEqual([1])
    expect(searchCases(cases, 'peru')).toEqual([])
  })
})
