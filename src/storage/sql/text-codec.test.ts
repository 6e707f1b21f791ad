import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeText, encodeText } from './text-codec.ts'

describe('texts in a database', () => {
  it('any UTF-16 comes back unit for unit', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff })), (units) => {
        const text = String.fromCharCode(...units)
        expect(decodeText(encodeText(text))).toBe(text)
      }),
    )
  })

  it('stored texts have no NUL and are well formed, and different texts stay different', () => {
    const tricky = fc
      .array(fc.constantFrom('\0', '\u001A', '\uD800', '\uDC00', '0', 'D', '8', 'a'), { maxLength: 8 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(tricky, tricky, (a, b) => {
        expect(encodeText(a)).not.toContain('\0')
        expect(encodeText(a).isWellFormed()).toBe(true)
        expect(encodeText(a) === encodeText(b)).toBe(a === b)
      }),
      { numRuns: 2000 },
    )
  })

  it('an ordinary text is stored unchanged, so that a person can read it', () => {
    for (const text of ['', 'Zwölf 😀', 'a\r\nb\t"\'', '\uFFFD']) expect(encodeText(text)).toBe(text)
    expect(encodeText('a\0b\uD83D')).toBe('a\u001A0000b\u001AD83D')
  })
})
