import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dropDraft, isSame, listDrafts, storeDraft, readDraft, type DraftStorage } from './unsaved-draft.ts'

function fakeStorage(content = new Map<string, string>()) {
  return {
    get length() {
      return content.size
    },
    key: (index: number) => [...content.keys()][index] ?? null,
    getItem: (key: string) => content.get(key) ?? null,
    setItem: (key: string, value: string) => void content.set(key, value),
    removeItem: (key: string) => void content.delete(key),
  }
}

const failingStorage: DraftStorage = {
  getItem: () => {
    throw new Error('SecurityError')
  },
  setItem: () => {
    throw new Error('QuotaExceededError')
  },
  removeItem: () => {
    throw new Error('SecurityError')
  },
}

describe('unsaved changes', () => {
  const draft = { suite: { name: 'S', testCases: [{ id: 'a', odd: [1] }] }, after: 3, keptAt: 5 }

  it('are restored unchanged, for their suite only, until they are dropped', () => {
    const storage = fakeStorage()
    expect(storeDraft(storage, 'one', draft)).toBe(true)
    expect(JSON.stringify(readDraft(storage, 'one')?.suite)).toBe(JSON.stringify(draft.suite))
    expect(readDraft(storage, 'one')).toEqual(draft)
    expect(readDraft(storage, 'two')).toBeUndefined()
    dropDraft(storage, 'one')
    expect(readDraft(storage, 'one')).toBeUndefined()
  })

  it('are listed, newest first, without what is not a draft', () => {
    const storage = fakeStorage(
      new Map([
        ['benchmaker-arena', '{}'],
        ['benchmaker-unsaved-suite:broken', '{'],
      ]),
    )
    storeDraft(storage, 'old', draft)
    storeDraft(storage, 'new', { ...draft, keptAt: 9 })
    expect(listDrafts(storage).map(({ suiteId }) => suiteId)).toEqual(['new', 'old'])
    expect(listDrafts({ ...failingStorage, length: 1, key: () => 'benchmaker-unsaved-suite:x' })).toEqual([])
  })

  it('survive full or disabled storage without an error', () => {
    expect(storeDraft(failingStorage, 'one', draft)).toBe(false)
    expect(readDraft(failingStorage, 'one')).toBeUndefined()
    expect(() => dropDraft(failingStorage, 'one')).not.toThrow()
  })

  it.each(['{', '5', '{"suite":5,"keptAt":1}', '{"suite":{"testCases":[5]},"keptAt":1}', '{"suite":{"testCases":[]}}'])(
    'are ignored if they are invalid: %s',
    (text) => {
      expect(readDraft(fakeStorage(new Map([['benchmaker-unsaved-suite:x', text]])), 'x')).toBeUndefined()
    },
  )
})

describe('equality of two suites', () => {
  it('compares content, not the order of keys', () => {
    expect(isSame({ a: 1, b: [{ c: 2 }] }, { b: [{ c: 2 }], a: 1 })).toBe(true)
    expect(isSame({ a: 1 }, { a: 1, b: undefined })).toBe(false)
    expect(isSame([1], { 0: 1 })).toBe(false)
    expect(isSame({}, [])).toBe(false)
  })
  it('is true for every copy', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(isSame(value, structuredClone(value))).toBe(true)
      }),
    )
  })
})
