import fc from 'fast-check'
import { expect, it } from 'vitest'
import { escapeFormula, unescapeFormula } from './csv-formulas.ts'

it('escapes text that starts like a formula, but not numbers', () => {
  expect(['=1+1', '@SUM(A1)', '-2+3', '＝1', '\tx', '-5', '+1.5e3', 'plain'].map(escapeFormula)).toEqual([
    "'=1+1",
    "'@SUM(A1)",
    "'-2+3",
    "'＝1",
    "'\tx",
    '-5',
    '+1.5e3',
    'plain',
  ])
})

it('restores every escaped text', () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom("'", '=', '-', '5', 'x', '＝') }))
  fc.assert(
    fc.property(text, (value) => {
      expect(unescapeFormula(escapeFormula(value))).toBe(value)
    }),
  )
})
