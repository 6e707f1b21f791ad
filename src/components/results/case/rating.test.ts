import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rateCellRequestSchema } from '../../../contract/index.ts'
import { draftOf, ratingChange, readPoints, withoutSaved } from './rating.ts'

describe('readPoints', () => {
  it('reads 0 to 100, with a point or a comma', () => {
    expect(['', '0', '62,5', ' 100 '].map(readPoints)).toEqual([undefined, 0, 62.5, 100])
    expect(['101', '-1', '1e1', 'ten', '1.2.3'].map(readPoints)).toEqual([
      'invalid',
      'invalid',
      'invalid',
      'invalid',
      'invalid',
    ])
  })
})

describe('ratingChange', () => {
  it('names only what the user changed; an emptied field is removed, an invalid one left out', () => {
    expect(ratingChange({ points: '80' })).toEqual({ rating: 0.8 })
    expect(ratingChange({ note: ' fine ' })).toEqual({ note: 'fine' })
    expect(ratingChange({ points: '', note: ' ' })).toEqual({ rating: null, note: null })
    expect(ratingChange({ points: '800', note: 'fine' })).toEqual({ note: 'fine' })
    expect(ratingChange({})).toEqual({})
  })

  it('always matches the server schema, whatever is typed', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.double({ noNaN: true }).map(String), fc.nat(200).map(String)),
        fc.string(),
        (points, note) => {
          const request = { testCaseId: 'c', modelId: 'm', ...ratingChange({ points, note }) }
          expect(rateCellRequestSchema.safeParse(request).success).toBe(true)
        },
      ),
    )
  })

  it('restores a stored rating', () => {
    for (const points of [0, 25, 33.3, 100])
      expect(ratingChange(draftOf({ rating: points / 100 })).rating).toBeCloseTo(points / 100, 10)
  })
})

describe('withoutSaved', () => {
  it('keeps what was typed after it was sent, and what cannot be sent', () => {
    expect(withoutSaved({ points: '80', note: 'longer' }, { points: '80', note: 'long' })).toEqual({ note: 'longer' })
    expect(withoutSaved({ points: '800' }, { points: '800' })).toEqual({ points: '800' })
    expect(withoutSaved({ points: '' }, { points: '' })).toEqual({})
  })
})
