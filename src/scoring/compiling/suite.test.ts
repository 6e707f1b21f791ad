import { describe, expect, it } from 'vitest'
import { checkSuite } from './suite.ts'

const testCase = { id: 'a', prompt: '?', scoringMethod: 'exact-match', expectedOutput: 'x' }
const check = (changes: object) => checkSuite({ name: 'S', testCases: [{ ...testCase, ...changes }] })
const problemOf = (changes: object) =>
  check(changes).problems.map(({ path, message }) => `${path.join('.')}: ${message}`)

describe('a suite', () => {
  it('gets its defaults', () => {
    expect(check({}).suite?.testCases[0]).toMatchObject({ id: 'a', weight: 1 })
  })
  it.each([
    [{ expectedOutput: undefined }, /testCases.0.expectedOutput: exact-match needs an expected output/],
    [{ expectedOutput: '  ' }, /testCases.0.expectedOutput: exact-match needs an expected output/],
    [{ weight: 0 }, /testCases.0.weight: must be greater than 0/],
    [{ weight: -1 }, /testCases.0.weight/],
    [{ weight: Number.NaN }, /testCases.0.weight/],
    [{ weight: Infinity }, /testCases.0.weight/],
    [{ weight: '2' }, /testCases.0.weight/],
    [{ scoringMethod: 'vibes' }, /testCases.0.scoringMethod: there is no scoring method "vibes"/],
    [{ scoringMethod: undefined }, /give a scoringMethod/],
    [
      { scoringMethod: 'regex-match', expectedOutput: '(a' },
      /testCases.0.expectedOutput: bad pattern .* near character 2/,
    ],
    [{ scoringMethod: 'numeric-tolerance', expectedOutput: '1 or 2' }, /exactly one number/],
    [{ scoringMethod: 'numeric-tolerance', expectedOutput: '1', tolerance: -1 }, /testCases.0.tolerance/],
    [{ checks: [{ scoringMethod: 'boolean' }] }, /either scoringMethod or checks/],
    [{ scoringMethod: undefined, checks: [{ scoringMethod: 'exact-match' }] }, /testCases.0.checks.0.expectedOutput/],
    [{ prompt: undefined }, /either a prompt or messages/],
    [{ id: '' }, /testCases.0.id/],
    [{ id: undefined }, /testCases.0.id: is missing \(text\)/],
    [{ weight: 'lots' }, /testCases.0.weight: must be a number, not text/],
    [{ metadata: { tags: 5 } }, /testCases.0.metadata.tags: must be a list, not a number/],
    [
      { checks: [{ expectedOutput: 'x' }], scoringMethod: undefined },
      /testCases.0.checks.0.scoringMethod: is missing \(text\)/,
    ],
  ])('with %j is rejected', (changes, message) => {
    expect(check(changes).suite).toBeUndefined()
    expect(problemOf(changes).join('\n')).toMatch(message)
  })
  it('is checked for missing fields', () => {
    const messages = (raw: unknown) =>
      checkSuite(raw).problems.map(({ path, message }) => `${path.join('.')}: ${message}`)
    expect(messages({})).toEqual(['name: is missing (text)', 'testCases: is missing (list)'])
    expect(messages({ name: 'S', testCases: [{}] })).toEqual(['testCases.0.id: is missing (text)'])
  })
  it('is rejected if the weights of cases or checks add up to infinity', () => {
    const { problems } = checkSuite({
      name: 'S',
      testCases: [
        { ...testCase, weight: 1e308 },
        { ...testCase, id: 'b', weight: 1e308 },
      ],
    })
    expect(problems).toEqual([
      { path: ['testCases', 1, 'weight'], message: expect.stringContaining('add up to more than a number can hold') },
    ])
    expect(
      problemOf({
        scoringMethod: undefined,
        expectedOutput: undefined,
        checks: [
          { scoringMethod: 'boolean', weight: 1e308 },
          { scoringMethod: 'boolean', weight: 1e308 },
        ],
      }),
    ).toEqual([expect.stringMatching(/testCases\.0\.checks\.1\.weight: .*add up/)])
  })
  it('gets all its problems reported at once', () => {
    const { problems } = checkSuite({
      name: 'S',
      testCases: [
        { ...testCase, expectedOutput: '' },
        { ...testCase, scoringMethod: 'x' },
      ],
    })
    expect(problems).toHaveLength(3)
    expect(problems.at(-1)?.message).toBe('id "a" is used twice')
  })
  it.each([undefined, null, 5, [], {}, { name: 'S' }, { name: 'S', testCases: [] }])('%j is not a suite', (raw) => {
    expect(checkSuite(raw).problems.length).toBeGreaterThan(0)
  })
  it('that lacks what a misspelt field was to give names that field', () => {
    const { problems } = checkSuite({ name: 'S', testCases: [{ id: 'a', promt: 'x', scoringMethod: 'llm-judge' }] })
    expect(problems).toEqual([{ path: ['testCases', 0, 'promt'], message: 'no such field; did you mean prompt?' }])
  })
  it('may have unknown fields, with a warning', () => {
    const { suite, warnings } = check({ tolerence: 0.1 })
    expect(suite).toBeDefined()
    expect(warnings).toEqual([{ path: ['testCases', 0, 'tolerence'], message: 'unknown field, ignored' }])
  })
  it('gets a warning for unknown fields at every level, but not in the schemas of tools', () => {
    const message = { role: 'user', content: [{ type: 'text', text: 'hi', foo: 1 }], foo: 1 }
    const tool = {
      type: 'function',
      function: { name: 'go', parameters: { type: 'object', anything: 1 }, foo: 1 },
      foo: 1,
    }
    const { suite, warnings } = checkSuite({
      name: 'S',
      variants: [{ name: 'v', foo: 1, messages: [message] }],
      testCases: [
        {
          id: 'a',
          messages: [message],
          scoringMethod: 'tool-calls',
          tools: [tool],
          expectedCalls: [{ name: 'go', arguments: { any: 1 }, foo: 1 }],
        },
      ],
    })
    expect(suite).toBeDefined()
    expect(warnings.map(({ path }) => path.join('.'))).toEqual([
      'variants.0.foo',
      'variants.0.messages.0.foo',
      'variants.0.messages.0.content.0.foo',
      'testCases.0.messages.0.foo',
      'testCases.0.messages.0.content.0.foo',
      'testCases.0.tools.0.foo',
      'testCases.0.tools.0.function.foo',
      'testCases.0.expectedCalls.0.foo',
    ])
  })
  it('is refused with a variant that has an unknown parameter', () => {
    const variants = [{ name: 'v', parameters: { temprature: 0, max_tokens: 5, topP: 1 } }]
    const { suite, problems } = checkSuite({ name: 'S', variants, testCases: [testCase] })
    expect(suite).toBeUndefined()
    expect(problems).toEqual(
      ['temprature', 'max_tokens'].map((name) => ({
        path: ['variants', 0, 'parameters', name],
        message: expect.stringMatching(/^there is no such parameter; there are temperature, topP/),
      })),
    )
  })
  it('gets a warning for variables that are never filled in', () => {
    const { warnings } = checkSuite({
      name: 'S',
      systemPrompt: 'You are a {{ role }}.',
      judgeSystemPrompt: 'Be {{mood}}.',
      variants: [{ name: 'v' }, { name: 'w', systemPrompt: '{{role}}' }],
      testCases: [{ ...testCase, vars: { role: 'cook' } }],
    })
    expect(warnings.map(({ path, message }) => `${path.join('.')}: ${message}`)).toEqual([
      expect.stringMatching(
        /^systemPrompt: \{\{ role \}\} is sent unchanged: vars are filled in prompts and expected outputs of test cases, not/,
      ),
      expect.stringMatching(/^judgeSystemPrompt: \{\{mood\}\}/),
      expect.stringMatching(/^variants\.1\.systemPrompt: \{\{role\}\}/),
    ])
    expect(
      checkSuite({ name: 'S', systemPrompt: 'Write style={{ width: 5 }}.', testCases: [testCase] }).warnings,
    ).toEqual([])
  })
  it('gets a warning for an option of another method', () => {
    expect(check({ tolerance: 0.1 }).warnings).toHaveLength(1)
    expect(check({ scoringMethod: 'numeric-tolerance', expectedOutput: 5, tolerance: 0.1 }).warnings).toEqual([])
  })
  it('may have numbers, booleans and JSON as expected output', () => {
    expect(check({ expectedOutput: 42 }).suite?.testCases[0]?.expectedOutput).toBe('42')
    expect(check({ scoringMethod: 'json-match', expectedOutput: { a: [1] } }).suite?.testCases[0]?.expectedOutput).toBe(
      '{"a":[1]}',
    )
  })
})
