import { expect, it } from 'vitest'
import type { HeadToHead } from '../../../statistics/index.ts'
import { summariseRankingVerdicts } from './rankings.ts'

function pair(isSignificant?: boolean): HeadToHead {
  const comparison = isSignificant === undefined ? undefined : { paired: { isSignificant } }
  return { modelA: 'a', modelB: 'b', ...(comparison && { comparison }) } as HeadToHead
}

it('says how many of the pairs that met differ', () => {
  const summarise = (...pairs: HeadToHead[]) => summariseRankingVerdicts({ pairs })
  expect(summarise(pair(true), pair(true), pair(false), pair(false), pair())).toBe(
    '2 of 4 pairs differ; the other 2 are too close to call.',
  )
  expect(summarise(pair(true), pair(false))).toBe('1 of 2 pairs differs; the other is too close to call.')
  expect(summarise(pair(true), pair(true))).toBe('All 2 pairs differ.')
  expect(summarise(pair(false), pair(false))).toBe('2 pairs are too close to call.')
})
