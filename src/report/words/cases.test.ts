import { expect, it } from 'vitest'
import { describeCases } from './cases.ts'

it('counts checks where cases have several, so that the counts add up', () => {
  expect(describeCases({ cases: 12, methods: { 'llm-judge': 4, 'exact-match': 8 } })).toBe(
    '12 cases: 8 exact-match, 4 llm-judge',
  )
  expect(describeCases({ cases: 30, methods: { 'exact-match': 28, 'json-schema': 3 } })).toBe(
    '30 cases, 31 checks: 28 exact-match, 3 json-schema',
  )
  expect(describeCases({ cases: 1, methods: { boolean: 1 } })).toBe('1 case: boolean')
})
