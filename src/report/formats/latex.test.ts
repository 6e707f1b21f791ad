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
  expect(lines.find((line) => line.includes('good'))).toContain(String.raw`Sums \& more`)
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
        /\\text(backslash|asciitilde|asciicircum)\{\}|\$(-|\\pm|\\times)\$|\\[&%$#_{}]/g,
        '',
      )
      expect(bare).not.toMatch(/[\\&%$#_{}~^\n\r]/)
    }),
  )
})
