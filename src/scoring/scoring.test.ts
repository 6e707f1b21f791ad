import { describe, expect, it } from 'vitest'
import { ScoringError, type ScoreInWorker } from '../contract/index.ts'
import { createScoring, scoreJob } from './index.ts'

const sentElsewhere: string[] = []
const scoreInWorker: ScoreInWorker = (job) => {
  sentElsewhere.push(job.scoringMethod)
  return scoreJob(job)
}
const scoring = createScoring({ scoreInWorker, random: () => 0.5 })
const code = (expected: string) => expect.objectContaining({ name: 'ScoringError', code: expected })

describe('scoring a test case', () => {
  it('uses its method and options', async () => {
    const testCase = { prompt: '?', scoringMethod: 'numeric-tolerance', expectedOutput: '100', tolerance: 0.1 }
    expect((await scoring.scoreResponse(testCase, '109')).score).toBe(1)
    expect((await scoring.scoreResponse(testCase, { response: '106.25' })).score).toBe(1)
  })
  it('combines several checks by weighted mean and keeps each', async () => {
    const result = await scoring.scoreResponse(
      {
        prompt: '?',
        checks: [
          { scoringMethod: 'boolean', expectedOutput: 'yes', weight: 3 },
          { scoringMethod: 'regex-match', expectedOutput: '^no', weight: 1 },
        ],
      },
      'Yes!',
    )
    expect(result.score).toBe(0.75)
    expect(result.checks).toMatchObject([
      { scoringMethod: 'boolean', score: 1, weight: 3 },
      { scoringMethod: 'regex-match', score: 0, weight: 1 },
    ])
  })
  it('leaves a case with a missing or blank expected output unscored, and never passes it', async () => {
    for (const expectedOutput of [undefined, ' \n'])
      await expect(
        scoring.scoreResponse({ prompt: '?', scoringMethod: 'exact-match', expectedOutput }, 'x'),
      ).rejects.toEqual(code('invalid-expected-output'))
  })
  it('passes every response only for boolean without an expected output', async () => {
    expect((await scoring.scoreResponse({ prompt: '?', scoringMethod: 'boolean' }, '')).score).toBe(1)
  })
  it('leaves the whole case unscored if one check cannot be scored', async () => {
    const checks = [
      { scoringMethod: 'boolean', expectedOutput: 'x', weight: 1 },
      { scoringMethod: 'regex-match', expectedOutput: '(', weight: 1 },
    ]
    await expect(scoring.scoreResponse({ prompt: '?', checks }, 'x')).rejects.toEqual(code('invalid-regex'))
  })
  it('rejects an unknown method and lists the available ones', async () => {
    await expect(scoring.scoreResponse({ prompt: '?', scoringMethod: 'vibes' }, 'x')).rejects.toThrow(
      /no scoring method "vibes"; use one of exact-match/,
    )
  })
})

describe('the scoring functions', () => {
  it('send patterns and long texts elsewhere and do short work here', async () => {
    sentElsewhere.length = 0
    await scoring.scoreExactMatch('kitten', 'sitting')
    await scoring.scoreNumericTolerance('5', 5)
    await scoring.scoreBooleanMatch('yes', 'yes')
    await scoring.scoreJsonMatch('{}', '{}')
    await scoring.scoreMultipleChoice('A', 'A')
    expect(sentElsewhere).toEqual([])
    await scoring.scoreRegexMatch('a', 'a')
    await scoring.scoreJsonSchema('{}', {})
    await scoring.scoreExactMatch('a'.repeat(3000), 'b'.repeat(3000))
    await scoring.scoreBooleanMatch('a'.repeat(600_000), 'b')
    expect(sentElsewhere).toEqual(['regex-match', 'json-schema', 'exact-match', 'boolean'])
  })
  it('name a bad option in their error', async () => {
    await expect(scoring.scoreNumericTolerance('5', 5, -1)).rejects.toEqual(code('invalid-options'))
    await expect(scoring.scoreNumericTolerance('5', 5, -1)).rejects.toThrow(/tolerance/)
    expect(new ScoringError('invalid-options', 'x')).toBeInstanceOf(Error)
  })
})
