import { describe, expect, it } from 'vitest'
import { pointsOf, readKey, typeDigit } from './rating-entry.ts'

const type = (keys: string) => [...keys].reduce(typeDigit, '')

describe('typing a rating', () => {
  it.each([
    ['8', 80],
    ['85', 85],
    ['0', 0],
    ['05', 5],
    ['10', 10],
    ['100', 100],
    ['101', 10],
    ['853', 30],
    ['1007', 70],
  ])('%s is %d points', (keys, points) => {
    expect(pointsOf(type(keys))).toBe(points)
  })

  it('nothing typed is no rating', () => expect(pointsOf('')).toBeUndefined())
})

describe('keys', () => {
  it('rate by points: digits, then Enter', () => {
    expect(readKey('8', { scale: 'points', typed: '' })).toEqual({ kind: 'type', digit: '8' })
    expect(readKey('Enter', { scale: 'points', typed: '8' })).toEqual({ kind: 'rate', rating: 0.8 })
    expect(readKey('Enter', { scale: 'points', typed: '' })).toBeUndefined()
    expect(readKey('p', { scale: 'points', typed: '' })).toBeUndefined()
  })

  it('rate pass or fail with one key', () => {
    expect(readKey('p', { scale: 'pass-fail', typed: '' })).toEqual({ kind: 'rate', rating: 1 })
    expect(readKey('F', { scale: 'pass-fail', typed: '' })).toEqual({ kind: 'rate', rating: 0 })
    expect(readKey('8', { scale: 'pass-fail', typed: '' })).toBeUndefined()
  })

  it.each(['points', 'pass-fail'] as const)('skip, note and undo with %s', (scale) => {
    expect(['s', 'n', 'u', 'x'].map((key) => readKey(key, { scale, typed: '' })?.kind)).toEqual([
      'skip',
      'note',
      'undo',
      undefined,
    ])
  })
})
