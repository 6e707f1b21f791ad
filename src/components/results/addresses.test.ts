import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  caseAddress,
  chooseShown,
  compareAddress,
  encodeNames,
  moveOldPath,
  parseNames,
  parseSelection,
  resultsAddress,
} from './addresses.ts'

describe('selection', () => {
  it('is a series, or run ids separated by commas, as on the server', () => {
    expect(parseSelection('series:s1')).toEqual({ kind: 'series', seriesId: 's1' })
    expect(parseSelection('a,b,,a')).toEqual({ kind: 'runs', runIds: ['a', 'b'] })
    expect(parseSelection('series:s1,b')).toEqual({ kind: 'runs', runIds: ['series:s1', 'b'] })
    expect(parseSelection('series:')).toBeUndefined()
    expect(parseSelection(' , ')).toBeUndefined()
  })
})

describe('addresses', () => {
  it('preserve any id', () => {
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

  it('preserve any list of names', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, unit: 'grapheme' })), (names) => {
        expect(parseNames(encodeNames(names))).toEqual(names)
      }),
    )
    expect(parseNames('%E0%A4%A,ok')).toEqual(['ok'])
  })
})

describe('moveOldPath', () => {
  it('leads from the screen that runs in progress had to their results', () => {
    expect(moveOldPath('/arena/run/2026-01-01-a%2Fb')).toBe(resultsAddress('2026-01-01-a/b'))
    expect(moveOldPath('/arena/run/one/')).toBe('/results/one')
    for (const path of ['/arena', '/arena/run/', '/arena/run/one/cases', '/results/one'])
      expect(moveOldPath(path)).toBeUndefined()
  })
})

describe('chooseShown', () => {
  const models = ['a', 'b', 'c', 'd']

  it('starts with the requested model and adds the best others', () => {
    expect(chooseShown(models, { show: [], model: 'c', max: 3 })).toEqual(['c', 'a', 'b'])
    expect(chooseShown(models, { show: [], model: 'gone', max: 3 })).toEqual(['a', 'b', 'c'])
  })

  it('keeps the models chosen by hand, in that order', () => {
    expect(chooseShown(models, { show: ['d', 'gone', 'a'], model: 'c', max: 3 })).toEqual(['d', 'a'])
  })
})
