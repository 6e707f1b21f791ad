import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { passAtK, passHatK } from './pass-at-k.ts'

const tauBench = new URL('../../../shared/data/tau-bench/gpt-4o-airline.json', import.meta.url)

/** C(n, k) for small numbers. */
const choose = (n: number, k: number): number => (k === 0 ? 1 : n < k ? 0 : (choose(n - 1, k - 1) * n) / k)

describe('pass@k and pass^k', () => {
  it('are 1 − C(n−c, k)/C(n, k) (Chen et al. 2021) and C(c, k)/C(n, k) (Yao et al. 2024)', () => {
    for (let n = 1; n <= 12; n++) {
      for (let c = 0; c <= n; c++) {
        for (let k = 1; k <= n; k++) {
          expect(passAtK(n, c, k)).toBeCloseTo(1 - choose(n - c, k) / choose(n, k), 13)
          expect(passHatK(n, c, k)).toBeCloseTo(choose(c, k) / choose(n, k), 13)
        }
      }
    }
  })

  it('10 trials, 3 right, k = 5: 1 − 21/252 = 11/12; 5 right, k = 2: 10/45 (by hand)', () => {
    expect(passAtK(10, 3, 5)).toBeCloseTo(11 / 12, 14)
    expect(passHatK(10, 5, 2)).toBeCloseTo(10 / 45, 14)
  })

  it('are both the success rate at k = 1, even for 100,000 trials, where binomials overflow', () => {
    expect(passAtK(100_000, 37_000, 1)).toBeCloseTo(0.37, 14)
    expect(passHatK(100_000, 37_000, 1)).toBeCloseTo(0.37, 14)
    expect(passAtK(100_000, 10, 50_000)).toBeCloseTo(1 - 2 ** -10, 6)
  })

  it('mirror each other: pass^k of c is 1 − pass@k of n − c', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.nat(), fc.nat(), (n, c, k) => {
        const right = c % (n + 1)
        const drawn = 1 + (k % n)
        expect(passHatK(n, right, drawn)).toBeCloseTo(1 - passAtK(n, n - right, drawn), 12)
      }),
    )
  })

  it.each([
    [0, 0, 1],
    [5, 6, 1],
    [5, 2, 6],
    [5, 2, 0],
    [5, -1, 1],
    [5, 1.5, 1],
  ])('reject n = %s, c = %s, k = %s', (n, c, k) => {
    expect(() => passAtK(n, c, k)).toThrow(RangeError)
    expect(() => passHatK(n, c, k)).toThrow(RangeError)
  })

  it.skipIf(!existsSync(tauBench))(
    'pass^1…4 of gpt-4o on τ-bench airline are .42 .2733 .22 .20 (Yao et al. 2024; needs ../shared/data, skipped where absent)',
    () => {
      const records = JSON.parse(readFileSync(tauBench, 'utf8')) as { task_id: number; reward: number }[]
      const tasks = [...Map.groupBy(records, ({ task_id }) => task_id).values()]
      const meanPassHat = (k: number) =>
        tasks.reduce(
          (sum, trials) => sum + passHatK(trials.length, trials.filter(({ reward }) => reward > 0.9).length, k),
          0,
        ) / tasks.length
      expect(tasks.every((trials) => trials.length === 4)).toBe(true)
      expect([1, 2, 3, 4].map((k) => Number(meanPassHat(k).toFixed(4)))).toEqual([0.42, 0.2733, 0.22, 0.2])
    },
  )
})
