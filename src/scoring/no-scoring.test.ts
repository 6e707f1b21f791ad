import { describe, expect, it } from 'vitest'
import { createScoring } from './scoring.ts'
import { scoreJob } from './scorers.ts'
import { checkSuite } from './compiling/suite.ts'

const scoring = createScoring({ scoreInWorker: scoreJob, random: () => 0 })

describe('scoringMethod none', () => {
  it('never gives a score', async () => {
    await expect(scoring.scoreResponse({ prompt: '?', scoringMethod: 'none' }, 'x')).rejects.toMatchObject({
      name: 'ScoringError',
      code: 'no-scoring',
    })
  })
  it('is not one of several checks: their mean would be missing', () => {
    const checks = [{ scoringMethod: 'none' }, { scoringMethod: 'boolean', expectedOutput: 'x' }]
    const { problems } = checkSuite({ name: 'S', testCases: [{ id: 'a', prompt: '?', checks }] })
    expect(problems).toEqual([
      { path: ['testCases', 0], message: 'none cannot be one of several checks; leave it out' },
    ])
  })
})
