import { z } from 'zod'
import { describe, expect, it } from 'vitest'
import { strictOptionsOf } from '../contract/index.ts'
import { createScoring, scoreJob, scorers } from './index.ts'

const { scoreResponse } = createScoring({ scoreInWorker: scoreJob, random: () => 0.5 })

describe('the options for a question with one right answer', () => {
  it.each(scorers.map((scorer) => [scorer.name, scorer] as const))('of %s are options of it', (name, { options }) => {
    const strict = strictOptionsOf(name)
    expect(z.object(options.shape).partial().safeParse(strict)).toMatchObject({ success: true, data: strict })
  })

  it.each([
    ['exact-match', 'Paris', 'It is not Paris, it is Lyon', 0.6648],
    ['numeric-tolerance', '42', 'It is not 42, it is 85', 1],
    ['json-match', '{"a": 1, "b": 2}', '{"a": 1, "b": 3}', 0.5],
  ])('of %s give nothing to an answer that %s rejects', async (scoringMethod, expectedOutput, answer, lenient) => {
    const testCase = { scoringMethod, expectedOutput }
    expect((await scoreResponse(testCase, answer)).score).toBeCloseTo(lenient, 4)
    expect((await scoreResponse({ ...testCase, ...strictOptionsOf(scoringMethod) }, answer)).score).toBe(0)
    expect((await scoreResponse({ ...testCase, ...strictOptionsOf(scoringMethod) }, expectedOutput)).score).toBe(1)
  })

  it('are none for a method that has no such options, or no known name', () => {
    expect([strictOptionsOf('boolean'), strictOptionsOf('toString'), strictOptionsOf(undefined)]).toEqual([{}, {}, {}])
  })
})
