import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeVisible, makeVisibleLine } from './visible-text.ts'

describe('a printed text', () => {
  it.each([
    ['colours', '\u001b[31mred', '\\u001b[31mred'],
    ['a title', '\u001b]0;title\u0007', '\\u001b]0;title\\u0007'],
    ['a link', '\u001b]8;;http://x\u001b\\here', '\\u001b]8;;http://x\\u001b\\here'],
    ['a one-byte sequence', '\u009b2J', '\\u009b2J'],
    ['backspaces', 'safe\b\b\b\bevil', 'safe\\u0008\\u0008\\u0008\\u0008evil'],
    ['a return', 'good\rbad', 'good\\u000dbad'],
    ['an override of direction', 'a\u202Egnp.exe', 'a\\u202egnp.exe'],
    ['isolates and marks', '\u2066a\u2069\u200E\u200F\u061C', '\\u2066a\\u2069\\u200e\\u200f\\u061c'],
    ['line separators', 'a\u2028b\u2029c\u0085d', 'a\\u2028b\\u2029c\\u0085d'],
    ['zero width in a name', 'gpt\u200B-4\u200Do\u2060\uFEFF', 'gpt\\u200b-4\\u200do\\u2060\\ufeff'],
    ['tags', 'a\u{E0061}\u{E0062}', 'a\\udb40\\udc61\\udb40\\udc62'],
    ['hidden bytes in variation selectors', 'a\u{E0101}\u{E0102}', 'a\\udb40\\udd01\\udb40\\udd02'],
    ['half characters', 'a\uD800b\uDC00', 'a\\ud800b\\udc00'],
    ['fillers', 'a\u3164b\u115F', 'a\\u3164b\\u115f'],
    ['a soft hyphen', 'ev\u00ADil', 'ev\\u00adil'],
  ])('shows %s instead of obeying it', (_name, text, shown) => {
    expect(makeVisible(text)).toBe(shown)
  })
  it.each([
    ['a family', '👩‍👩‍👧‍👦'],
    ['a profession with a skin tone', '👩🏽‍🔬 and ❤️‍🔥'],
    ['a heart', '❤️'],
    ['a flag', '🇩🇪'],
    ['the flag of a region', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
    ['a keycap', '1️⃣'],
    ['Persian', 'می‌خواهم'],
    ['Hindi', 'क्‍ष'],
    ['Hebrew and Arabic', 'שלום مرحبا'],
    ['accents', 'e\u0301 ü'],
    ['Chinese', '模型'],
    ['lines and columns', 'a\n\tb'],
  ])('keeps %s', (_name, text) => {
    expect(makeVisible(text)).toBe(text)
  })
  it('on one line has no line break', () => {
    expect(makeVisibleLine('a\r\nb\nc\rd\te\u2028f')).toBe('a b c d e\\u2028f')
  })
  it('has nothing left to obey, whatever it was, and JSON keeps its meaning', () => {
    const unit = fc.oneof(
      fc.constantFrom('\u001b', '[', '3', 'm', '\u202E', '\u200D', '👩', '\uFE0F', '\uD800', '\u009b', 'a', '\n', '\r'),
      fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code)),
    )
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        // eslint-disable-next-line no-control-regex
        expect(makeVisible(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
        expect(makeVisible(makeVisible(text))).toBe(makeVisible(text))
        expect(JSON.parse(makeVisible(JSON.stringify(text)))).toBe(text)
      }),
      { numRuns: 2000 },
    )
  })
})
