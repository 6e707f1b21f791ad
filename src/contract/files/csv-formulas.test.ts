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

it.each([
  ['a separator of another locale', 'x;=1+1', "x;'=1+1"],
  ['a tab', 'x\t=1+1', "x\t'=1+1"],
  ['a line break', 'x\n=1+1\r\n@y\r-z', "x\n'=1+1\r\n'@y\r'-z"],
  ['spaces', '  =1+1', "'  =1+1"],
  ['spaces that look different', '\u00a0\u3000\ufeff=1+1', "'\u00a0\u3000\ufeff=1+1"],
  ['quotes', '"=1+1', '\'"=1+1'],
  ['a separator, a space and a quote', 'x; "=1+1', 'x;\' "=1+1'],
  ['full-width signs', 'x;＠SUM;－1', "x;'＠SUM;'－1"],
  ['empty cells', ';;=1', ";;'=1"],
  ['a number within text', 'x;-5', "x;'-5"],
])('escapes a formula after %s', (_name, text, escaped) => {
  expect(escapeFormula(text)).toBe(escaped)
})

/** What spreadsheets see, whichever separator they use: no cell starts like a formula. */
it('leaves no cell that starts like a formula, whatever separates cells', () => {
  const text = fc.string({ unit: fc.constantFrom(';', '\t', '\r', '\n', '"', "'", ' ', '=', '@', '-', 'x', '＝', '5') })
  fc.assert(
    fc.property(text, (value) => {
      const escaped = escapeFormula(value)
      if (/^[+-]?\d+$/.test(value)) return
      for (const cell of escaped.split(/[;\t\r\n]/)) expect(cell).not.toMatch(/^["\s]*[=@\-＝]/)
    }),
  )
})

it('restores every escaped text', () => {
  const unit = fc.constantFrom("'", '=', '-', '5', 'x', '＝', ';', '\n', '\t', '\r', ' ', '"')
  const text = fc.oneof(fc.string(), fc.string({ unit }))
  fc.assert(
    fc.property(text, (value) => {
      expect(unescapeFormula(escapeFormula(value))).toBe(value)
    }),
  )
})
