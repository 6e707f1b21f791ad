import { expect, it } from 'vitest'
import { describeLimits } from '../../report/words/models.ts'
import { readLimits, writeLimits } from './limit-fields.ts'

it('reads back what it writes; an empty field is no limit', () => {
  const limits = { requestsPerMinute: 600, tokensPerMinute: 100_000, concurrency: 8 }
  expect(readLimits(writeLimits(limits))).toEqual({ value: limits })
  expect(readLimits(writeLimits())).toEqual({ value: {} })
  expect(readLimits({ requestsPerMinute: ' 60 ', tokensPerMinute: '', concurrency: '' })).toEqual({
    value: { requestsPerMinute: 60 },
  })
})

it('refuses zero, fractions, words and numbers out of range, by field', () => {
  expect(readLimits({ requestsPerMinute: '0', tokensPerMinute: '1.5', concurrency: 'many' })).toEqual({
    errors: {
      requestsPerMinute: 'It must be a whole number from 1 to 1000000.',
      tokensPerMinute: 'It must be a whole number from 1 to 1000000000.',
      concurrency: 'It must be a whole number from 1 to 1000.',
    },
  })
})

it('describes what is limited', () => {
  expect(describeLimits({ requestsPerMinute: 600, tokensPerMinute: 100_000, concurrency: 8 })).toBe(
    '600 requests/min, 100,000 tokens/min, 8 at once',
  )
  expect(describeLimits({})).toBeUndefined()
  expect(describeLimits(undefined)).toBeUndefined()
})
