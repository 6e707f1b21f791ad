import { expect, it } from 'vitest'
import { comparePaired } from './paired-comparison.ts'
import type { RepeatsByCase } from './run-scores.ts'

function makeRepeats(scores: number[][]): RepeatsByCase {
  return new Map(
    scores.map((values, index) => [`case-${index}`, { testCaseId: `case-${index}`, weight: 1, scores: values }]),
  )
}

it('plans from the mean differences if one model ran once and the other three times, even if the first runs are equal', () => {
  const once = Array.from({ length: 12 }, (_, index) => [index % 2])
  const thrice = once.map(([score], index) => [score!, index % 3 === 0 ? 1 : score!, index % 4 === 0 ? 1 : score!])
  const { plan, wins, losses } = comparePaired(makeRepeats(thrice), makeRepeats(once))!
  expect(wins + losses).toBeGreaterThan(0)
  expect(plan).toMatchObject({ moreRuns: null, runsCannotHelp: false })
  expect(plan!.moreCases).toBeGreaterThan(0)
})

it('has no plan only if all cases differ by the same amount', () => {
  const low = Array.from({ length: 4 }, () => [0.4])
  const high = Array.from({ length: 4 }, () => [0.6])
  expect(comparePaired(makeRepeats(high), makeRepeats(low))!.plan).toBeUndefined()
})
