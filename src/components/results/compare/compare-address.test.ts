import { describe, expect, it } from 'vitest'
import { choosePair, comparedCaseAddress, comparisonAddress, labelPair, readCompareQuery } from './compare-address.ts'

describe('the address of a comparison', () => {
  it('has the runs, models, filter and page, and ignores what makes no sense', () => {
    expect(readCompareQuery(new URLSearchParams('a=x&b=series:y&ma=m&filter=worse&offset=50&changed=include'))).toEqual(
      {
        a: 'x',
        b: 'series:y',
        modelA: 'm',
        modelB: '',
        filter: 'worse',
        offset: 50,
        changed: 'include',
      },
    )
    expect(readCompareQuery(new URLSearchParams('filter=nonsense&offset=-3&changed=1'))).toMatchObject({
      filter: 'all',
      offset: 0,
      changed: '',
    })
  })

  it('leads from the list to a case and back to the same list', () => {
    const list = new URLSearchParams('a=x&b=y&filter=worse')
    const address = comparedCaseAddress(list, { id: 'a&b', modelA: '__proto__', modelB: 'm:free' })
    const query = new URLSearchParams(address.split('?')[1])
    expect([query.get('id'), query.get('pa'), query.get('pb'), query.get('filter')]).toEqual([
      'a&b',
      '__proto__',
      'm:free',
      'worse',
    ])
    expect(comparisonAddress(query)).toBe('/compare?a=x&b=y&filter=worse&pa=__proto__&pb=m%3Afree')
  })

  it('chooses the pair it names, else the first', () => {
    const pairs = [
      { before: 'x', after: 'x' },
      { before: 'y', after: 'z' },
    ]
    expect(choosePair(pairs, new URLSearchParams('pa=y&pb=z'))).toBe(pairs[1])
    expect(choosePair(pairs, new URLSearchParams('pa=y&pb=none'))).toBe(pairs[0])
    expect(choosePair([], new URLSearchParams())).toBeUndefined()
  })
})

it('tells the same model of two runs apart by time, and by run in the same minute', () => {
  const [a, b] = [
    { runIds: ['r1'], startedAt: Date.UTC(2026, 10, 12, 12) },
    { runIds: ['r2'], startedAt: Date.UTC(2026, 10, 13, 12) },
  ]
  const [first, second] = labelPair({ a, b }, { before: 'x', after: 'x' })
  expect(first).toMatch(/^x · .*12/)
  expect(second).not.toBe(first)
  expect(labelPair({ a, b }, { before: 'x', after: 'y' })).toEqual(['x', 'y'])
  expect(labelPair({ a, b: { ...b, startedAt: a.startedAt } }, { before: 'x', after: 'x' })).toEqual([
    'x · r1',
    'x · r2',
  ])
})
