import { describe, expect, it } from 'vitest'
import { parseAnswers } from './answers-file.ts'
import { parseSuite } from '../suite-files/read-yaml.ts'

const { suite } = parseSuite(
  "name: S\ntestCases:\n  - { id: a, prompt: '?', scoringMethod: exact-match, expectedOutput: x }\n  - { id: b, prompt: '?', scoringMethod: boolean }",
  'suite.yaml',
)
const parse = (value: unknown) =>
  parseAnswers(typeof value === 'string' ? value : JSON.stringify(value), 'answers.json', suite)
const answer = { testCaseId: 'a', modelId: 'm', response: 'x' }

describe('an answers file', () => {
  it('becomes runs with their models and the suite they were made with', () => {
    expect(
      parse({ note: 'ignored', runs: [{ id: 'r', results: [answer, { ...answer, modelId: 'n', cost: 0.1 }] }] }),
    ).toEqual([
      {
        id: 'r',
        testSuiteName: 'S',
        testSuiteSnapshot: suite,
        models: ['m', 'n'],
        results: [answer, { ...answer, modelId: 'n', cost: 0.1 }],
      },
    ])
  })
  it.each<[unknown, RegExp]>([
    ['', /answers\.json: is empty/],
    ['{"runs": [', /answers\.json: is not JSON: .*/],
    [{}, /runs: /],
    [{ runs: [] }, /runs: has no runs/],
    [{ runs: [{ id: 'r', results: [] }] }, /runs\.0\.results: has no answers/],
    [{ runs: [{ id: 'r', results: [{ ...answer, response: 5 }] }] }, /runs\.0\.results\.0\.response/],
    [
      { runs: [{ id: 'r', results: [{ ...answer, testCaseId: 'z' }] }] },
      /test case "z", which the suite does not have/,
    ],
    [{ runs: [{ id: 'r', results: [answer, answer] }] }, /run r: m answers test case "a" twice/],
    [
      {
        runs: [
          { id: 'r', results: [answer] },
          { id: 'r', results: [answer] },
        ],
      },
      /two runs have the id "r"/,
    ],
  ])('%j is refused', (value, message) => expect(() => parse(value)).toThrow(message))
})
