import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dropDraft, isSame, keepDraft, readDraft, type DraftStorage } from './unsaved-draft.ts'

function storageOf(content = new Map<string, string>()): DraftStorage {
  return {
    getItem: (key) => content.get(key) ?? null,
    setItem: (key, value) => void content.set(key, value),
    removeItem: (key) => void content.delete(key),
  }
}

const refusing: DraftStorage = {
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

  it('come back as they were, for their suite only, until they are dropped', () => {
    const storage = storageOf()
    expect(keepDraft(storage, 'one', draft)).toBe(true)
    expect(JSON.stringify(readDraft(storage, 'one')?.suite)).toBe(JSON.stringify(draft.suite))
    expect(readDraft(storage, 'one')).toEqual(draft)
    expect(readDraft(storage, 'two')).toBeUndefined()
    dropDraft(storage, 'one')
    expect(readDraft(storage, 'one')).toBeUndefined()
  })

  it('a full or forbidden store says so and breaks nothing', () => {
    expect(keepDraft(refusing, 'one', draft)).toBe(false)
    expect(readDraft(refusing, 'one')).toBeUndefined()
    expect(() => dropDraft(refusing, 'one')).not.toThrow()
  })

  it.each(['{', '5', '{"suite":5,"keptAt":1}', '{"suite":{"testCases":[5]},"keptAt":1}', '{"suite":{"testCases":[]}}'])(
    'what cannot be read is nothing: %s',
    (text) => {
      expect(readDraft(storageOf(new Map([['benchmaker-unsaved-suite:x', text]])), 'x')).toBeUndefined()
    },
  )
})

describe('whether two suites say the same', () => {
  it('goes by content, not by the order of keys', () => {
    expect(isSame({ a: 1, b: [{ c: 2 }] }, { b: [{ c: 2 }], a: 1 })).toBe(true)
    expect(isSame({ a: 1 }, { a: 1, b: undefined })).toBe(false)
    expect(isSame([1], { 0: 1 })).toBe(false)
    expect(isSame({}, [])).toBe(false)
  })
  it('holds for every copy', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(isSame(value, structuredClone(value))).toBe(true)
      }),
    )
  })
})
