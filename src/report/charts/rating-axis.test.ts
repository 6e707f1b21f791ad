import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeArenaLead, formatRating } from '../words/index.ts'
import { makeRatingAxis } from './rating-axis.ts'

const model = (modelId: string, rating: number, low: number, high: number) => ({
  modelId,
  rating,
  low,
  high,
  games: 4,
  wins: 2,
  ties: 1,
  losses: 1,
  group: 1,
})

describe('the rating axis', () => {
  it('starts at the average if there are no models', () => {
    expect(makeRatingAxis([])).toEqual({ domain: [1000, 1100], ticks: [1000, 1025, 1050, 1075, 1100] })
  })

  it('has round ticks', () => {
    expect(makeRatingAxis([{ low: 812, high: 1190 }]).ticks).toEqual([800, 900, 1000, 1100, 1200])
  })

  it('contains every interval and 1000', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: -20_000, max: 20_000 }), fc.integer({ min: 0, max: 20_000 })), {
          maxLength: 8,
        }),
        (pairs) => {
          const models = pairs.map(([low, width]) => ({ low, high: low + width }))
          const { domain, ticks } = makeRatingAxis(models)
          expect(ticks).toHaveLength(5)
          expect([ticks[0], ticks[4]]).toEqual(domain)
          for (const { low, high } of [...models, { low: 1000, high: 1000 }]) {
            expect(domain[0]).toBeLessThanOrEqual(low)
            expect(domain[1]).toBeGreaterThanOrEqual(high)
          }
        },
      ),
    )
  })
})

describe('a rating', () => {
  it('is whole points', () => {
    expect([formatRating(1000.4), formatRating(-47.2), formatRating(-0.2)]).toEqual(['1,000', '−47', '0'])
  })
})

describe('the lead', () => {
  const games = 'votes'
  it('is settled if the intervals do not overlap', () => {
    expect(describeArenaLead([model('a', 1150, 1100, 1200), model('b', 950, 900, 1000)], games)).toBe(
      'a is ahead of b by 200 points, and their intervals do not overlap.',
    )
  })
  it('is not settled if they overlap', () => {
    expect(describeArenaLead([model('a', 1050, 950, 1150), model('b', 1000, 900, 1100)], games)).toContain(
      'not settled yet',
    )
  })
  it('is empty for a single model', () => {
    expect(describeArenaLead([model('a', 1000, 900, 1100)], games)).toBe('')
  })
})
