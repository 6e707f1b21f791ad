import { describe, expect, it } from 'vitest'
import type { RunResult } from '../../../contract/index.ts'
import { writeDrawing } from '../../charts/svg/canvas.ts'
import { drawDifferences } from '../../charts/svg/report-charts.ts'
import { buildReport } from '../../model/report.ts'
import { buildSummary } from '../../model/summary.ts'
import { orderPairs } from '../../tables/pairs.ts'
import { describeInterval, formatScore } from '../numbers.ts'
import { describeGap, describeGapEnds, formatScoreRange, nameEnd } from './pairs/gap.ts'
import { describeOutcome, describePairOutcome } from './outcome.ts'
import { describeVerdict } from './pairs/pair-verdict.ts'
import { describePairLine } from './verdicts.ts'

/** A run whose cases have these scores, by model. */
const makeRun = (scores: Record<string, number[]>): RunResult => ({
  id: 'r',
  models: Object.keys(scores),
  results: Object.entries(scores).flatMap(([modelId, own]) =>
    own.map((score, index) => ({ testCaseId: `c${index}`, modelId, score: { score } })),
  ),
})

function outcomeOf(scores: Record<string, number[]>, sameWithin?: number): string {
  const run = makeRun(scores)
  const { rows, comparisons } = buildSummary([run], { sameWithin })
  return describeOutcome(
    rows,
    comparisons.map(({ comparison }) => comparison),
  )
}

const cases = (count: number, score: (index: number) => number) => Array.from({ length: count }, (_, i) => score(i))
const wave = (mean: number, step: number) => cases(40, (index) => mean + 0.05 * Math.sin(index * step))

describe('the verdict in one sentence', () => {
  it('names the winner, the gap in whole points and its interval', () => {
    expect(outcomeOf({ a: wave(0.9, 2), b: wave(0.4, 3) })).toBe('a beats b by 50 points (95 % CI 49 to 52).')
    expect(outcomeOf({ a: wave(0.9, 2), b: wave(0.4, 3), c: wave(0.2, 5) })).toMatch(
      /^a is best: it beats b by 50 points \(95 % CI 4\d to 5\d\)\.$/,
    )
  })
  it('names the models at both ends where it is too close, and counts the others', () => {
    const odd = cases(12, (index) => index % 2)
    const even = cases(12, (index) => (index + 1) % 2)
    expect(outcomeOf({ a: odd, b: even })).toMatch(/^Too close to call: between [ab] \+\d+ and [ab] \+\d+ points\.$/)
    expect(outcomeOf({ a: odd, b: even, c: odd, d: even })).toMatch(/ points; 2 more models may be best\.$/)
  })
  it('says that two models tie only if every case is identical', () => {
    const half = cases(12, (index) => index % 2)
    expect(outcomeOf({ a: half, b: half })).toBe('a and b tie: identical on every case.')
    expect(outcomeOf({ a: half, b: half, c: half })).toBe('a, b and c tie: identical on every case.')
    expect(outcomeOf({ a: half, b: half, c: half, d: half, e: half })).toBe(
      'All 5 models tie: identical on every case.',
    )
  })
  it('says how many cases are needed at least', () => {
    expect(outcomeOf({ a: [1, 1, 1, 1], b: [0, 0, 0, 0] })).toBe('Too few cases for a verdict: 4 of at least 6.')
  })
  it('says with a margin that models are practically the same', () => {
    expect(outcomeOf({ a: wave(0.8, 2), b: wave(0.8, 3) }, 0.05)).toMatch(
      /^Practically the same: [ab] and [ab] are within 5 points \(95 % CI −\d\.\d to \d\.\d\)\.$/,
    )
    expect(outcomeOf({ a: wave(0.8, 2), b: wave(0.8, 3), c: wave(0.8, 7) }, 0.1)).toMatch(
      /^Practically the same: [abc], [abc] and [abc] are within 10 points of each other\.$/,
    )
  })
  it.each([undefined, 0.1])('has the interval that every other view has: margin %s', (sameWithin) => {
    // Rare large differences: the careful interval of a margin is wider than the shown one.
    const rare = cases(30, (index) => (index === 3 ? 0 : 0.6 + 0.01 * Math.sin(index)))
    const report = buildReport([makeRun({ a: wave(0.6, 2).slice(0, 30), b: rare })], { sameWithin })
    const { comparison } = report.comparisons[0]!
    const { gap } = orderPairs(['a', 'b'], [comparison])[0]!
    expect(report.rows[1]!.behind).toEqual(gap)
    const ends = [gap.low, gap.high].map((end) => formatScore(Math.abs(end)))
    expect(describeVerdict(comparison)).toContain(`between b +${ends[0]} and a +${ends[1]} points`)
    expect(describePairLine(comparison)).toContain(`[${formatScore(gap.low)}, ${formatScore(gap.high)}]`)
    expect(writeDrawing(drawDifferences(report)!)).toContain(`(${describeInterval(gap)})`)
    const { equivalence, shownInterval } = comparison.paired!
    expect([gap.low, gap.high]).toEqual(equivalence ? [equivalence.low, equivalence.high] : shownInterval)
    if (equivalence) expect(equivalence.high).toBeGreaterThan(shownInterval[1])
  })
  it('is the same for a pair by itself', () => {
    for (const scores of [
      { a: wave(0.9, 2), b: wave(0.4, 3) },
      { a: cases(12, (index) => index % 2), b: cases(12, (index) => (index + 1) % 2) },
      { a: [1, 1, 1, 1], b: [0, 0, 0, 0] },
      { a: [0, 0, 0, 0.2], b: [0.5, 1, 0.5, 1] },
    ]) {
      const { rows, comparisons } = buildSummary([makeRun(scores)])
      const { comparison } = comparisons[0]!
      expect(describePairOutcome(comparison)).toBe(describeOutcome(rows, [comparison]))
    }
    const { paired: _paired, ...unscored } = buildSummary([makeRun({ a: [1], b: [0] })]).comparisons[0]!.comparison
    expect(describePairOutcome(unscored)).toBe('No verdict: a and b have no scored case in common.')
  })
  it('is said of the only model with scores, and without any', () => {
    expect(outcomeOf({ a: [1, 0] })).toBe('Only a has scores.')
    expect(outcomeOf({ a: [] })).toBe('No model has a score.')
  })
})

describe('points of a verdict', () => {
  it('are whole, with a decimal where the gap is small', () => {
    expect([
      describeGap({ mean: 0.124, low: 0.03, high: 0.21 }),
      describeGap({ mean: -0.014, low: -0.03, high: 0.01 }),
      describeGap({ mean: 0.017, low: -0.11, high: 0.14 }),
    ]).toEqual(['12 points', '1.4 points', '2 points'])
    expect(describeGapEnds({ mean: 0.003, low: -0.006, high: 0.012 })).toBe('−0.6 to 1.2')
  })
  it('are never rounded onto 0 or 100, nor is an open end a number', () => {
    expect(describeGapEnds({ mean: 0.5, low: 0.004, high: 0.996 })).toBe('0.4 to 99')
    expect(describeGapEnds({ mean: 0.5, low: 0.00001, high: 1 })).toBe('0.01 to 100')
    expect(describeGapEnds({ mean: 0.2, low: -Infinity, high: 0.29 })).toBe('up to 29')
    expect(formatScoreRange({ low: 0, high: 0.997 })).toBe('0–99')
  })
  it('are even at 0, and name the model that would be ahead', () => {
    const models = { ahead: 'a', behind: 'b' }
    const gap = { mean: 0.1, low: 0, high: 0.29 }
    expect([nameEnd(models, gap, 0), nameEnd(models, gap, 0.29), nameEnd(models, gap, -0.06)]).toEqual([
      'even',
      'a +29',
      'b +6',
    ])
  })
})
