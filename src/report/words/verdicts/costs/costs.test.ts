import { describe, expect, it } from 'vitest'
import type { CostReport } from '../../../../statistics/index.ts'
import { describeGoodEnough, describeStillOpen, describeSwitch, formatTimes } from './costs.ts'

const dear = { modelId: 'a', score: 0.9, cost: { mean: 0.00733 }, goodEnough: 'yes' as const }
const cheap = {
  modelId: 'b',
  score: 0.89,
  cost: { mean: 0.00228 },
  ofBest: { mean: 0.311, low: 0.284, high: 0.348 },
  lead: { mean: 0.006, low: -0.007, high: 0.018 },
  goodEnough: 'yes' as const,
}
const costs: CostReport = { margin: 0.02, best: 'a', cheapest: 'b', open: [], models: [dear, cheap] }

describe('describeGoodEnough', () => {
  it('says it in one sentence with both intervals', () => {
    expect(describeGoodEnough(costs)).toBe(
      'b costs 31 % of a and is not worse by more than 2 points (95 % CI: cost 28 to 35 %, difference −0.7 to 1.8 points).',
    )
    expect(describeSwitch(costs)).toBe('Use b instead of a, at $2.28 for 1,000 answers.')
  })

  it('says nothing without a margin', () => {
    const { margin: _margin, ...without } = costs
    expect(describeGoodEnough(without)).toBeUndefined()
    expect(describeGoodEnough(undefined)).toBeUndefined()
  })

  it('names a cheaper model that may be good enough', () => {
    const open = { ...cheap, goodEnough: 'open' as const, lead: { mean: -0.01, low: -0.05, high: 0.02 } }
    const cheaper = { ...open, modelId: 'c', cost: { mean: 0.001 } }
    const report: CostReport = { ...costs, cheapest: 'a', open: ['b', 'c'], models: [dear, open, cheaper] }
    expect(describeGoodEnough(report)).toBe(
      'b costs 31 % of a, but may be worse by more than 2 points (95 % CI: cost 28 to 35 %, difference −5.0 to 2.0 points).',
    )
    expect(describeStillOpen(report)).toBe('More cases would show whether c, which costs less, is good enough.')
    expect(describeSwitch(report)).toBeUndefined()
  })

  it('says nothing of models that cost the same', () => {
    const same = { ...cheap, cost: dear.cost! }
    expect(describeGoodEnough({ ...costs, cheapest: 'a', models: [dear, same] })).toBeUndefined()
  })

  it('says that the best is worth its price, or costs least', () => {
    const worse = { ...cheap, goodEnough: 'no' as const, lead: { mean: -0.2, low: -0.3, high: -0.1 } }
    expect(describeGoodEnough({ ...costs, cheapest: 'a', models: [dear, worse] })).toBe(
      'a is worth its price: b is worse by more than 2 points (95 % CI: cost 28 to 35 %, difference −30.0 to −10.0 points).',
    )
    const dearer = { ...worse, cost: { mean: 1 } }
    expect(describeGoodEnough({ ...costs, cheapest: 'a', models: [dear, dearer] })).toBe(
      'a is both the best and the cheapest.',
    )
  })

  it('says that the highest score may be luck', () => {
    const leader = { ...dear, goodEnough: 'open' as const }
    const other = { ...cheap, cost: { mean: 1 }, goodEnough: 'open' as const }
    const { cheapest: _cheapest, ...rest } = costs
    expect(describeGoodEnough({ ...rest, open: ['a'], models: [leader, other] })).toBe(
      'a scores highest and costs least, but may be worse than another model by more than 2 points.',
    )
  })

  it('names a price where there is no share', () => {
    const { ofBest: _share, ...alone } = cheap
    const { cost: _cost, ...unpriced } = dear
    expect(describeGoodEnough({ ...costs, models: [unpriced, alone] })).toBe(
      'b costs $2.28 for 1,000 answers and is not worse by more than 2 points (95 % CI: difference −0.7 to 1.8 points).',
    )
  })
})

it('writes small and large multiples', () => {
  expect(formatTimes(2.21, 'b')).toBe('2.2 × b')
  expect(formatTimes(47.3, 'b')).toBe('47 × b')
})
