/** Short versions of the simulations in bench/truth. Their generators are seeded, so the same code gives the same rates. */
import { describe, expect, it } from 'vitest'
import { measureGroups } from '../bench/truth/groups.ts'
import { kinds } from '../bench/truth/kinds.ts'
import {
  measureIntervals,
  measurePlans,
  measureRatings,
  measureRunIntervals,
  measureVerdicts,
} from '../bench/truth/simulations.ts'
import {
  measureClusterCoverage,
  measureClusters,
  measureCorrected,
  measureEquivalence,
  measureFirst,
  measureGates,
  measureLeaning,
  measureMissing,
  measurePairs,
  measureRareFailures,
  measureWeights,
} from '../bench/truth/real-suites.ts'
import { measureCostRatio, measureDecided, measureGoodEnough, scoreKinds } from '../bench/truth/costs.ts'
import { bestPower, measureHosts } from '../bench/truth/hosts.ts'
import { isLong } from './scaled.ts'

const skewed = kinds.filter(({ name }) => name.startsWith('A always'))

describe('verdicts', () => {
  it.each(kinds)('call at most 7 % of equal models different: $name', (kind) => {
    for (const size of isLong ? [6, 12, 30] : [6, 30]) {
      const { ours, coverage } = measureVerdicts({ kind, size, replications: 500 })
      expect(ours).toBeLessThanOrEqual(0.07)
      expect(coverage).toBeGreaterThanOrEqual(0.92)
    }
  })

  it.each(skewed)('call at most 1.1 % of equal but skewed models different up to 30 cases: $name', (kind) => {
    for (const size of isLong ? [6, 10, 20, 30] : [6, 20])
      expect(measureVerdicts({ kind, size, replications: 160 }).ours).toBeLessThanOrEqual(0.011)
  })

  it('of scores that are 0 or 1 have as much power as a paired t test, within 5 points from 50 cases on', () => {
    for (const kind of kinds.slice(0, 2)) {
      const { ours, pairedT } = measureVerdicts({ kind, size: 50, gap: 0.2, replications: 160 })
      expect(ours).toBeGreaterThanOrEqual(pairedT - 0.05)
    }
  })
})

describe('intervals', () => {
  it.each(kinds)('over cases cover the mean: $name', (kind) => {
    const least = kind.name.startsWith('0 or 1') ? 0.94 : 0.85
    for (const size of isLong ? [5, 10, 30, 100] : [10])
      expect(measureIntervals({ kind, size, replications: 1000 }).ours).toBeGreaterThanOrEqual(least)
  })

  it.each([
    [10, 2],
    [10, 3],
    [30, 3],
  ])('over runs cover a model that is right 99 times in 100: %d cases, %d runs', (cases, runs) => {
    const { ours, seed } = measureRunIntervals({ rate: 0.99, cases, runs, replications: 1000 })
    expect(ours).toBeGreaterThanOrEqual(0.94)
    expect(seed).toBeLessThan(0.6)
  })

  it.each([2, 3, 6])('of the ratings of %d models cover at least 92 in 100', (models) => {
    for (const isPassFail of [true, false])
      expect(
        measureRatings({ models, cases: 30, isPassFail, spread: 0.6, replications: 400 / models }),
      ).toBeGreaterThanOrEqual(0.92)
  })
})

describe('plans', () => {
  it.each(kinds.filter((_, index) => index % (isLong ? 2 : 4) === 0))(
    'from 20 cases reach 78 to 95 % power, tested on the new cases alone: $name',
    (kind) => {
      const { power } = measurePlans({ kind, size: 20, gap: Math.min(0.1, kind.mean), replications: 160 })
      expect(power).toBeGreaterThanOrEqual(0.78)
      expect(power).toBeLessThanOrEqual(0.95)
    },
  )
})

describe('suites that people have', () => {
  const layouts = [Array.from({ length: 10 }, () => 6), [1, 1, 1, 2, 2, 3, 5, 8, 13, 40]]

  it.each([true, false])('variants of one question turn no chance into a verdict (0 or 1: %s)', (isPassFail) => {
    for (const sizes of layouts) {
      const { ours, plain } = measureClusters({ sizes, isPassFail, replications: 200 })
      expect(ours).toBeLessThanOrEqual(0.075)
      expect(plain).toBeGreaterThan(0.2)
      const { mean, plainMean, difference } = measureClusterCoverage({ sizes, isPassFail, replications: 200 })
      expect(Math.min(mean, difference)).toBeGreaterThanOrEqual(0.91)
      expect(plainMean).toBeLessThan(0.8)
    }
  })

  it('nor with ten models', () => {
    const { ours, plain } = measureClusters({ sizes: layouts[0]!, isPassFail: false, models: 10, replications: 20 })
    expect(ours).toBeLessThanOrEqual(0.1)
    expect(plain).toBeGreaterThan(0.5)
  })

  it.each([3, 5])('%d judges who lean do not decide', (judges) => {
    for (const lean of [0, 0.04, 0.06])
      expect(measureLeaning({ judges, lean, cases: 60, replications: 200 }).ours).toBeLessThanOrEqual(0.075)
    expect(measureLeaning({ judges, lean: 0.06, cases: 60, replications: 200 }).plain).toBeGreaterThan(0.2)
  })

  it.each([30, 60])('a judge who leans 6 points is corrected by %d ratings of both answers', (ratings) => {
    const found = measureCorrected({ ratings, cases: 200, lean: 0.06, noise: 0.1, replications: 400 })
    expect(found.corrected).toBeGreaterThanOrEqual(0.92)
    expect(found.judge).toBeLessThan(0.1)
    expect(found.correctedWidth).toBeLessThan(found.aloneWidth)
  })

  it('words and intervals of many pairs never contradict each other, and the intervals hold together', () => {
    const { contradictions, together } = measurePairs({ models: 5, cases: 40, replications: 100 })
    expect(contradictions.ours).toBe(0)
    expect(contradictions.plain).toBeGreaterThan(0.05)
    expect(together.ours).toBeGreaterThanOrEqual(0.91)
    expect(together.plain).toBeLessThan(0.85)
  })

  it.each([10, 50])('intervals hold if a tenth of the cases weighs %d times as much', (heavy) => {
    const { mean, difference } = measureWeights({ heavy, cases: 40, replications: 300 })
    expect(mean.ours).toBeGreaterThanOrEqual(0.91)
    expect(difference.ours).toBeGreaterThanOrEqual(0.93)
  })

  it.each([true, false])(
    'a breakdown of equal models names a winner in any of 10 groups seldom: pass or fail %s',
    (isPassFail) => {
      const { ours, plain } = measureGroups({ groups: 10, cases: 12, isPassFail, replications: 300 })
      expect(ours).toBeLessThanOrEqual(0.065)
      expect(plain).toBeGreaterThan(0.12)
    },
  )

  it('a verdict that rare failures would turn around says so', () => {
    for (const cases of [10, 20, 29])
      expect(measureRareFailures({ cases, replications: 100 }).said).toBeGreaterThanOrEqual(0.98)
  })

  it('one baseline for fifty unchanged commits raises few false alarms, and still finds a loss', () => {
    const { alarms, power } = measureGates({ cases: 100, commits: 50, loss: 0.15, replications: 50 })
    expect(Math.max(alarms.ours, alarms.alone)).toBeLessThanOrEqual(0.06)
    expect(alarms.plain).toBeGreaterThan(0.1)
    expect(power.ours).toBeGreaterThanOrEqual(0.6)
  })

  it('models that differ by the margin are seldom called the same or not worse', () => {
    for (const setting of [{ cases: 100 }, { cases: 200, margin: 0.03 }, { cases: 200, clusterSize: 4 }]) {
      const { same, notWorse, plainSame } = measureEquivalence({ margin: 0.05, replications: 200, ...setting })
      expect(Math.max(same, notWorse)).toBeLessThanOrEqual(0.075)
      expect(plainSame).toBeGreaterThan(Math.max(same, 0.05))
    }
  })

  it.each([2, 5, 20])('the interval of the first of %d models holds on new cases', (models) => {
    const { ours, plain } = measureFirst({ models, cases: 50, spread: 0, replications: 300 })
    expect(ours).toBeGreaterThanOrEqual(0.93)
    if (models === 20) expect(plain).toBeLessThan(0.85)
  })

  it('a model whose hardest cases are missing leads no more often than one that has them', () => {
    const { leads, beats } = measureMissing({ cases: 60, share: 0.2, gap: 0.03, replications: 300 })
    expect(leads.ours).toBeLessThan(0.08)
    expect(leads.plain).toBeGreaterThan(0.85)
    expect(beats.ours).toBeLessThanOrEqual(0.01)
  })
})

describe('cheapest that is good enough', () => {
  const replications = isLong ? 400 : 80
  // Of 80 runs, 9 or more are false alarms in fewer than 2 of 100 of such tests if the rate is 5 %.
  const most = isLong ? 0.07 : 0.1

  it.each(scoreKinds)('is named wrongly in at most 5 % of runs with a gap of just the margin: $name', (kind) => {
    for (const setting of [
      { cases: 40 },
      { cases: 80, clusterSize: 4 },
      ...(isLong ? [{ cases: 150 }, { cases: 80, cheap: 3, good: 2 }] : []),
    ])
      expect(measureGoodEnough({ kind, margin: 0.05, replications, ...setting })).toBeLessThanOrEqual(most)
  })

  it('is found where models are equal', () => {
    for (const kind of scoreKinds.slice(2))
      expect(measureGoodEnough({ kind, cases: 200, gap: 0, margin: 0.05, replications: 30 })).toBeGreaterThan(0.85)
  })

  it('is found early by runs that decide, and not named wrongly however often they look', () => {
    for (const kind of scoreKinds.slice(isLong ? 0 : 2, isLong ? undefined : 4)) {
      const wrong = measureDecided({ kind, cases: isLong ? 500 : 200, margin: 0.05, replications: isLong ? 200 : 40 })
      expect(wrong.named).toBeLessThanOrEqual(0.05)
    }
    const clusters = measureDecided({
      kind: scoreKinds[3]!,
      cases: 200,
      margin: 0.05,
      clusterSize: 4,
      replications: 40,
    })
    expect(clusters.named).toBeLessThanOrEqual(0.05)
    const same = measureDecided({ kind: scoreKinds[3]!, cases: 500, margin: 0.05, gap: 0, replications: 20 })
    expect(same).toMatchObject({ named: 1 })
    expect(same.asked).toBeLessThan(0.4)
  })

  it('costs what its interval says', () => {
    for (const setting of [
      { cases: 30, spread: 0.3 },
      { cases: 30, spread: 0.7 },
      { cases: 100, spread: 1 },
      { cases: 100, spread: 0.5, clusterSize: 5 },
    ])
      expect(measureCostRatio({ ...setting, replications: 600 })).toBeGreaterThanOrEqual(0.92)
  })
})

describe('one model at two hosts, 500 calls', () => {
  const replications = isLong ? 500 : 120

  it.each([
    // The best power by SciPy: binomial mixtures of the randomised sign test.
    { rate: 0.8, chance: 0.02, power: 0.937 },
    { rate: 0.95, chance: 0.05, power: 0.959 },
    { rate: 0.8, chance: 0.1, power: 0.622 },
  ])(
    'finds a drop of 3 points as often as can be, and none in at most 5 % where there is none: $rate, $chance',
    (setting) => {
      const { power, ...served } = setting
      expect(bestPower({ ...served, calls: 500, drop: 0.03 })).toBeCloseTo(power, 3)
      const { worse } = measureHosts({ ...served, calls: 500, drop: 0.03, replications })
      expect(worse).toBeGreaterThan(power - (isLong ? 0.06 : 0.1))
      const same = measureHosts({ ...served, calls: 500, drop: 0, replications })
      expect(same.worse + same.better).toBeLessThanOrEqual(isLong ? 0.06 : 0.09)
    },
  )
})
