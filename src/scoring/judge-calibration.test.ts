import { describe, expect, it } from 'vitest'
import type { CallModel } from '../contract/index.ts'
import { createRandom } from '../statistics/index.ts'
import { defaultCalibrationSamples } from './judging/calibration-samples.ts'
import { calibrationSets } from './judging/calibration-sets/calibration-sets.ts'
import {
  calibrate,
  interpretCalibrationResult,
  summariseCalibration,
  type CalibrationResult,
} from './judge-calibration.ts'

/** A judge that grades each sample with `gradeOf`. */
function judgeThat(gradeOf: (sample: (typeof defaultCalibrationSamples)[number]) => number | string) {
  let asked = 0
  const callModel: CallModel = async ({ messages }) => {
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
  return { tools: { callModel, now: () => 1_700_000_000_000, random: createRandom('calibration') }, asked: () => asked }
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
  it.each([1, 10])(
    'is poor with the reason, and no certainty, if %i samples all expect the same score',
    async (count) => {
      const samples = Array.from({ length: count }, (_, index) => ({
        ...defaultCalibrationSamples[0]!,
        id: `s${index}`,
      }))
      const result = await calibrate('judge', judgeThat(({ expectedScore }) => expectedScore * 10).tools, samples)
      expect(result.summary).toMatchObject({ passRate: 1, meanAbsoluteError: 0, correlation: 0 })
      expect(result).not.toHaveProperty('certainty')
      const { rating, summary, advice } = interpretCalibrationResult(result)
      expect(rating).toBe('poor')
      expect(summary).toMatch(/: nothing shows whether it tells good answers from bad ones/)
      expect(advice).toMatch(/samples that expect different scores/)
    },
  )
  it('is not calibrated, never poor, if too many samples have no grade', async () => {
    const failing = judgeThat(({ id, expectedScore }) => (id.startsWith('factual') ? 'none' : expectedScore * 10))
    const { rating, summary, advice, certainty } = interpretCalibrationResult(await calibrate('judge', failing.tools))
    expect(rating).toBe('not calibrated')
    expect(summary).toContain('judge is not calibrated: 3 of 8 samples have no readable grade')
    expect(advice).toContain('calibrate again')
    expect(certainty).toContain('says nothing')
    const mute = await calibrate('judge', judgeThat(() => 'no idea').tools)
    expect(interpretCalibrationResult(mute).rating).toBe('not calibrated')
    expect(mute.certainty).toBeUndefined()
  })
  it('with two of eight missing and the rest right is good: failures alone make no judge worse', async () => {
    const two = judgeThat(({ id, expectedScore }) => (['empty', 'irrelevant'].includes(id) ? '?' : expectedScore * 10))
    expect(interpretCalibrationResult(await calibrate('judge', two.tools)).rating).toBe('good')
  })
  it('says how sure the rating is, with intervals, and does not recommend what it is not sure of', async () => {
    const result = await calibrate('judge', judgeThat(({ expectedScore }) => expectedScore * 10).tools)
    expect(result.promptVersion).toBe('llm-judge/1')
    expect(result.intervals!.bias).toMatchObject({ method: 'unseen-mass' })
    expect(result.certainty).toMatchObject({ isSure: false, couldBe: ['good'] })
    const { certainty, advice } = interpretCalibrationResult(result)
    expect(certainty).toBe('Excellent on these 8; with so few it could be good.')
    expect(advice).toContain('Calibrate it on more samples')
  })
  it('is sure of a judge that grades 24 samples as expected', async () => {
    const samples = calibrationSets[0]!.samples
    const callModel: CallModel = async ({ messages }) => {
      const text = String(messages[1]!.content)
      const sample = samples.find(({ prompt, response }) => text.includes(prompt) && text.includes(`\n${response}\n`))!
      return {
        outcome: 'ok',
        response: JSON.stringify({ score: sample.expectedScore * 10, reasoning: '' }),
        latencyMs: 1,
      }
    }
    const result = await calibrate('judge', { callModel, now: () => 0, random: createRandom('sure') }, samples)
    expect(interpretCalibrationResult(result)).toMatchObject({
      rating: 'excellent',
      certainty: `Excellent on these ${samples.length}; more samples of the kind would hardly change that.`,
      advice: expect.stringContaining('You can rely on its grades'),
    })
  })
  it('with a preset tells the judge its criteria and keeps their version', async () => {
    const systems: string[] = []
    const callModel: CallModel = async ({ messages }) => {
      systems.push(String(messages[0]!.content))
      expect(String(messages[1]!.content)).toMatch(/<<<CONTEXT (\w+)>>>\nThe sky is green\.\n<<<END CONTEXT \1>>>/)
      return { outcome: 'ok', response: '{"score": 10, "reasoning": ""}', latencyMs: 1 }
    }
    const tools = { callModel, now: () => 0, random: createRandom('preset') }
    const sample = { id: 's', prompt: 'Which colour?', response: 'Green', expectedScore: 1, tolerance: 0.1 }
    const result = await calibrate('j', tools, [{ ...sample, context: 'The sky is green.' }], {
      preset: 'faithfulness',
    })
    expect(result.promptVersion).toBe('llm-judge/1+faithfulness/1')
    expect(systems[0]).toContain('faithful')
    await expect(calibrate('j', tools, [sample], { preset: 'faithfulness' })).rejects.toThrow(/sample s: .*context/)
    await expect(calibrate('j', tools, [sample], { preset: 'kindness' })).rejects.toThrow(/no judge preset "kindness"/)
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
