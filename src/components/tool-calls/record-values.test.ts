import { expect, it } from 'vitest'
import { writeJsonLine, findCallInQuestion } from './record-values.ts'

it('writes a value as JSON, undefined as "nothing", and truncates long values', () => {
  expect(writeJsonLine({ a: [1, 'x'] })).toBe('{"a":[1,"x"]}')
  expect(writeJsonLine(undefined)).toBe('nothing')
  expect(writeJsonLine('x'.repeat(5000))).toMatch(/^"x{599}… \(5002 characters\)$/)
})

const action = (kind: 'exact' | 'arguments differ' | 'tool not called', index?: number) => ({
  index: 0,
  name: 'book',
  arguments: {},
  score: 0,
  kind,
  call: index === undefined ? null : { index, name: 'book', arguments: {} },
  argumentScore: 0,
  differences: [],
})
const extra = { index: 7, name: 'cancel', arguments: {} }

it('is the call with wrong arguments, else one too many, else the first that counts', () => {
  const reasons = { credit: 'effects' as const, actions: [action('exact', 2)], extraCalls: [extra], leftOut: [] }
  expect(findCallInQuestion({ ...reasons, actions: [action('exact', 2), action('arguments differ', 4)] })).toBe(4)
  expect(findCallInQuestion(reasons)).toBe(7)
  expect(findCallInQuestion({ ...reasons, credit: 'calls' })).toBe(2)
  expect(findCallInQuestion({ ...reasons, extraCalls: [], actions: [action('tool not called')] })).toBeUndefined()
})
