import { describe, expect, it } from 'vitest'
import { fieldsOf, findChange, findProblems, toggleTag } from './label-form.ts'

describe('the form of a label', () => {
  const label = { name: 'A', tags: ['x', 'y'] }

  it('shows a label as text, and an unchanged one changes nothing', () => {
    expect(fieldsOf(label)).toEqual({ name: 'A', tags: 'x, y', note: '' })
    expect(fieldsOf(null)).toEqual({ name: '', tags: '', note: '' })
    expect(findChange(label, fieldsOf(label))).toEqual({})
  })

  it('sends only the fields that were edited', () => {
    expect(findChange(label, { ...fieldsOf(label), name: '' })).toEqual({ name: '' })
    expect(findChange(undefined, { name: '', tags: 'a,b', note: 'n' })).toEqual({ tags: ['a', 'b'], note: 'n' })
  })

  it('names the first problem of each field', () => {
    expect(findProblems({ name: 'x'.repeat(201), tags: `ok, ${'y'.repeat(51)}`, note: 'fine\n' })).toEqual({
      name: 'Must have at most 200 characters.',
      tags: 'Must have at most 50 characters.',
    })
    expect(findProblems(fieldsOf(label))).toEqual({})
  })
})

it('a tag is added to the filter, and removed whatever its case', () => {
  expect(toggleTag([], 'a')).toBe('a')
  expect(toggleTag(['a', 'B'], 'b')).toBe('a')
  expect(toggleTag(['a'], 'b')).toBe('a,b')
})
