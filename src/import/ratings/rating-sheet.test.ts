import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import { findSheetQueue, readRatingSheet, writeRatingSheet } from './rating-sheet.ts'

const items = [
  { position: 1, prompt: 'What, "exactly"?', expectedOutput: '=1+1', response: 'two\nlines' },
  { position: 2, prompt: '', response: '@sum' },
]
const queue = { queueId: 'q#7', scale: 'points' as const }

/** Fills in a sheet as a spreadsheet does, by column. */
function fill(rows: Record<string, string>[]): string {
  const table = Papa.parse<Record<string, string>>(writeRatingSheet('q#7', items), {
    header: true,
    skipEmptyLines: true,
  })
  return Papa.unparse(table.data.map((row, index) => ({ ...row, ...rows[index] })))
}

describe('a rating sheet', () => {
  it('has no formula, and comes back with what was filled in', () => {
    const sheet = writeRatingSheet('q#7', items, 'Ann')
    expect(sheet).not.toMatch(/(^|,)"?[=@]/m)
    expect(findSheetQueue(sheet, 'f')).toBe('q#7')
    expect(readRatingSheet(sheet, 'f', queue).ratings).toEqual([])
    const filled = fill([{ rating: '72,5', note: ' ok ', rater: 'Ann' }, { rating: 'Skip' }])
    expect(readRatingSheet(filled, 'f', queue)).toEqual({
      ratings: [{ position: 1, rating: 0.725, note: 'ok', rater: 'Ann' }, { position: 2 }],
      warnings: [],
    })
  })

  it('reads pass and fail', () => {
    const filled = fill([{ rating: 'PASS' }, { rating: '0' }])
    const { ratings } = readRatingSheet(filled, 'f', { ...queue, scale: 'pass-fail' })
    expect(ratings.map(({ rating }) => rating)).toEqual([1, 0])
  })

  it('warns of ratings from 0 to 10', () => {
    const rows = Array.from({ length: 6 }, (_, index) => `q#7#${index + 1},${index}`).join('\n')
    expect(readRatingSheet(`id,rating\n${rows}`, 'f', queue).warnings).toEqual([
      'no rating is above 10: ratings are from 0 to 100',
    ])
  })

  it.each([
    [
      'a rating above 100',
      'id,rating\nq#7#1,101',
      /f:2:7: "101" is not a rating: write a number from 0 to 100, or skip/,
    ],
    ['another queue', 'id,rating\nother#1,5', /f:2:1: "other#1" is not an id of this queue/],
    ['an answer twice', 'id,rating\nq#7#1,5\nq#7#1,6', /f:3:1: this answer is rated twice/],
    ['no ids', 'rating\n5', /no column id/],
  ])('refuses %s, with its place', (_name, text, message) => {
    expect(() => readRatingSheet(text, 'f', queue)).toThrow(message)
  })
})
