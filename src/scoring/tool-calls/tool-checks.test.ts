import { describe, expect, it } from 'vitest'
import { createScoring } from '../scoring.ts'
import { scoreJob } from '../scorers.ts'

const { scoreResponse } = createScoring({ scoreInWorker: scoreJob, random: () => 0 })
const call = (name: string, given: unknown = {}) => ({ name, arguments: given })

describe('tool-names', () => {
  const score = async (names: string[]) =>
    (
      await scoreResponse(
        { prompt: '?', scoringMethod: 'tool-names', expectedTools: ['a', 'b'] },
        { response: '', toolCalls: names.map((name) => call(name)) },
      )
    ).score

  it.each<[string[], number]>([
    [['a', 'b'], 1],
    [['b', 'a', 'a'], 1],
    [['a'], 2 / 3],
    [['a', 'c'], 0.5],
    [['c'], 0],
    [[], 0],
  ])('%j has the F1 score %d (2 · both / (expected + called))', async (names, expected) => {
    expect(await score(names)).toBeCloseTo(expected, 12)
  })
})

describe('valid-tool-calls', () => {
  const tools = [
    {
      type: 'function',
      function: {
        name: 'weather',
        parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      },
    },
    { type: 'function', function: { name: 'now' } },
  ]
  it.each<[string, ReturnType<typeof call>[], number, RegExp]>([
    ['arguments as an object', [call('weather', { city: 'Oslo' })], 1, /fits/],
    ['arguments as text', [call('weather', '{"city": "Oslo"}'), call('now', '')], 1, /fits/],
    ['a missing argument', [call('weather', {})], 0, /must have required property 'city'/],
    ['a wrong type', [call('weather', { city: 5 })], 0, /\/city must be string/],
    ['text that is not JSON', [call('weather', '{')], 0, /are not JSON/],
    ['an unknown tool', [call('now'), call('rain')], 0, /rain is not one of the tools/],
    ['no call', [], 0, /no tool was called/],
  ])('%s', async (_, toolCalls, score, notes) => {
    const testCase = { prompt: '?', scoringMethod: 'valid-tool-calls', tools }
    expect(await scoreResponse(testCase, { response: '', toolCalls })).toEqual({
      score,
      notes: expect.stringMatching(notes),
    })
  })
})
