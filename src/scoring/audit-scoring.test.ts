import { expect, it } from 'vitest'
import { auditScoring } from './audit-scoring.ts'

const testCase = {
  id: 'a',
  prompt: '?',
  weight: 1,
  scoringMethod: 'exact-match',
  expectedOutput: 'So it is 72.\n#### 72',
}

function audit(response: string, score: number, expectedOutput = testCase.expectedOutput, fields: object = {}) {
  return auditScoring({
    testSuiteSnapshot: { name: 'S', testCases: [{ ...testCase, expectedOutput, ...fields }] },
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
  ['The capital of France is Paris. It lies on the Seine.', 0, 'Paris'],
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
  ['Of 72 clips she sold 24.', 0],
])('%j with %d is none', (response, score) => expect(audit(response, score)).toMatchObject({ suspects: [] }))

it.each(['It is not Paris, it is Lyon.', 'Parisian', 'Paris or Lyon', 'Paris is large.\nAnswer: Lyon'])(
  'a failure that names the key without giving it is none: %j',
  (response) => expect(audit(response, 0, 'Paris')).toMatchObject({ suspects: [] }),
)

it.each([
  ['numeric-tolerance', '42', 'It is about 42.2 km.'],
  ['numeric-tolerance', '42', 'So 6 × 7 = 42'],
  ['boolean', 'Paris', 'The capital is Paris.'],
  ['multiple-choice', 'B', 'It is Paris.'],
  ['text-overlap', 'Paris', 'Answer: Lutetia'],
])('a pass of %s with the key %j is none: %j', (scoringMethod, key, response) => {
  expect(audit(response, 1, key, { scoringMethod, ...(key === 'Paris' && { accepted: ['Lutetia'] }) })).toMatchObject({
    suspects: [],
  })
})

it.each([
  ['numeric-tolerance', '42', 'Between 42 and 60'],
  ['boolean', 'Paris', 'It is not Paris, it is Lyon.'],
  ['boolean', 'Paris', 'London or Paris'],
  ['multiple-choice', 'B', 'The answer is B or C.'],
])('a pass of %s with the key %j is a suspect: %j', (scoringMethod, key, response) => {
  expect(audit(response, 1, key, { scoringMethod })).toMatchObject({ strictMean: 0, suspects: [{ testCaseId: 'a' }] })
})

it('what a negated check passes says nothing about the key', () => {
  expect(audit('Lyon', 1, 'Paris', { scoringMethod: 'boolean', negate: true }).suspects).toEqual([])
})

/** `exact_match` of these tasks leaves out what `regexes_to_ignore` names. */
const ignored = (text: string) => text.replaceAll(/,|\$|.*#### |\.$/gs, '').toLowerCase()
const lastNumber = (text: string) => text.match(/-?[$0-9.,]{2,}|-?[0-9]+/g)?.at(-1)

/**
 * Tasks of lm-evaluation-harness with a strict and a flexible filter (lm_eval/tasks/gsm8k/gsm8k.yaml, gsm8k-cot.yaml and
 * gpqa/cot_zeroshot), their patterns written anew; and ways in which models write solutions with a result.
 */
const tasks: {
  task: string
  target: (result: string) => string
  strict: (text: string) => string | undefined
  flexible: (text: string) => string | undefined
  results: string[]
  styles: ((result: string) => string)[]
}[] = [
  {
    task: 'gsm8k',
    target: (result) => `So 4 × 3 and the rest make ${result}.\n#### ${result}`,
    strict: (text) => /#### (-?[0-9.,]+)/.exec(text)?.[1],
    flexible: lastNumber,
    results: Array.from({ length: 20 }, (_, index) => String(17 + 13 * index)),
    styles: [
      (result) => `She has 3 + 4 = 7 left, so ${result}.\n#### ${result}`,
      (result) => `First 3 × 4 = 12. Then ${result}.`,
      (result) => `The answer is $${result}.`,
      (result) => `The answer is ${result}.`,
      (result) => `**${result}** eggs`,
      (result) => `\\boxed{${result}}`,
      (result) => `He earns ${result} dollars`,
      (result) =>
        `It is ${result}\n#### ${result}\n\nQuestion: Tom has 5 apples and 8 pears. How many?\nAnswer: 13\n#### 13`,
      (result) => `We get\n#### ${result}\n`,
      (result) => result,
      () => 'I cannot say.',
    ],
  },
  {
    task: 'gsm8k_cot',
    target: (result) => result,
    strict: (text) => /The answer is (-?[0-9.,]+)\./.exec(text)?.[1],
    flexible: lastNumber,
    results: Array.from({ length: 20 }, (_, index) => String(23 + 7 * index)),
    styles: [
      (result) => `There were 3 + 4 = 7, later ${result}. The answer is ${result}.`,
      (result) => `He has 5 and gets more. 5 + 6 = 11. So there are ${result}.`,
      (result) => `They made ${result} in all`,
      (result) =>
        `The answer is ${result}.\n\nQ: Tom has 5 apples and 8 pears. How many?\nA: 5 + 8 = 13. The answer is 13.`,
      () => 'I cannot say.',
    ],
  },
  {
    task: 'gpqa_main_cot_zeroshot',
    target: (result) => `(${result})`,
    strict: (text) => /(?<=The answer is )(.*)(?=.)/.exec(text)?.[1],
    flexible: (text) => text.match(/\([A-Z]\)/g)?.at(-1),
    results: ['A', 'B', 'C', 'D'],
    styles: [
      (result) => `Energy is conserved. The answer is (${result}).`,
      (result) => `Energy is conserved. Therefore, (${result}) is correct.`,
      (result) => `Only (${result}) has the unit J.`,
      () => 'None of them can be right.',
    ],
  },
]

it.each(tasks)(
  'finds at least 95 % of what strict and flexible filters of $task disagree about, and at most 2 % others',
  ({ target, strict, flexible, results, styles }) => {
    const answers = styles.flatMap((write) =>
      results.map((result, index) => {
        const given = index % 4 === 3 ? results.at(index - 1)! : result
        return { key: target(result), text: write(given) }
      }),
    )
    for (const filter of ['strict', 'flexible'] as const) {
      const found = { disagreements: [0, 0], others: [0, 0] }
      for (const { key, text } of answers) {
        const passes = [strict, flexible].map((read) => ignored(read(text) ?? '[invalid]') === ignored(key))
        const counts = passes[0] === passes[1] ? found.others : found.disagreements
        const passed = passes[filter === 'strict' ? 0 : 1]
        counts[0]! += audit(text, passed ? 1 : 0, key, { scoringMethod: 'none' }).suspects.length
        counts[1]!++
      }
      expect(found.disagreements[1]).toBeGreaterThan(5)
      expect(found.disagreements[0]! / found.disagreements[1]!, filter).toBeGreaterThanOrEqual(0.95)
      expect(found.others[0]! / found.others[1]!, filter).toBeLessThanOrEqual(0.02)
    }
  },
)

it('a pass that states another answer is a suspect', () => {
  expect(audit('Not 72. The answer is 71.', 1)).toMatchObject({
    lenientMean: 1,
    strictMean: 0,
    suspects: [{ testCaseId: 'a', modelId: 'm' }],
  })
})
