import fc from 'fast-check'
import { expect, it } from 'vitest'
import { buildReport } from '../model/report.ts'
import { writeReport } from '../formats.ts'
import { escapeLatex } from './latex.ts'

it('is a table with the numbers of the leaderboard', () => {
  const results = ['a', 'b', 'c'].flatMap((testCaseId) => [
    { testCaseId, modelId: 'lab/good_one', outcome: 'ok' as const, score: { score: 1 } },
    { testCaseId, modelId: 'lab/50%', outcome: 'ok' as const, score: { score: 0.25 } },
  ])
  const run = { id: 'r', models: ['lab/good_one', 'lab/50%'], results, testSuiteName: 'Sums & more' }
  const lines = writeReport(buildReport([run]), { format: 'tex' }).split('\n')
  expect(lines).toContain(String.raw`  \begin{tabular}{rlrrrrr}`)
  expect(lines.find((line) => line.includes('caption'))).toContain(String.raw`Sums \& more`)
  expect(lines.filter((line) => line.endsWith(String.raw`\\`)).map((line) => line.split(' & ').slice(1, 3))).toEqual([
    ['Model', 'Score'],
    [String.raw`lab/good\_one`, '100.0'],
    [String.raw`lab/50\%`, '25.0'],
  ])
})

it('no text can hold a command, a comment or a new line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const bare = escapeLatex(text).replaceAll(
        /\\text(backslash|asciitilde|asciicircum|less|greater|bar)\{\}|\$(-|\\(pm|times|approx|leq|geq|alpha))\$|\\[&%$#_{}]/g,
        '',
      )
      expect(bare).not.toMatch(/[\\&%$#_{}~^<>|\n\r]/)
    }),
  )
})

it('is a balanced document with as many cells in each row, whatever models and suites are called', () => {
  const hostile = fc.string({
    unit: fc.constantFrom(
      '\\',
      '{',
      '}',
      '$',
      '&',
      '%',
      '#',
      '_',
      '~',
      '^',
      '[',
      '"',
      'ü',
      '中',
      '<',
      '|',
      '\n',
      'a',
      ' ',
    ),
  })
  fc.assert(
    fc.property(hostile, hostile, (name, suite) => {
      const results = ['a', 'b'].map((testCaseId) => ({
        testCaseId,
        modelId: `m${name}`,
        outcome: 'ok' as const,
        score: { score: 1 },
      }))
      const run = { id: 'r', models: [`m${name}`], results, testSuiteName: suite }
      const text = writeReport(buildReport([run]), { format: 'tex' })
      const bare = text.replaceAll(/(?<!\\)%.*$|\\\\$|\\[&%$#_{}]/gm, ' ')
      let depth = 0
      for (const brace of bare.replaceAll(/[^{}]/g, '')) {
        depth += brace === '{' ? 1 : -1
        expect(depth).toBeGreaterThanOrEqual(0)
      }
      expect(depth).toBe(0)
      expect(bare.split('$').length % 2).toBe(1)
      expect(Array.from(bare.matchAll(/\\(begin|end)\{(\w+)\}/g), ([, kind, what]) => `${kind} ${what}`)).toEqual([
        'begin table',
        'begin tabular',
        'end tabular',
        'end table',
      ])
      const columns = /\\begin\{tabular\}\{(\w+)\}/.exec(bare)![1]!.length
      const rows = text.split('\n').filter((line) => line.endsWith(String.raw` \\`))
      expect(rows.map((row) => row.replaceAll(String.raw`\&`, '').split('&').length)).toEqual([columns, columns])
    }),
    { numRuns: 50 },
  )
})
