import { describe, expect, it } from 'vitest'
import { createRandom } from '../../statistics/index.ts'
import {
  figuresOf,
  gradeAll,
  simulatedSamples,
  type SimulatedJudge,
} from '../../../bench/statistics/simulated-judge.ts'
import { measureCertainty, rateFigures } from './rate-calibration.ts'

/** How often a judge is called excellent, and how often that is sure. Seeded; `bench/` has more of it. */
function simulate(judge: SimulatedJudge, n: number, trials: number) {
  const random = createRandom(`certainty ${JSON.stringify(judge)} ${n}`)
  let [excellent, sure] = [0, 0]
  for (let trial = 0; trial < trials; trial++) {
    const samples = gradeAll(simulatedSamples(n, random), judge, random)
    if (rateFigures(figuresOf(samples)) !== 'excellent') continue
    excellent++
    if (measureCertainty('excellent', samples).isSure) sure++
  }
  return { excellent: excellent / trials, sure: sure / trials }
}

describe('how sure a rating is', () => {
  it('a judge with a noise of 15 points is often called excellent on 8 samples, and never surely', () => {
    const { excellent, sure } = simulate({ noise: 0.15, bias: 0 }, 8, 120)
    expect(excellent).toBeGreaterThan(0.15)
    expect(sure).toBe(0)
  })

  it('a judge with a noise of 15 points is hardly ever surely excellent on 24 samples', () => {
    expect(simulate({ noise: 0.15, bias: 0 }, 24, 120).sure).toBeLessThan(0.05)
  })

  it('a judge with a noise of 5 points is surely excellent on 24 samples, most of the time', () => {
    expect(simulate({ noise: 0.05, bias: 0 }, 24, 60).sure).toBeGreaterThan(0.8)
  })

  it('its probabilities add up to 1, and it names every other rating of at least 5 %', () => {
    const samples = gradeAll(simulatedSamples(12, createRandom('a')), { noise: 0.2, bias: 0 }, createRandom('b'))
    const rating = rateFigures(figuresOf(samples))
    const { probabilities, couldBe, isSure } = measureCertainty(rating, samples)
    const { excellent, good, fair, poor } = probabilities
    expect(excellent + good + fair + poor).toBeCloseTo(1, 9)
    const likely = (['excellent', 'good', 'fair', 'poor'] as const).filter(
      (other) => other !== rating && probabilities[other] >= 0.05,
    )
    expect(couldBe).toEqual(likely)
    expect(isSure).toBe(likely.length === 0)
    expect(measureCertainty(rating, samples)).toEqual({ probabilities, couldBe, isSure })
  })
})
