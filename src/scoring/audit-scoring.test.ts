import { expect, it } from 'vitest'
import { auditScoring } from './audit-scoring.ts'

const testCase = {
  id: 'a',
  prompt: '?',
  weight: 1,
  scoringMethod: 'exact-match',
  expectedOutput: 'So it is 72.\n#### 72',
}

function audit(response: string, score: number, expectedOutput = testCase.expectedOutput) {
  return auditScoring({
    testSuiteSnapshot: { name: 'S', testCases: [{ ...testCase, expectedOutput }] },
    results: [
      { testCaseId: 'a', modelId: 'm', status: 'scored', outcome: 'stop', attempts: 1, response, score: { score } },
    ],
  } as never)
}

it.each([
  ['She sold 48 + 24 = 72 clips.', 0, '72'],
  ['The answer is $72.00', 0, '72'],
  ['**B**', 0, 'B'],
  ['It is **Paris**.\nAnswer: Paris', 0, 'Paris'],
])('a failure that contains the key is a suspect: %j', (response, score, key) => {
  expect(audit(response, score, key)).toMatchObject({
    lenientMean: 1,
    strictMean: 0,
    suspects: [{ reason: expect.stringContaining('contains') }],
  })
})
it.each([
  ['She sold 71 clips.', 0],
  ['#### 72', 1],
  ['72', 1],
  ['Of 72 clips she sold 24.', 0],
])('%j with %d is none', (response, score) => expect(audit(response, score)).toMatchObject({ suspects: [] }))

it('a pass that states another answer is a suspect', () => {
  expect(audit('Not 72. The answer is 71.', 1)).toMatchObject({
    lenientMean: 1,
    strictMean: 0,
    suspects: [{ testCaseId: 'a', modelId: 'm' }],
  })
})
