import { describe, expect, it } from 'vitest'
import type { AskModel } from '../contract/index.ts'
import { createRandom } from '../statistics/index.ts'
import { defaultCalibrationSamples } from './judging/calibration-samples.ts'
import {
  calibrate,
  interpretCalibrationResult,
  summariseCalibration,
  type CalibrationResult,
} from './judge-calibration.ts'

/** A judge that grades each sample with `gradeOf`. */
function judgeThat(gradeOf: (sample: (typeof defaultCalibrationSamples)[number]) => number | string) {
  let asked = 0
  const ask: AskModel = async ({ messages }) => {
    asked++
    const text = String(messages[1]!.content)
    const sample = defaultCalibrationSamples.find(
      ({ prompt, response }) =>
        text.includes(`${prompt}\n`) &&
        new RegExp(`<<<RESPONSE (\\w+)>>>\\n${response.replace(/[.*+?^$()[\]{}|\\]/g, '\\$&')}\\n`).test(text),
    )!
    const grade = gradeOf(sample)
    return {
      outcome: 'ok',
      response: typeof grade === 'string' ? grade : JSON.stringify({ score: grade, reasoning: 'so' }),
      latencyMs: 1,
    }
  }
  return { tools: { ask, now: () => 1_700_000_000_000, random: createRandom('calibration') }, asked: () => asked }
}

describe('judge calibration', () => {
  it('has eight samples: factual, empty, irrelevant and explanation', () => {
    expect(defaultCalibrationSamples).toHaveLength(8)
    expect(new Set(defaultCalibrationSamples.map(({ id }) => id.split('-')[0]))).toEqual(
      new Set(['factual', 'empty', 'irrelevant', 'explanation']),
    )
  })
  it('rates a judge that grades as expected excellent, and also asks about the empty sample', async () => {
    const { tools, asked } = judgeThat(({ expectedScore }) => expectedScore * 10)
    const result = await calibrate('judge', tools)
    expect(asked()).toBe(8)
    expect(result).toMatchObject({ judgeModelId: 'judge', timestamp: 1_700_000_000_000 })
    expect(result.summary).toMatchObject({
      totalSamples: 8,
      passedSamples: 8,
      passRate: 1,
      meanAbsoluteError: 0,
      maxError: 0,
      bias: 0,
    })
    expect(result.summary.correlation).toBeCloseTo(1, 12)
    expect(interpretCalibrationResult(result).rating).toBe('excellent')
  })
  it('rates a judge that always gives the same score poor, with correlation 0', async () => {
    const result = await calibrate('judge', judgeThat(() => 7).tools)
    expect(result.summary.correlation).toBe(0)
    expect(result.summary.bias).toBeGreaterThan(0.2)
    expect(interpretCalibrationResult(result)).toMatchObject({
      rating: 'poor',
      summary: expect.stringContaining('too lenient'),
    })
  })
  it('keeps the sign of errors, and an error equal to the tolerance is within it', async () => {
    const { tools } = judgeThat(({ id, expectedScore }) => (id === 'explanation-full' ? 8.5 : expectedScore * 10))
    const sample = (await calibrate('judge', tools)).samples.find(({ sampleId }) => sampleId === 'explanation-full')!
    expect(sample.error).toBeCloseTo(-0.15, 12)
    expect(sample.withinTolerance).toBe(true)
  })
  it('counts an unreadable grade as not passed, but not as zero, and reports it', async () => {
    const { tools } = judgeThat(({ id, expectedScore }) => (id === 'empty' ? 'no idea' : expectedScore * 10))
    const result = await calibrate('judge', tools)
    expect(result.samples.find(({ sampleId }) => sampleId === 'empty')).toMatchObject({
      withinTolerance: false,
      unscored: { code: 'judge-unreadable' },
    })
    expect(result.summary).toMatchObject({ passedSamples: 7, meanAbsoluteError: 0 })
    expect(interpretCalibrationResult(result).summary).toContain('1 without a readable grade')
  })
  it.each([
    [0.9, 0.1, 0.9, 'excellent'],
    [0.89, 0.1, 0.9, 'good'],
    [0.9, 0.11, 0.9, 'good'],
    [0.9, 0.1, 0.89, 'good'],
    [0.75, 0.15, 0.8, 'good'],
    [0.74, 0.15, 0.8, 'fair'],
    [0.5, 0.25, 0.6, 'fair'],
    [0.49, 0.25, 0.6, 'poor'],
    [1, 0.26, 1, 'poor'],
    [1, 0, 0.5, 'poor'],
  ])('pass rate %d, mean error %d, correlation %d is %s', (passRate, meanAbsoluteError, correlation, rating) => {
    const summary = {
      totalSamples: 100,
      passedSamples: passRate * 100,
      passRate,
      meanAbsoluteError,
      maxError: 1,
      bias: 0,
      correlation,
    }
    const result: CalibrationResult = { judgeModelId: 'j', timestamp: 0, samples: [], summary }
    expect(interpretCalibrationResult(result).rating).toBe(rating)
  })
  it('rejects an empty list of samples and samples out of range', async () => {
    const { tools } = judgeThat(() => 5)
    await expect(calibrate('j', tools, [])).rejects.toThrow(/at least one sample/)
    await expect(
      calibrate('j', tools, [{ id: 'x', prompt: '', response: '', expectedScore: 8, tolerance: 0.1 }]),
    ).rejects.toThrow(/expectedScore is 8/)
    expect(
      summariseCalibration([{ sampleId: 'x', expectedScore: 1, withinTolerance: false }]).meanAbsoluteError,
    ).toBeNaN()
  })
})
