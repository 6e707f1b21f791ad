import fc from 'fast-check'
import { expect, it } from 'vitest'
import { disarmFormula, rearmFormula } from './csv-formulas.ts'

it('no text begins as a formula does, and numbers stay numbers', () => {
  expect(['=1+1', '@SUM(A1)', '-2+3', '＝1', '\tx', '-5', '+1.5e3', 'plain'].map(disarmFormula)).toEqual([
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

it('whatever was disarmed comes back as it was', () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom("'", '=', '-', '5', 'x', '＝') }))
  fc.assert(
    fc.property(text, (value) => {
      expect(rearmFormula(disarmFormula(value))).toBe(value)
    }),
  )
})
