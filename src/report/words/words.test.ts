import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultParameters, type RunResult } from '../../contract/index.ts'
import { compareAllModels, type MissingSummary } from '../../statistics/index.ts'
import {
  advisePlans,
  describeInterval,
  describeMissing,
  describeParameters,
  describePlan,
  formatBytes,
  formatContext,
  formatCost,
  formatCosts,
  formatCount,
  formatDifference,
  formatDuration,
  formatDurations,
  formatP,
  formatPercent,
  formatPoints,
  formatPrice,
  formatRate,
  formatScore,
  formatSpent,
  formatStatistic,
  formatTime,
  formatTimeLeft,
  joinWords,
} from './index.ts'

describe('scores and differences', () => {
  it('are 0 to 100 with one decimal, and a dash if missing', () => {
    expect([0.9412, 0, 1, undefined, null, Number.NaN].map(formatScore)).toEqual([
      '94.1',
      '0.0',
      '100.0',
      '–',
      '–',
      '–',
    ])
  })
  it('have a sign where it matters, and zero never has one', () => {
    expect([0.041, -0.041, 0, -0.0002, 0.0002].map(formatDifference)).toEqual(['+4.1', '−4.1', '0.0', '0.0', '0.0'])
    expect([0.041, -0.041, 0.01, -0.0002].map(formatPoints)).toEqual([
      '4.1 points',
      '4.1 points',
      '1.0 point',
      '0.0 points',
    ])
  })
  it('look the same in an interval, whether an object or a pair', () => {
    expect(describeInterval({ low: 0.821, high: 0.883 })).toBe('82.1 to 88.3')
    expect(describeInterval([-0.012, 0.07])).toBe('−1.2 to 7.0')
  })
  it('are percentages for shares', () => {
    expect([formatPercent(0.123), formatPercent(0.25, 0), formatPercent(null)]).toEqual(['12.3 %', '25 %', '–'])
  })
})

describe('formatCost', () => {
  it.each([
    [0, '$0'],
    [5.5, '$5.50'],
    [12.345, '$12.35'],
    [0.5, '$0.50'],
    [0.0996, '$0.10'],
    [0.05, '$0.05'],
    [0.0123, '$0.012'],
    [0.00012, '$0.00012'],
    [1e-12, '$0.000000000001'],
    [1234567.891, '$1,234,567.89'],
    [undefined, 'unknown'],
  ])('shows %d dollars as %s', (dollars, text) => expect(formatCost(dollars)).toBe(text))
  it('counts unknown costs', () => {
    expect(formatCost(1.2, 3)).toBe('$1.20, plus 3 unpriced requests')
    expect(formatCost(0, 3)).toBe('unknown')
  })
  it('is within 5 % of the cost, and $0 only if it cost nothing', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-11, max: 1e6, noNaN: true }), (dollars) => {
        const shown = Number(formatCost(dollars).replaceAll(/[$,]/g, ''))
        expect(Math.abs(shown - dollars)).toBeLessThanOrEqual(dollars * 0.0501)
      }),
    )
  })
  it('gives all ticks of an axis the same precision, so that no two look the same', () => {
    expect(formatCosts([0, 0.005, 0.01, 0.015])).toEqual(['$0', '$0.005', '$0.010', '$0.015'])
    expect(formatCosts([0.5, 1, 1.5])).toEqual(['$0.50', '$1.00', '$1.50'])
    expect(formatCosts([0.001, 0.01, 0.1, 1])).toEqual(['$0.001', '$0.010', '$0.100', '$1.000'])
  })
  it('shows a sum of 0 as unknown if no cost is known', () => {
    const cost = { total: 0, unknown: 0 }
    expect(formatSpent({ cost, isCostKnown: true })).toBe('$0')
    expect(formatSpent({ cost, isCostKnown: false })).toBe('unknown')
  })
})

describe('model figures', () => {
  it('show the price per million tokens, and never $0 if it is unknown', () => {
    expect([2.5e-6, 0.15e-6, 0, 4e-9, 1.25e-7, 15e-6, undefined].map(formatPrice)).toEqual([
      '$2.50',
      '$0.15',
      '$0',
      '$0.004',
      '$0.125',
      '$15.00',
      'unknown',
    ])
  })
  it('show the context length as providers do', () => {
    expect([512, 8192, 128_000, 999_900, 1_000_000, 1_048_576, undefined].map(formatContext)).toEqual([
      '512',
      '8K',
      '128K',
      '1M',
      '1M',
      '1.05M',
      'unknown',
    ])
  })
})

describe('statistics', () => {
  it('show p in one format', () => {
    expect([0.0004, 0.0312, 1, null, Number.NaN].map(formatP)).toEqual([
      'p < 0.001',
      'p = 0.031',
      'p = 1.000',
      'p –',
      'p –',
    ])
  })
  it('show a missing value as a dash, and a real minus sign', () => {
    expect([null, undefined, Number.NaN, Infinity].map((value) => formatStatistic(value))).toEqual(['–', '–', '–', '–'])
    expect(formatStatistic(-1.234)).toBe('−1.23')
    expect(formatStatistic(3, 0)).toBe('3')
  })
})

describe('times', () => {
  it('never show a duration as 60 s or 1000 ms', () => {
    expect([0, 850, 999.6, 12_345, 59_960, 75_000, 119_700, 3_900_000, undefined].map(formatDuration)).toEqual([
      '0 ms',
      '850 ms',
      '1.0 s',
      '12.3 s',
      '1 min 0 s',
      '1 min 15 s',
      '2 min 0 s',
      '1 h 5 min',
      '–',
    ])
  })
  it('have the same unit and precision on all ticks of an axis', () => {
    expect(formatDurations([0, 0.05, 0.1])).toEqual(['0 ms', '0.05 ms', '0.10 ms'])
    expect(formatDurations([0, 500, 1000, 1500])).toEqual(['0 s', '0.5 s', '1.0 s', '1.5 s'])
    expect(formatDurations([0, 60_000, 120_000])).toEqual(['0 ms', '1 min 0 s', '2 min 0 s'])
  })
  it('show the time left in whole seconds, rounded up', () => {
    expect([1, 2001, 64_500, Infinity].map(formatTimeLeft)).toEqual(['1 s', '3 s', '1 min 5 s', '–'])
  })
  it('show a rate below one per second per minute', () => {
    expect([4.21, 1, 0.5].map(formatRate)).toEqual(['4.2 answers/s', '1.0 answers/s', '30.0 answers/min'])
  })
  it('are labelled UTC, and undefined if invalid', () => {
    expect(formatTime(Date.UTC(2026, 10, 15, 3, 24))).toBe('2026-11-15 03:24 UTC')
    expect(formatTime(1e300)).toBeUndefined()
  })
})

it('formats counts with thousands separators and plural nouns', () => {
  expect([formatCount(1234567), formatCount(1, 'case'), formatCount(0, 'case'), formatCount(2000, 'run')]).toEqual([
    '1,234,567',
    '1 case',
    '0 cases',
    '2,000 runs',
  ])
  expect(formatCount(2, 'failure was a near miss', 'failures were near misses')).toBe('2 failures were near misses')
})

it('formats sizes in a suitable unit', () => {
  expect([500, 1536, 5_000_000, 3e12].map(formatBytes)).toEqual(['500 B', '1.5 KB', '4.8 MB', '2,794.0 GB'])
})

describe('describeMissing', () => {
  const summary: MissingSummary = {
    modelId: 'm',
    cells: 10,
    unscored: 1,
    errors: 2,
    notRun: 0,
    reasons: { timeout: 2, 'judge-unreadable': 1 },
    weight: 3,
    boundsWithMissing: [0.5, 0.8],
  }
  it('shows how many, why, and how far they could move the mean', () => {
    expect(describeMissing(summary)).toBe(
      '3 of 10 cells without a score (1 × judge-unreadable, 2 × timeout); its mean would be 50.0 to 80.0 if they all scored 0 or 100',
    )
  })
  it('shows no mean if no cell has a score', () => {
    expect(describeMissing({ ...summary, cells: 3 })).toBe(
      'none of its 3 cells has a score (1 × judge-unreadable, 2 × timeout)',
    )
  })
})

describe('describeParameters', () => {
  it('omits most defaults, and parameters that Benchmark Mode locks', () => {
    expect(describeParameters(defaultParameters)).toBe('temperature 0.7, at most 2,048 tokens')
    expect(describeParameters({ ...defaultParameters, benchmarkMode: true, frequencyPenalty: 1 })).toBe(
      'Benchmark Mode (temperature 0), at most 2,048 tokens',
    )
    expect(describeParameters({ ...defaultParameters, topP: 0.9, presencePenalty: 0.5 })).toBe(
      'temperature 0.7, top-p 0.9, at most 2,048 tokens, presence penalty 0.5',
    )
  })
  it('says nothing of parameters that a run of another program does not name', () => {
    expect(describeParameters({})).toBe('parameters unknown')
    expect(describeParameters({ seed: 7 })).toBe('seed 7')
  })
})

it('joins words with commas and "and"', () => {
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(joinWords)).toEqual(['', 'a', 'a and b', 'a, b and c'])
})

const undecidedRun: RunResult = {
  id: 'r',
  models: ['a', 'b'],
  results: [0, 1, 1, 0, 1, 0, 1].flatMap((score, index) => [
    { testCaseId: `c${index}`, modelId: 'a', score: { score } },
    { testCaseId: `c${index}`, modelId: 'b', score: { score: 1 - score } },
  ]),
}

describe('a plan', () => {
  const plan = {
    difference: 0.05,
    isChosen: false,
    present: { units: 30, runs: 1 },
    moreCases: 40,
    range: [6, 310] as [number, number],
    moreRuns: 3,
    runsCannotHelp: false,
    isTooSmall: false,
    hasTooManyPairs: false,
    isRuledOut: false,
  }

  it('names new cases, and runs', () => {
    expect(describePlan(plan)).toBe('About 40 more cases or 3 more runs would detect a 5.0-point gap')
    expect(describePlan({ ...plan, moreRuns: null })).toBe('About 40 more cases would detect a 5.0-point gap')
    expect(describePlan({ ...plan, difference: 0.188 })).toContain('detect an 18.8-point gap')
  })

  it('says why no number of runs would help', () => {
    const cannot = { ...plan, moreRuns: null, runsCannotHelp: true }
    expect(describePlan(cannot)).toMatch(/\. More runs alone would not: the cases vary too much$/)
    expect(describePlan({ ...cannot, hasTooManyPairs: true })).toMatch(/: the cases are too few for this many pairs$/)
  })

  it('says that judges who differ by more hide the gap, however many cases there are', () => {
    const limited = { ...plan, moreCases: Infinity, moreRuns: null, areJudgesTooFew: true as const }
    expect(describePlan(limited)).toBe(
      'More cases alone cannot detect a 5.0-point gap: the judges differ by more. Add judges',
    )
  })

  it('asks for nothing if a difference of that size is ruled out', () => {
    expect(describePlan({ ...plan, isRuledOut: true })).toBe('A difference of 5.0 points or more is ruled out')
  })

  it('comes with advice on how to test new cases, unless none asks for them', () => {
    const [comparison] = compareAllModels([undecidedRun])
    const paired = { ...comparison!.paired!, plan }
    expect(advisePlans([{ paired }])).toMatch(/^Test new cases by themselves or run until decided: /)
    expect(advisePlans([{ paired: { ...paired, plan: { ...plan, isRuledOut: true } } }, {}])).toBeUndefined()
  })

  it('says only that there are too few cases if that is so', () => {
    const tooSmall = { ...plan, isTooSmall: true, moreCases: 3_784_862, present: { units: 4, runs: 1 } }
    expect(describePlan(tooSmall)).toBe('Too few cases for a verdict: 4 of at least 6')
    expect(describePlan(tooSmall, { case: 'task', run: 'trial' })).toContain('tasks')
  })

  it('rounds to two digits, and names no number beyond ten times the suite for a gap that nobody chose', () => {
    expect(describePlan({ ...plan, moreCases: 138 })).toContain('About 140 more cases')
    expect(describePlan({ ...plan, moreCases: 300 })).toContain('About 300 more cases')
    expect(describePlan({ ...plan, moreCases: 301 })).toBe('3 more runs would detect a 5.0-point gap')
    const absurd = { ...plan, moreCases: 3_784_862, moreRuns: 40_000 }
    expect(describePlan(absurd)).toBe('A 5.0-point gap is too small for such cases; choose the gap that matters to you')
    expect(describePlan({ ...absurd, moreCases: Infinity, moreRuns: null, isChosen: true })).toBe(
      'A 5.0-point gap is too small for such cases',
    )
    expect(describePlan({ ...absurd, moreCases: 4_321, isChosen: true })).toBe(
      'About 4,300 more cases would detect a 5.0-point gap',
    )
    expect(describePlan({ ...absurd, same: 141 })).toBe(
      'A 5.0-point gap is too small for such cases; 140 more cases would show that they are the same, if they are',
    )
    expect(describePlan({ ...absurd, clusters: { more: 301, enoughCases: 3 } })).toContain(
      'too small for such groups of cases',
    )
  })
})
