import { describe, expect, it } from 'vitest'
import { foldText, labelChangeSchema, runLabelSchema } from './run-label.ts'

const parse = (value: object) => runLabelSchema.parse(value)
const refusal = (value: object) => labelChangeSchema.safeParse(value).error?.issues[0]?.message

describe('a label', () => {
  it('is trimmed; empty fields and duplicate tags are dropped, the first spelling kept', () => {
    expect(parse({ name: '  Baseline ', tags: [' prod', 'Prod', '', 'b', 'prod '], note: ' a\r\nb \n' })).toEqual({
      name: 'Baseline',
      tags: ['prod', 'b'],
      note: 'a\nb',
    })
    expect(parse({ name: ' \u200B\u00A0', tags: ['', ' '], note: '\n\t' })).toBeUndefined()
    expect(parse({})).toBeUndefined()
    expect(parse({ tags: ['é'.normalize('NFD'), 'é'] })).toEqual({ tags: ['é'] })
  })

  it('a change keeps empty fields, which remove what was there, and leaves out absent ones', () => {
    expect(labelChangeSchema.parse({ name: ' ', tags: [] })).toEqual({ name: '', tags: [] })
  })

  it('parsed again is the same', () => {
    const label = parse({ name: 'A <b>"', tags: ['x y', 'ß'], note: 'one\n\ttwo 😀' })
    expect(parse(label!)).toEqual(label)
  })

  it('has limits, counted in characters', () => {
    expect(parse({ name: '😀'.repeat(200), tags: ['é'.repeat(50)], note: 'x'.repeat(10_000) })).toBeDefined()
    expect(refusal({ name: 'x'.repeat(201) })).toBe('must have at most 200 characters')
    expect(refusal({ tags: ['x'.repeat(51)] })).toBe('must have at most 50 characters')
    expect(refusal({ note: 'x'.repeat(10_001) })).toBe('must have at most 10000 characters')
    const tags = Array.from({ length: 21 }, (_, index) => `t${index}`)
    expect(refusal({ tags })).toBe('must be at most 20 tags')
    expect(parse({ tags: [...tags.slice(1), 'T1'] })?.tags).toHaveLength(20)
  })

  it.each([
    { name: 'a\u001B[31mb' },
    { name: 'a\nb' },
    { name: 'a\u2028b' },
    { name: 'a\uD800' },
    { tags: ['a\u0007'] },
    { tags: ['a,b'] },
    { note: 'a\u001Bb' },
    { note: 'a\0' },
    { more: 1 },
  ])('%j is refused', (value) => {
    expect(labelChangeSchema.safeParse(value).success).toBe(false)
  })
})

it('foldText ignores case, spelling of accents, and kinds of space', () => {
  expect(foldText('ÉTÉ\u00A0\n2'.normalize('NFD'))).toBe('été 2')
  expect(foldText('a\uD800')).toBe('a\uFFFD')
})
