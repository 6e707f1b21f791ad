import { expect, it } from 'vitest'
import { describeValue } from './describe-value.ts'

it('writes a value as JSON, undefined as "nothing", and truncates long values', () => {
  expect(describeValue({ a: [1, 'x'] })).toBe('{"a":[1,"x"]}')
  expect(describeValue(undefined)).toBe('nothing')
  expect(describeValue('x'.repeat(5000))).toMatch(/^"x{599}… \(5002 characters\)$/)
})
