import { describe, expect, it } from 'vitest'
import { createScoring } from './scoring.ts'
import { scoreJob } from './scorers.ts'

const { scoreResponse } = createScoring({ scoreInWorker: scoreJob, random: () => 0 })

describe('latency', () => {
  const testCase = { prompt: '?', scoringMethod: 'latency', maxMs: 1000 }
  it('is 1 up to the limit and 0 above it', async () => {
    expect(await scoreResponse(testCase, { response: '', latencyMs: 1000 })).toMatchObject({ score: 1 })
    expect(await scoreResponse(testCase, { response: '', latencyMs: 1000.5 })).toMatchObject({ score: 0 })
  })
  it('is unscored if it is unknown', async () => {
    await expect(scoreResponse(testCase, 'x')).rejects.toMatchObject({ code: 'scoring-failed' })
  })
})

describe('cost', () => {
  const testCase = { prompt: '?', scoringMethod: 'cost', maxDollars: 0.002 }
  it('is 1 up to the limit and 0 above it', async () => {
    expect(await scoreResponse(testCase, { response: '', cost: 0.002 })).toMatchObject({ score: 1 })
    expect(await scoreResponse(testCase, { response: '', cost: 0.0021 })).toMatchObject({ score: 0 })
    expect(await scoreResponse(testCase, { response: '', cost: 0 })).toMatchObject({ score: 1 })
  })
  it('is unscored, not passed, if the price is unknown', async () => {
    await expect(scoreResponse(testCase, 'x')).rejects.toMatchObject({ code: 'scoring-failed' })
  })
})
