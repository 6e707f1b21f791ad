import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rateCellRequestSchema } from '../../../contract/index.ts'
import { draftOf, ratingRequest, readPoints } from './rating.ts'

const cell = { testCaseId: 'c', modelId: 'm' }

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

describe('ratingRequest', () => {
  it('omits empty fields, and is undefined if the rating is invalid', () => {
    expect(ratingRequest({ points: '', note: ' ' }, cell)).toEqual(cell)
    expect(ratingRequest({ points: '80', note: 'fine' }, cell)).toEqual({ ...cell, rating: 0.8, note: 'fine' })
    expect(ratingRequest({ points: '800', note: 'fine' }, cell)).toBeUndefined()
  })

  it('always matches the server schema, whatever is typed', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.double({ noNaN: true }).map(String), fc.nat(200).map(String)),
        fc.string(),
        (points, note) => {
          const request = ratingRequest({ points, note }, cell)
          if (request) expect(rateCellRequestSchema.safeParse(request).success).toBe(true)
        },
      ),
    )
  })

  it('restores a stored rating', () => {
    for (const points of [0, 25, 33.3, 100])
      expect(ratingRequest(draftOf({ rating: points / 100 }), cell)?.rating).toBeCloseTo(points / 100, 10)
  })
})
