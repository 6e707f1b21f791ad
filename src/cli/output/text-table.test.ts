import fc from 'fast-check'
import stringWidth from 'fast-string-width'
import { describe, expect, it } from 'vitest'
import { cleanText, formatTable, shorten, wrapText } from './text-table.ts'

describe('shorten', () => {
  it.each([
    ['fits', 'gpt-4o', 6, 'gpt-4o'],
    ['Latin', 'abcdefghij', 7, 'abc…hij'],
    ['wide characters', '通义千问大模型', 9, '通义…模型'],
    ['wide characters that leave a column empty', '通义千问大模型', 8, '通义…型'],
    ['emoji', '🚀🚀🚀🚀🚀', 7, '🚀🚀…🚀'],
    ['an emoji of several code points', 'abc👩‍👩‍👧‍👦def', 6, 'abc…ef'],
    ['flags', '🇩🇪🇫🇷🇮🇹🇪🇸', 7, '🇩🇪🇫🇷…🇪🇸'],
    ['combining accents', 'e\u0301'.repeat(8), 5, `${'e\u0301'.repeat(2)}…${'e\u0301'.repeat(2)}`],
  ])('cuts by columns: %s', (_name, text, maxColumns, expected) => {
    expect(shorten(text, maxColumns)).toBe(expected)
    expect(stringWidth(shorten(text, maxColumns))).toBeLessThanOrEqual(maxColumns)
  })

  it('looks only at the ends of a very long text', () => {
    expect(shorten('模型'.repeat(1_000_000), 9)).toBe('模型…模型')
  })

  it('never takes more columns than allowed, and keeps both ends', () => {
    const text = fc.array(fc.constantFrom('a', 'é', '模', '👍🏽', '🇩🇪', ' ', '…'), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (characters, maxColumns) => {
        const whole = characters.join('')
        const short = shorten(whole, maxColumns)
        expect(stringWidth(short)).toBeLessThanOrEqual(maxColumns)
        if (short === whole) return
        const cuts = [...short].flatMap((character, at) =>
          character === '…' ? [[...short].slice(0, at).join('')] : [],
        )
        expect(cuts.some((head) => whole.startsWith(head) && whole.endsWith(short.slice(head.length + 1)))).toBe(true)
      }),
    )
  })
})

it('aligns columns with wide characters and emoji', () => {
  const table = formatTable(
    [{ title: 'model' }, { title: 'n', align: 'right' }],
    [
      ['模型', '1'],
      ['👩‍👩‍👧‍👦 fam', '22'],
      ['plain', '333'],
    ],
  )
  const widths = table
    .trimEnd()
    .split('\n')
    .map((line) => stringWidth(line))
  expect(new Set(widths).size).toBe(1)
})

it('wraps by columns', () => {
  expect(wrapText('模型 模型 模型', 10, '  ')).toBe('模型\n  模型\n  模型')
  expect(wrapText('one two three', 11, '  ')).toBe('one two\n  three')
})

it('shows control characters', () => {
  expect(cleanText('a\u001b[31mb\u0007c\nd')).toBe('a\\u001b[31mb\\u0007c d')
})
