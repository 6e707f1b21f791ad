import { describe, expect, it } from 'vitest'
import { calibrationSampleSchema } from '../../../contract/index.ts'
import { findPresetProblem } from '../../llm-judge.ts'
import { judgePresets } from '../judge-presets.ts'
import { calibrationSets, findCalibrationSet } from './calibration-sets.ts'

/** The lower bounds of the six bands of the rubric: 0–1, 2–3, 4–5, 6–7, 8–9 and 10. */
const BANDS = [0, 0.15, 0.35, 0.55, 0.75, 0.95]
const bandOf = (score: number) => BANDS.findLastIndex((bound) => score >= bound)

const domains = ['facts', 'reasoning', 'code', 'summaries', 'safety', 'style']

describe.each(calibrationSets.map((set) => [set.name, set] as const))('the samples of %s', (name, set) => {
  it('have a version, and each the shape of a user’s sample, a reason and its own id', () => {
    expect(set.version).toMatch(new RegExp(`^${name}/\\d+$`))
    for (const sample of set.samples) {
      expect(calibrationSampleSchema.safeParse(sample), sample.id).toMatchObject({ success: true })
      expect(sample.reason.length, sample.id).toBeGreaterThan(12)
      expect(sample.id.startsWith(`${name}-`)).toBe(true)
      expect(sample.tolerance).toBeLessThanOrEqual(0.2)
    }
    expect(new Set(set.samples.map(({ id }) => id)).size).toBe(set.samples.length)
    const texts = set.samples.map(({ prompt, response, context }) => JSON.stringify([prompt, response, context]))
    expect(new Set(texts).size).toBe(set.samples.length)
  })

  it('are spread over all six bands of the rubric, with traps', () => {
    const isDomain = domains.includes(name)
    const counts = BANDS.map(
      (_, band) => set.samples.filter(({ expectedScore }) => bandOf(expectedScore) === band).length,
    )
    expect(Math.min(...counts), String(counts)).toBeGreaterThanOrEqual(isDomain ? 3 : 1)
    const traps = new Set(set.samples.flatMap(({ trap }) => trap ?? []))
    expect(traps.size).toBeGreaterThanOrEqual(isDomain ? 3 : 2)
  })
})

it('are at least 24 in each domain, and twelve for a preset that has no domain', () => {
  expect(calibrationSets.slice(0, 6).map(({ name }) => name)).toEqual(domains)
  for (const { name, samples } of calibrationSets)
    expect(samples.length, name).toBeGreaterThanOrEqual(domains.includes(name) ? 24 : 12)
})

it('reward no length: long responses are spread over the scale like short ones', () => {
  for (const name of domains) {
    const samples = findCalibrationSet(name)!.samples
    const byLength = samples.toSorted((a, b) => a.response.length - b.response.length)
    const meanOf = (part: typeof samples) => part.reduce((sum, one) => sum + one.expectedScore, 0) / part.length
    const half = Math.floor(byLength.length / 2)
    expect(meanOf(byLength.slice(half)) - meanOf(byLength.slice(0, half)), name).toBeLessThan(0.35)
  }
})

describe('judge presets', () => {
  it('have a version, criteria, cited sources and a set of samples', () => {
    expect(judgePresets.map(({ name }) => name)).toEqual([
      'factuality',
      'faithfulness',
      'relevance',
      'completeness',
      'summary',
      'style',
      'safety',
    ])
    for (const { name, version, criteria, sources, calibrationSet } of judgePresets) {
      expect(version).toMatch(new RegExp(`^${name}/\\d+$`))
      expect(criteria.length).toBeGreaterThan(200)
      expect(findCalibrationSet(calibrationSet), name).toBeDefined()
      expect(sources.length).toBeGreaterThan(0)
      for (const { address } of sources) expect(address).toMatch(/^https:\/\/arxiv\.org\/abs\/\d{4}\.\d{5}$/)
    }
  })

  it('can grade every sample of their set: faithfulness has a context in each', () => {
    for (const { name, calibrationSet } of judgePresets)
      for (const { context } of findCalibrationSet(calibrationSet)!.samples)
        expect(findPresetProblem({ preset: name, context }), name).toBeUndefined()
  })
})
