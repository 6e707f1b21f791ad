import { describe, expect, it } from 'vitest'
import { createRandom } from '../numbers/random.ts'
import { driftTest, type RunOfCases } from './drift-test.ts'

/** Set BENCHMAKER_SERIES for a long simulation. */
const SERIES = Number(process.env['BENCHMAKER_SERIES'] ?? 40)

/** Cases differ in difficulty; each run draws every case anew. `shift` is added to the chance of passing. */
function drawRuns(
  random: () => number,
  { cases, runs, shiftAt = (_run: number) => 0 }: { cases: number; runs: number; shiftAt?: (run: number) => number },
): RunOfCases[] {
  const chances = Array.from({ length: cases }, () => 0.3 + 0.6 * random())
  return Array.from(
    { length: runs },
    (_, run) => new Map(chances.map((chance, index) => [`c${index}`, random() < chance + shiftAt(run) ? 1 : 0])),
  )
}

function countDrifts(seed: string, options: Parameters<typeof drawRuns>[1]): number {
  let drifts = 0
  for (let series = 0; series < SERIES; series++)
    if (driftTest(drawRuns(createRandom(`${seed} ${series}`), options)).isDrift) drifts++
  return drifts / SERIES
}

describe('the test for drift', () => {
  it.each([
    [20, 51],
    [60, 51],
    [200, 11],
  ])('with %i cases and %i runs calls at most one in 20 steady models drifted', (cases, runs) => {
    const share = countDrifts(`steady ${cases}`, { cases, runs })
    if (SERIES > 100) process.stdout.write(`steady, ${cases} cases, ${runs} runs: ${share}\n`)
    expect(share).toBeLessThanOrEqual(0.05)
  })

  it('a fixed base and a paired test after every run would not do: its luck is in every comparison', () => {
    let wrong = 0
    for (let series = 0; series < SERIES; series++) {
      const [base, ...later] = drawRuns(createRandom(`fixed ${series}`), { cases: 60, runs: 51 })
      const isEver = later.some((run) => {
        const differences = Array.from(run, ([id, score]) => score - base!.get(id)!)
        const mean = differences.reduce((sum, one) => sum + one, 0) / differences.length
        const variance = differences.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (differences.length - 1)
        return Math.abs(mean) > 2 * Math.sqrt(variance / differences.length)
      })
      if (isEver) wrong++
    }
    expect(wrong / SERIES).toBeGreaterThan(0.2)
  })

  it('finds 20 points lost on 100 cases after 10 steady runs, within 5 more', () => {
    const share = countDrifts('lost', { cases: 100, runs: 15, shiftAt: (run) => (run < 10 ? 0 : -0.2) })
    if (SERIES > 100) process.stdout.write(`20 points lost: ${share}\n`)
    expect(share).toBeGreaterThan(0.9)
  })

  it('says since when and by how much', () => {
    const steady = new Map(Array.from({ length: 40 }, (_, index) => [`c${index}`, 1]))
    const worse = new Map(Array.from({ length: 40 }, (_, index) => [`c${index}`, index < 20 ? 0 : 1]))
    const found = driftTest([steady, steady, steady, worse, worse])
    expect(found).toMatchObject({ isDrift: true, since: 3, difference: -0.5, cases: 40, looks: 4 })
    expect(found.p).toBeLessThan(0.001)
  })

  it('one look at k cases lost of k: evidence 2^k·B(2 + k, 2)/B(2, 2) against the line 2/alpha', () => {
    const before = new Map(Array.from({ length: 12 }, (_, index) => [`c${index}`, 1]))
    const after = new Map(Array.from({ length: 12 }, (_, index) => [`c${index}`, 0]))
    // 2^12 · B(14, 2)/B(2, 2) = 4096 · 6/(14 · 15) = 117.03; p = 2/117.03.
    expect(driftTest([before, after]).p).toBeCloseTo(2 / 117.0286, 3)
  })

  it('shows nothing for identical runs, single runs, or runs without a case in common', () => {
    const run = new Map([['a', 1]])
    expect(driftTest([run, run, run, run])).toMatchObject({ isDrift: false, difference: 0, looks: 3 })
    expect(driftTest([run])).toEqual({ looks: 0, p: 1, isDrift: false, difference: 0, cases: 0 })
    expect(driftTest([run, new Map([['b', 0]])])).toMatchObject({ looks: 0, isDrift: false })
    expect(driftTest([])).toMatchObject({ looks: 0 })
  })
})
