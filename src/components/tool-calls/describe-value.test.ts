import { expect, it } from 'vitest'
import { describeValue } from './describe-value.ts'

it('says a value as JSON, says that nothing is there, and cuts what is very long', () => {
  expect(describeValue({ a: [1, 'x'] })).toBe('{"a":[1,"x"]}')
  expect(describeValue(undefined)).toBe('nothing')
  expect(describeValue('x'.repeat(5000))).toMatch(/^"x{599}… \(5002 characters\)$/)
})
