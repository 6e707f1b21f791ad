import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { finishSuite } from './finish-suite.ts'
import { escapeVariables, fillText } from '../../scoring/text/fill-text.ts'
import { fillVariables } from './variables.ts'

const fill = (text: string, values: Record<string, unknown> = {}) => fillText(text, values).text

describe('variables are filled once and without logic (SPEC 4)', () => {
  it('a value takes the place of its name, with or without blanks', () => {
    expect(fill('{{a}} {{ a }} {{\ta\n}}', { a: 'x' })).toBe('x x x')
    expect(fill('{{größe}} {{a.b-c_1}}', { größe: 3, 'a.b-c_1': true })).toBe('3 true')
  })
  it('a value with braces is not filled again', () => {
    expect(fill('{{a}}', { a: '{{b}} \\{{b}}', b: 'no' })).toBe('{{b}} \\{{b}}')
  })
  it('a backslash keeps the braces; two are one backslash and the value', () => {
    expect(fill(String.raw`\{{a}} \\{{a}} \\\{{a}}`, { a: 'x' })).toBe(String.raw`{{a}} \x \{{a}}`)
  })
  it.each([
    'style={{ width: 5 }}',
    '{{ a | upper }}',
    '{{}}',
    '{{ 1 }}',
    '{ {a} }',
    String.raw`\frac{{1}}{2}`,
    '{{a b}}',
  ])('%j contains no variable', (text) => {
    expect(fillText(text, { a: 'x' })).toEqual({ text, unknown: [] })
  })
  it('only own properties are values', () => {
    expect(fillText('{{constructor}} {{toString}} {{__proto__}}', {}).unknown).toEqual([
      'constructor',
      'toString',
      '__proto__',
    ])
    expect(fill('{{__proto__}}', JSON.parse('{"__proto__": "mine"}'))).toBe('mine')
  })
  it('escaping and filling gives every text back', () => {
    const piece = fc.constantFrom('{{', '}}', '{', '}', '\\', 'a', ' ', '{{a}}', '\\{{a}}', '{{ a }}')
    const texts = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
    )
    fc.assert(
      fc.property(texts, (text) => {
        expect(fillText(escapeVariables(text), { a: 'other' })).toEqual({ text, unknown: [] })
      }),
    )
  })
})

const raw = (testCase: object) => ({
  name: 'S',
  testCases: [{ id: 'a', prompt: '?', scoringMethod: 'exact-match', expectedOutput: 'x', ...testCase }],
})

describe('a suite with variables', () => {
  it('has them in prompt, messages, expectedOutput and the checks', () => {
    const { value, problems } = fillVariables({
      name: '{{v}}',
      testCases: [
        {
          id: '{{v}}',
          vars: { v: 'V' },
          prompt: '1 {{v}}',
          messages: [
            { role: 'user', content: '2 {{v}}' },
            { role: 'user', content: [{ type: 'text', text: '3 {{v}}' }] },
          ],
          expectedOutput: { deep: ['4 {{v}}'] },
          checks: [{ scoringMethod: 'boolean', expectedOutput: '5 {{v}}' }],
        },
      ],
    })
    expect(problems).toEqual([])
    expect(value).toEqual({
      name: '{{v}}',
      testCases: [
        {
          id: '{{v}}',
          vars: { v: 'V' },
          prompt: '1 V',
          messages: [
            { role: 'user', content: '2 V' },
            { role: 'user', content: [{ type: 'text', text: '3 V' }] },
          ],
          expectedOutput: { deep: ['4 V'] },
          checks: [{ scoringMethod: 'boolean', expectedOutput: '5 V' }],
        },
      ],
    })
  })
  it('an unknown variable is refused with its path and what to do', () => {
    const locate = () => 'f:1:1'
    expect(() => finishSuite(raw({ prompt: '{{c}}', vars: { a: 1, b: 2 } }), locate)).toThrow(
      'f:1:1: testCases[0].prompt: {{c}} has no value: its vars are a, b. To mean the braces themselves write \\{{c}}',
    )
    expect(() => finishSuite(raw({ expectedOutput: '{{c}}' }), locate)).toThrow(
      /testCases\[0\]\.expectedOutput: \{\{c\}\} has no value: the case has no vars/,
    )
  })
  it('what is filled is what is checked', () => {
    const numeric = { scoringMethod: 'numeric-tolerance', expectedOutput: '{{n}}', vars: { n: 7 } }
    expect(finishSuite(raw(numeric), () => 'f').suite.testCases[0]).toMatchObject({
      expectedOutput: '7',
      vars: { n: 7 },
    })
    expect(() => finishSuite(raw({ ...numeric, vars: { n: 'many' } }), () => 'f')).toThrow(/needs exactly one number/)
  })
  it.each([
    undefined,
    null,
    5,
    [],
    {},
    { testCases: 5 },
    { testCases: [5, null, { messages: [5], checks: 'no', vars: 'no' }] },
  ])('%j passes through as it is', (value) => {
    expect(fillVariables(value)).toEqual({ value, problems: [] })
  })
})

describe('the variables of judged cases', () => {
  it('are filled in criteria and preferences, each unknown one at its place', () => {
    const { value, problems } = fillVariables({
      testCases: [
        {
          vars: { city: 'Paris' },
          criteria: ['Names {{city}}', { text: 'Not {{town}}', weight: 2 }],
          preference: 'About {{city}}',
        },
      ],
    })
    expect(value).toMatchObject({
      testCases: [{ criteria: ['Names Paris', { text: 'Not {{town}}', weight: 2 }], preference: 'About Paris' }],
    })
    expect(problems.map(({ path }) => path.join('.'))).toEqual(['testCases.0.criteria.1.text'])
  })
})
