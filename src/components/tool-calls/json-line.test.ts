import { expect, it } from 'vitest'
import { writeJsonLine } from './json-line.ts'

it('writes a value as JSON, undefined as "nothing", and truncates long values', () => {
  expect(writeJsonLine({ a: [1, 'x'] })).toBe('{"a":[1,"x"]}')
  expect(writeJsonLine(undefined)).toBe('nothing')
  expect(writeJsonLine('x'.repeat(5000))).toMatch(/^"x{599}… \(5002 characters\)$/)
})
