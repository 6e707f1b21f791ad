import { describe, expect, it } from 'vitest'
import { suiteSchema, testCaseSchema, type PlaygroundEdit, type RunResult } from '../../contract/index.ts'
import { fillText } from '../../scoring/text/fill-text.ts'
import { editRequest, editSuite, originSuiteId } from './edit-suite.ts'
import { findEditableCase, type FillCase, type WrittenCase } from './editable-case.ts'

/** Fills the prompt and the expected output, as importing does. */
const fillCase: FillCase = (written) => {
  const problems: string[] = []
  const values = Object(written['vars'])
  const filled = Object.fromEntries(
    Object.entries(written).map(([name, value]) => {
      if ((name !== 'prompt' && name !== 'expectedOutput') || typeof value !== 'string') return [name, value]
      const { text, unknown } = fillText(value, values)
      problems.push(...unknown.map((variable) => `{{${variable}}} in ${name}`))
      return [name, text]
    }),
  )
  return { testCase: testCaseSchema.parse(filled), problems }
}

const written: WrittenCase = {
  id: 'sum',
  prompt: 'What is {{a}} + 1? Keep \\{{this}}.',
  expectedOutput: '{{a}}1',
  vars: { a: 2 },
  scoringMethod: 'exact-match',
}
const suite = suiteSchema.parse({
  name: 'Sums',
  systemPrompt: 'Be brief.',
  variants: [
    { name: 'plain' },
    { name: 'loud', prompt: 'SHOUT: {{prompt}} {{a}}', systemPrompt: 'Be loud.', parameters: { temperature: 0 } },
  ],
  testCases: [
    fillCase(written).testCase,
    { id: 'other', prompt: 'Other?', vars: { a: 'x' }, scoringMethod: 'boolean' },
  ],
})
const run: RunResult = {
  id: 'run',
  models: ['m@plain', 'm@loud'],
  testSuiteSnapshot: suite,
  results: [],
  request: {
    suiteId: 'suite-1',
    suiteVersion: 3,
    models: ['m'],
    parameters: { maxTokens: 50 },
    judgeModelIds: ['judge'],
    combineJudges: 'median',
    repeat: 5,
    concurrency: 7,
    maxTimeSeconds: 60,
    maxCost: 1,
    cache: true,
    filter: ['sum', 'other'],
    limit: 2,
    until: 'decided',
    orderSeed: 'seed',
    batch: true,
  },
}
const editable = (modelId: string, writtenCase: WrittenCase | undefined = written) =>
  findEditableCase(run, { testCaseId: 'sum', modelId }, { writtenCase, fillCase })
const edit = (modelId: string, changes: PlaygroundEdit, cases?: string[], writtenCase?: WrittenCase) =>
  editSuite(editable(modelId, writtenCase), { edit: changes, ...(cases && { cases }) }, fillCase)
const promptsOf = ({ suite: { testCases } }: ReturnType<typeof edit>) => testCases.map(({ prompt }) => prompt)

describe('what can be edited', () => {
  it('is the written template, if it is what the run asked', () => {
    expect(editable('m@plain').question).toEqual({ prompt: written['prompt'] })
    const since = editable('m@plain', { ...written, prompt: 'Something else {{a}}' })
    // The text that was sent, with its braces escaped.
    expect([since.written, since.question]).toEqual([undefined, { prompt: 'What is 2 + 1? Keep \\{{this}}.' }])
  })
  it('is the template of the variant, if that has one', () => {
    expect(editable('m@loud').question).toEqual({ prompt: 'SHOUT: {{prompt}} {{a}}' })
  })
  it('is nothing for a run without a suite, an unknown case or an unknown model', () => {
    const { testSuiteSnapshot: _suite, ...bare } = run
    expect(() => findEditableCase(bare, { testCaseId: 'sum', modelId: 'm@plain' }, { fillCase })).toThrow(
      'without its suite',
    )
    expect(() => findEditableCase(run, { testCaseId: 'gone', modelId: 'm@plain' }, { fillCase })).toThrow(
      'no case "gone"',
    )
    expect(() => findEditableCase(run, { testCaseId: 'sum', modelId: 'm' }, { fillCase })).toThrow(
      'what it sent to "m"',
    )
  })
})

describe('an edited suite', () => {
  it('asks exactly the same if nothing is edited, without variants', () => {
    const plain = edit('m@plain', {})
    expect(plain.problems).toEqual([])
    expect(plain.suite).toMatchObject({ name: 'Playground: Sums', systemPrompt: 'Be brief.' })
    expect(plain.suite.variants).toBeUndefined()
    expect(promptsOf(plain)).toEqual(['What is 2 + 1? Keep {{this}}.', 'Other?'])
    expect(promptsOf(edit('m@loud', {}))).toEqual(['SHOUT: What is 2 + 1? Keep {{this}}. 2', 'SHOUT: Other? x'])
    expect(edit('m@loud', {}).suite.systemPrompt).toBe('Be loud.')
  })
  it('changes the prompt and the variables in one case, and what is expected of it', () => {
    const { suite: changed } = edit('m@plain', { prompt: 'Add {{a}}, \\{{b}}', vars: [{ name: 'a', value: '{{b}}' }] })
    // A value is not filled again.
    expect(changed.testCases[0]).toMatchObject({
      prompt: 'Add {{b}}, {{b}}',
      expectedOutput: '{{b}}1',
      vars: { a: '{{b}}' },
    })
    expect(changed.testCases[1]).toEqual(suite.testCases[1])
  })
  it('takes {{prompt}} as the case’s own prompt, and __proto__ as a variable like any other', () => {
    const vars = [
      { name: 'a', value: 1 },
      { name: '__proto__', value: 'polluted' },
    ]
    const { suite: changed, problems } = edit('m@plain', { prompt: '{{prompt}} {{__proto__}}', vars })
    expect([changed.testCases[0]!.prompt, problems]).toEqual(['What is 2 + 1? Keep {{this}}. polluted', []])
    expect(Object.hasOwn({}, 'polluted')).toBe(false)
    expect(changed.testCases[0]!.scoringMethod).toBe('exact-match')
  })
  it('changes or removes the system prompt of all', () => {
    expect(edit('m@loud', { systemPrompt: 'New.' }).suite.systemPrompt).toBe('New.')
    expect('systemPrompt' in edit('m@plain', { systemPrompt: null }).suite).toBe(false)
  })
  it('lists variables without a value, but not for a case that is not run', () => {
    expect(edit('m@plain', { prompt: '{{x}} {{y}}' }).problems).toEqual([
      expect.stringContaining('{{x}} has no value'),
      expect.stringContaining('{{y}} has no value'),
    ])
    expect(edit('m@plain', { vars: [] }).problems).toEqual([
      expect.stringContaining('{{a}} has no value'),
      '{{a}} in expectedOutput',
    ])
    const other = edit('m@plain', { prompt: '{{x}}' }, ['other'])
    expect([promptsOf(other), other.problems]).toEqual([['Other?'], []])
    expect(edit('m@plain', {}, ['gone', 'sum']).problems).toEqual(['the run has no case gone'])
  })
  it('keeps the images of a conversation', () => {
    const messages = [
      {
        role: 'user' as const,
        content: [
          { type: 'text' as const, text: 'See {{a}}' },
          { type: 'image' as const, image: 'data:,x' },
        ],
      },
    ]
    expect(edit('m@plain', { messages }).suite.testCases[0]).toMatchObject({
      messages: [{ content: [{ text: 'See 2' }, { image: 'data:,x' }] }],
    })
    expect('prompt' in edit('m@plain', { messages }).suite.testCases[0]!).toBe(false)
  })
})

describe('its request', () => {
  it('is the run’s, for one model, once, uncached, with the contestant’s parameters and without its budget', () => {
    const request = editRequest(run, editable('m@loud'), { edit: { parameters: { topP: 0.5 } } })
    expect(request).toEqual({
      suiteId: 'playground:suite-1',
      suiteVersion: 3,
      models: ['m'],
      parameters: {
        temperature: 0,
        topP: 0.5,
        maxTokens: 50,
        frequencyPenalty: 0,
        presencePenalty: 0,
        benchmarkMode: false,
      },
      judgeModelIds: ['judge'],
      combineJudges: 'median',
      repeat: 1,
      concurrency: 7,
      maxTimeSeconds: 60,
      cache: false,
    })
    expect(
      editRequest(run, editable('m@loud'), { edit: { modelId: 'n' }, judgeModelIds: [], maxCost: 2 }),
    ).toMatchObject({
      models: ['n'],
      judgeModelIds: [],
      maxCost: 2,
    })
  })
  it('of an imported run names the model and no endpoint', () => {
    const { request: _request, ...imported } = { ...run, testSuiteName: 'Sums' }
    const answer = findEditableCase(imported, { testCaseId: 'sum', modelId: 'm@loud' }, { fillCase })
    const request = editRequest(imported, answer, { edit: {} })
    expect([request.suiteId, request.models, request.endpoint]).toEqual(['playground:Sums', ['m'], undefined])
  })
  it('of a change of a change still names the first suite', () => {
    const second = { ...run, kind: 'playground' as const, request: { ...run.request!, suiteId: 'playground:suite-1' } }
    expect(originSuiteId(second)).toBe('suite-1')
    expect(editRequest(second, editable('m@plain'), { edit: {} }).suiteId).toBe('playground:suite-1')
    // A suite may have such a name of its own.
    expect(originSuiteId({ ...second, kind: 'suite' })).toBe('playground:suite-1')
  })
})
