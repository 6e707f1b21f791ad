import fc from 'fast-check'
import stringWidth from 'fast-string-width'
import { describe, expect, it } from 'vitest'
import type { Table } from '../../report/tables/table.ts'
import { cleanText, cutEnd, drawTable, shorten, shortenNames, wrapText } from './text-table.ts'

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
  const table = drawTable<string[]>(
    [
      { key: 'model', label: 'model', text: ([name = '']) => name },
      { key: 'n', label: 'n', align: 'end', text: ([, count = '']) => count },
    ],
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

describe('shortenNames', () => {
  it('cuts in the middle, so that the end that tells names apart stays', () => {
    expect(shortenNames(['vendor/model-preview-a', 'vendor/model-preview-b'], 11)).toEqual([
      'vendo…iew-a',
      'vendo…iew-b',
    ])
  })
  it('shows where names differ that would look the same otherwise', () => {
    const names = ['meta/llama-3-8b-instruct-turbo', 'meta/llama-3-70b-instruct-turbo', 'other/short']
    expect(shortenNames(names, 16)).toEqual(['meta…8b-instruc…', 'meta…70b-instru…', 'other/short'])
  })
  it('keeps different names different, within the room, wherever they differ', () => {
    const name = fc
      .tuple(
        fc.constantFrom('vendor/the-model-', '模型-', ''),
        fc.integer({ min: 0, max: 99 }),
        fc.constantFrom('-instruct-turbo-preview', '-b'),
      )
      .map(([start, version, end]) => `${start}${version}${end}`)
    fc.assert(
      fc.property(
        fc.uniqueArray(name, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 12, max: 30 }),
        (names, room) => {
          const short = shortenNames(names, room)
          expect(new Set(short).size).toBe(names.length)
          for (const text of short) expect(stringWidth(text)).toBeLessThanOrEqual(room)
        },
      ),
    )
  })
})

describe('a table with little room', () => {
  const columns: Table<string[]> = [
    { key: 'model', label: 'Model', cut: 'middle', text: ([name = '']) => name },
    { key: 'cost', label: 'Cost', align: 'end', text: ([, cost = '']) => cost },
    { key: 'reason', label: 'Reason', cut: 'end', isObvious: true, text: ([, , reason = '']) => reason },
  ]
  const rows = [
    ['vendor/a-long-name-for-a-model-a', '$1.00', 'because it was so, and for other reasons too'],
    ['vendor/a-long-name-for-a-model-b', '$12.00', 'short'],
  ]
  it('cuts nothing if there is no limit', () => {
    const [, first] = drawTable(columns, rows).split('\n')
    expect(first).toContain(rows[0]![0])
    expect(first).toContain(rows[0]![2])
  })
  it('cuts the widest columns first, and fits', () => {
    const lines = drawTable(columns, rows, { columns: 50 }).trimEnd().split('\n')
    expect(lines.map((line) => stringWidth(line) <= 50)).toEqual([true, true, true])
    expect(lines[1]).toMatch(/model-a +\$1\.00 {2}because .*…$/)
  })
  it('stacks each row if even that is too wide: the name, and below it the other cells with their titles', () => {
    expect(drawTable(columns, rows, { columns: 30 }).split('\n')).toEqual([
      'vendor/a-long-n…-for-a-model-a',
      '  cost $1.00 · because it was',
      '  so, and for other reasons',
      '  too',
      'vendor/a-long-n…-for-a-model-b',
      '  cost $12.00 · short',
      '',
    ])
  })
})

it('cuts the end of a text by columns', () => {
  expect(cutEnd('模型模型', 5)).toBe('模型…')
  expect(cutEnd('fits', 4)).toBe('fits')
  expect(cutEnd('模'.repeat(1_000_000), 5)).toBe('模模…')
})

it('keeps a number with its sign when it wraps', () => {
  expect(wrapText('at 80 % power', 6, '')).toBe('at\n80 %\npower')
  expect(wrapText('p = 0.031 · 6 won', 11, '')).toBe('p = 0.031 ·\n6 won')
})

it('wraps by columns', () => {
  expect(wrapText('模型 模型 模型', 10, '  ')).toBe('模型\n  模型\n  模型')
  expect(wrapText('one two three', 11, '  ')).toBe('one two\n  three')
})

it('shows control characters', () => {
  expect(cleanText('a\u001b[31mb\u0007c\nd')).toBe('a\\u001b[31mb\\u0007c d')
})
