import { expect, it } from 'vitest'
import { createRandom } from '../numbers/random.ts'
import { drawCalibrations } from './draw-calibrations.ts'

const draw = (samples: Parameters<typeof drawCalibrations>[0], draws = 20_000) =>
  drawCalibrations(samples, { draws, random: createRandom('draws') })
const meanOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

it('draws the pass rate from Beta(k + ½, n − k + ½): 8 of 8 has mean 8.5/9 and is below 90 % with .193 (R pbeta)', () => {
  const perfect = Array.from({ length: 8 }, (_, index) => ({ expected: index / 7, actual: index / 7, isWithin: true }))
  const rates = draw(perfect).map(({ passRate }) => passRate)
  expect(meanOf(rates)).toBeCloseTo(8.5 / 9, 2)
  expect(rates.filter((rate) => rate < 0.9).length / rates.length).toBeCloseTo(0.193, 1)
})

it('draws the mean error around the one that was seen, with variance s²/(n + 1) (Rubin, 1981)', () => {
  const errors = [0, 0.1, 0.3, 0.2, 0, 0.1]
  const drawn = draw(errors.map((actual) => ({ expected: 0, actual, isWithin: true })))
  const means = drawn.map(({ meanAbsoluteError }) => meanAbsoluteError)
  const seen = meanOf(errors)
  expect(meanOf(means)).toBeCloseTo(seen, 2)
  const variance = meanOf(means.map((mean) => (mean - seen) ** 2))
  expect(variance / (meanOf(errors.map((error) => (error - seen) ** 2)) / 7)).toBeCloseTo(1, 1)
})

it('gives a judge that always says the same the correlation 0, and counts a missing grade as not within', () => {
  const samples = [0, 0.5, 1].map((expected) => ({ expected, actual: 0.7, isWithin: true }))
  expect(draw(samples, 50).every(({ correlation }) => correlation === 0)).toBe(true)
  const rates = draw([...samples, { expected: 1, isWithin: false }]).map(({ passRate }) => passRate)
  expect(meanOf(rates)).toBeCloseTo(3.5 / 5, 1)
})

it('is the same for the same seed, and needs a graded sample', () => {
  const samples = [{ expected: 0.5, actual: 0.6, isWithin: true }]
  expect(draw(samples, 5)).toEqual(draw(samples, 5))
  expect(() => draw([{ expected: 1, isWithin: false }])).toThrow(/no graded sample/)
})
