import { expect, it } from 'vitest'
import { defaultConcurrency, type Client } from '../../contract/index.ts'
import { systemClock } from '../requesting/clock.ts'
import { calibrateJudge } from './calibration.ts'

it('a calibration has at most as many requests in progress as a run, and grades every sample', async () => {
  let inProgress = 0
  let maxInProgress = 0
  const client: Client = {
    provider: 'counting',
    async complete() {
      maxInProgress = Math.max(maxInProgress, ++inProgress)
      await new Promise((resolve) => setImmediate(resolve))
      inProgress--
      return { outcome: 'ok', response: '{"score": 7, "reasoning": "fine"}', latencyMs: 1 }
    },
    listModels: async () => [],
    close: async () => {},
  }
  const samples = Array.from({ length: 40 }, (_, index) => ({
    id: `sample ${index}`,
    prompt: 'Why?',
    response: 'Because.',
    expectedScore: 0.7,
    tolerance: 0.1,
  }))
  const { summary } = await calibrateJudge(
    'judge',
    { clientFor: () => client, samples },
    { clock: systemClock, random: Math.random },
  )
  expect(maxInProgress).toBe(defaultConcurrency)
  expect(summary).toMatchObject({ totalSamples: 40, passedSamples: 40 })
})
