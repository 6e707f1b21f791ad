import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  caseAddress,
  chooseShown,
  compareAddress,
  formatNames,
  parseNames,
  parseSelection,
  resultsAddress,
} from './addresses.ts'

describe('selection', () => {
  it('is a series or runs with commas between them, as the server reads it', () => {
    expect(parseSelection('series:s1')).toEqual({ kind: 'series', seriesId: 's1' })
    expect(parseSelection('a,b,,a')).toEqual({ kind: 'runs', runIds: ['a', 'b'] })
    expect(parseSelection('series:')).toBeUndefined()
    expect(parseSelection(' , ')).toBeUndefined()
  })
})

describe('addresses', () => {
  it('carry any id unharmed', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, unit: 'grapheme' }),
        fc.string({ minLength: 1, unit: 'grapheme' }),
        (id, model) => {
          const address = new URL(caseAddress('series:a/b', { id, model }), 'http://local')
          expect(address.pathname).toBe('/results/series%3Aa%2Fb/case')
          expect(address.searchParams.get('id')).toBe(id)
          expect(address.searchParams.get('model')).toBe(model)
        },
      ),
    )
    expect(resultsAddress('a,b')).toBe('/results/a%2Cb')
    expect(compareAddress('', '')).toBe('/compare')
  })

  it('carry any list of names', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, unit: 'grapheme' })), (names) => {
        expect(parseNames(formatNames(names))).toEqual(names)
      }),
    )
    expect(parseNames('%E0%A4%A,ok')).toEqual(['ok'])
  })
})

describe('chooseShown', () => {
  const models = ['a', 'b', 'c', 'd']

  it('starts with the model asked for and fills up with the best', () => {
    expect(chooseShown(models, { show: [], model: 'c', most: 3 })).toEqual(['c', 'a', 'b'])
    expect(chooseShown(models, { show: [], model: 'gone', most: 3 })).toEqual(['a', 'b', 'c'])
  })

  it('takes what was chosen by hand, in that order', () => {
    expect(chooseShown(models, { show: ['d', 'gone', 'a'], model: 'c', most: 3 })).toEqual(['d', 'a'])
  })
})
