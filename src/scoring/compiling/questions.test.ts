import { describe, expect, it } from 'vitest'
import { testCaseSchema, type TestCase } from '../../contract/index.ts'
import { writeQuestions, findVariant, questionOf } from './questions.ts'
import { checkSuite } from './suite.ts'

const make = (fields: Partial<TestCase>) =>
  testCaseSchema.parse({ id: 'a', scoringMethod: 'exact-match', expectedOutput: 'x', ...fields })

describe('the question of a case', () => {
  it('is its own, unless the variant has one; variables are filled once', () => {
    const testCase = make({ prompt: 'Add 1 and 2', vars: { tone: 'kind', trap: '{{tone}}' } })
    expect(questionOf(testCase)).toEqual({ prompt: 'Add 1 and 2' })
    expect(questionOf(testCase, {})).toEqual({ prompt: 'Add 1 and 2' })
    expect(questionOf(testCase, { prompt: 'Be {{tone}}. {{ prompt }} {{trap}} \\{{tone}}' })).toEqual({
      prompt: 'Be kind. Add 1 and 2 {{tone}} {{tone}}',
    })
    const messages = [
      { role: 'system' as const, content: '{{tone}}' },
      { role: 'user' as const, content: [{ type: 'image' as const, image: '{{trap}}' }] },
    ]
    expect(questionOf(testCase, { messages })).toEqual({
      messages: [
        { role: 'system', content: 'kind' },
        { role: 'user', content: [{ type: 'image', image: '{{tone}}' }] },
      ],
    })
  })
  it('is shown once for all contestants and once for each variant with its own', () => {
    const testCase = make({ prompt: 'P', vars: { a: 1 } })
    const named = { name: 'n', prompt: 'Q {{a}}' }
    expect(writeQuestions(testCase)).toBe('P')
    expect(writeQuestions(testCase, [{ name: 'plain' }])).toBe('P')
    expect(writeQuestions(testCase, [{ name: 'plain' }, named])).toBe('P\n\n@n: Q 1')
    expect(writeQuestions(testCase, [named])).toBe('@n: Q 1')
    expect(writeQuestions(make({ vars: { a: 1 } }))).toBeUndefined()
  })
  it('belongs to the variant with the longest matching name', () => {
    const variants = [{ name: 'b' }, { name: 'a@b' }]
    expect(findVariant(variants, 'm@a@b')).toBe(variants[1])
    expect(findVariant(variants, 'm@b')).toBe(variants[0])
    expect(findVariant(variants, 'm')).toBeUndefined()
  })
})

describe('a suite whose variants have the prompts', () => {
  const testCases = [
    { id: 'a', vars: { x: 1 }, scoringMethod: 'boolean' },
    { id: 'b', vars: { x: 2, y: 3 }, scoringMethod: 'boolean' },
  ]
  const problemsOf = (variants: unknown) =>
    checkSuite({ name: 'S', variants, testCases }).problems.map(({ path, message }) => `${path.join('.')}: ${message}`)

  it('needs no prompt in its cases', () => {
    expect(problemsOf([{ name: 'p', prompt: '{{x}}' }])).toEqual([])
  })
  it.each([
    [
      [{ name: 'p', prompt: '{{x}}' }, { name: 'plain' }],
      ['testCases.0: give either a prompt or messages', 'testCases.1: give either a prompt or messages'],
    ],
    [
      [{ name: 'p', prompt: '{{y}} {{z}}' }],
      [
        'variants.0.prompt: {{y}} has no value in test case "a": add it to vars. To mean the braces themselves write \\{{y}}',
        'variants.0.prompt: {{z}} has no value in test case "a" and 1 more: add it to vars. To mean the braces themselves write \\{{z}}',
      ],
    ],
    [
      [{ name: 'p', prompt: 'a', messages: [{ role: 'user', content: 'b' }] }],
      ['variants.0: give either a prompt or messages, not both'],
    ],
    [
      [
        { name: 'p', prompt: 'a' },
        { name: 'p', prompt: 'b' },
      ],
      ['variants.1.name: name "p" is used twice'],
    ],
  ])('%# is refused with the place of the problem', (variants, problems) => {
    expect(problemsOf(variants)).toEqual(problems)
  })
})
