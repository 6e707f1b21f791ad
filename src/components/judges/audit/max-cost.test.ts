import { expect, it } from 'vitest'
import { readMaxCost } from './max-cost.ts'

it('reads a budget in dollars, or none', () => {
  expect(readMaxCost(' ')).toEqual({ isUnlimited: true })
  expect(readMaxCost('$0.50')).toEqual({ dollars: 0.5 })
  expect(readMaxCost('2')).toEqual({ dollars: 2 })
  for (const wrong of ['0', '-1', 'two', '1e999']) expect(readMaxCost(wrong)).toHaveProperty('problem')
})
