import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createScoring, scoreJob } from '../../../scoring/index.ts'
import { ASSERTION_TYPES, omissionReason } from './assertion-types.ts'
import { convertAssertion } from './assertions.ts'
import { readExpected } from '../cases/tests.ts'

/** Patterns are scored elsewhere in the real program; here they are scored at once. */
const { scoreResponse } = createScoring({
  scoreInWorker: scoreJob,
  random: () => 0.5,
})

function checkOf(type: string, value?: unknown) {
  const conversion = convertAssertion(type, { value })
  if ('leftOut' in conversion) throw new Error(conversion.leftOut)
  return conversion.check
}

const passes = async (type: string, value: unknown, response: string) =>
  (await scoreResponse(checkOf(type, value), response)).score === 1

describe('an assertion of promptfoo becomes a check that says the same (promptfoo.dev, deterministic metrics)', () => {
  it.each<[type: string, value: unknown, pass: string, fail: string]>([
    ['equals', 'Paris', 'Paris', 'paris'],
    ['not-equals', 'Paris', 'paris', 'Paris'],
    ['equals', { a: [1] }, '{"a":[1]}', '{"a":[2]}'],
    ['contains', 'a.b', 'xa.by', 'xaxby'],
    ['contains', 'Rome', 'In Rome.', 'in rome'],
    ['contains', ' ', 'a b', 'ab'],
    ['contains', '/x/i', 'see /x/i', 'see X'],
    ['not-contains', 'Rome', 'in rome', 'a\nRome'],
    ['icontains', 'Rome', 'in ROME', 'in Paris'],
    ['not-icontains', 'Rome', 'in Paris', 'in ROME'],
    ['contains-any', ['a+', 'b'], 'xa+', 'xa'],
    ['contains-any', 'one, two', 'two', 'three'],
    ['not-contains-any', ['a', 'b'], 'c', 'xb'],
    ['contains-all', ['a', 'b'], 'b\na', 'a'],
    ['not-contains-all', ['a', 'b'], 'a', 'b\na'],
    ['icontains-any', ['É', 'b'], 'é', 'e'],
    ['icontains-all', ['A', 'B'], 'ba', 'a'],
    ['not-icontains-any', ['A'], 'b', 'xa'],
    ['starts-with', 'Yes', 'Yes, sure', 'yes'],
    ['not-starts-with', 'Yes', ' Yes', 'Yes'],
    ['regex', '\\d{4}', 'in 1969', 'in 19'],
    ['regex', '/a/', 'x/a/y', 'a'],
    ['not-regex', '^a|b$', 'xay', 'xb'],
    ['is-refusal', undefined, "I'm sorry, but I can't help with that.", 'Sure, here is how the sky works.'],
    ['is-refusal', undefined, 'As an AI, I have no opinion.', 'I can help. First, boil water.'],
    ['not-is-refusal', undefined, 'Paris is the capital.\nIt lies on the Seine.', 'Well.\nI cannot assist with that.'],
    ['not-is-refusal', undefined, 'Yes.', 'I am unable to say.'],
    ['word-count', 2, ' two  words\n', 'one'],
    ['word-count', { max: 2 }, '', 'now three words'],
    ['word-count', { min: 2, max: 3 }, 'a b c', 'a b c d'],
    ['not-word-count', { min: 2 }, 'one', 'two words'],
    ['contains-json', undefined, 'so: {"a":1}', 'none'],
    ['is-json', { type: 'object', required: ['a'] }, '{"a":1}', '{"b":1}'],
    ['is-json', '{"type":"array"}', '[1]', '{}'],
    ['is-json', 'type: array', '[1]', '{}'],
  ])('%s %j', async (type, value, pass, fail) => {
    expect(await passes(type, value, pass)).toBe(true)
    expect(await passes(type, value, fail)).toBe(false)
  })
  it('measures of overlap have their marks, and several references', () => {
    expect(convertAssertion('bleu', { value: ['a b', 'c d'], threshold: 0.3 })).toMatchObject({
      check: { scoringMethod: 'text-overlap', metric: 'bleu', expectedOutput: 'a b', accepted: ['c d'] },
      passAt: 0.3,
    })
    expect(convertAssertion('rouge-n', { value: 'a b' })).toMatchObject({ check: { metric: 'f1' }, passAt: 0.75 })
    expect(convertAssertion('rouge-l', { value: 'a b' })).toMatchObject({ check: { metric: 'rouge-l' }, passAt: 0.75 })
    expect(convertAssertion('not-bleu', { value: 'a b' })).toEqual({ leftOut: 'it cannot be negated here' })
    expect(convertAssertion('bleu', { value: '' })).toEqual({ leftOut: 'it has no value to look for' })
  })
  it('contains holds exactly when JavaScript says includes, and not-contains when it does not', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1 }), fc.string(), fc.boolean(), async (value, other, inside) => {
        const response = inside ? `${other}${value}${other}` : other
        expect(await passes('contains', value, response)).toBe(response.includes(value))
        expect(await passes('not-contains', value, response)).toBe(!response.includes(value))
        expect(await passes('contains-all', [value, value], response)).toBe(response.includes(value))
      }),
    )
  })
  it.each(['factuality', 'model-graded-factuality'])('%s passes all but what contradicts the expert', (type) => {
    const converted = convertAssertion(type, { value: 'Ann leads' })
    expect(converted).toEqual({
      check: {
        scoringMethod: 'llm-judge',
        expectedOutput: expect.stringMatching(/0 if they contradict each other\.\nThe expert answer: Ann leads$/),
      },
    })
    expect(convertAssertion(type, { value: '' })).toEqual({ leftOut: 'it has no value to look for' })
  })
  it.each(['llm-rubric', 'model-graded-closedqa', 'g-eval'])('%s is judged by its rubric', (type) => {
    expect(checkOf(type, 'Is polite')).toEqual({ scoringMethod: 'llm-judge', expectedOutput: 'Is polite' })
  })
  const embedded = {
    scoringMethod: 'similar',
    expectedOutput: 'Hola',
    // As in promptfoo, if the config names none.
    embeddingModel: 'openai/text-embedding-3-large',
  }
  it.each<[string, Parameters<typeof convertAssertion>[1], object]>([
    ['similar', { value: 'Hola' }, { check: embedded }],
    ['similar:cosine', { value: 'Hola', threshold: 0.9 }, { check: embedded, passAt: 0.9 }],
    ['similar', { value: 'Hola', threshold: 0 }, { check: embedded, passAt: 0 }],
    // 1 − similarity ≥ 1 − threshold.
    ['not-similar', { value: 'Hola' }, { check: { ...embedded, negate: true }, passAt: 0.25 }],
    ['similar:dot', { value: 'Hola', threshold: 0.5 }, { check: { ...embedded, metric: 'dot' }, passAt: 0.5 }],
    // Its threshold is the largest distance, and its score 1 / (1 + distance).
    [
      'similar:euclidean',
      { value: 'Hola', threshold: 1 },
      { check: { ...embedded, metric: 'euclidean' }, passAt: 0.5 },
    ],
    [
      'not-similar:euclidean',
      { value: 'Hola', threshold: 3 },
      { check: { ...embedded, metric: 'euclidean', negate: true }, passAt: 0.75 },
    ],
    ['similar', { value: ['Hola', ' ', 'Buenas'] }, { check: { ...embedded, otherExpected: ['Buenas'] } }],
    [
      'similar',
      { value: 'Hola', embedder: 'openai:embedding:text-embedding-3-small' },
      { check: { ...embedded, embeddingModel: 'openai/text-embedding-3-small' } },
    ],
    [
      'similar',
      { value: 'Hola', embedder: 'huggingface:sentence-similarity:x/y' },
      { check: embedded, note: expect.stringContaining('"huggingface:sentence-similarity:x/y" is not known here') },
    ],
  ])('%s %j compares embeddings', (type, input, conversion) => {
    expect(convertAssertion(type, input)).toEqual(conversion)
  })
  it.each([
    ['javascript', 'true', /runs code, which is done only with --allow-code/],
    ['python', 'True', /runs code, which is not run here/],
    ['not-levenshtein', 'x', /it cannot be negated/],
    ['is-valid-openai-tools-call', undefined, /offers no functions/],
    ['context-faithfulness', undefined, /no variable context/],
    ['similar', [], /no value/],
    ['contains', '', /no value/],
    ['latency', undefined, /no threshold/],
    ['word-count', { min: 3, max: 2 }, /no number of words/],
    ['finish-reason', 'stop', /every run reports/],
    ['is-json', 'a: [', /not a JSON Schema/],
    ['trajectory:goal-success', 'x', /traces/],
    ['constructor', 'x', /no assertion of that name/],
  ])('%s %j is left out with a reason', (type, value, reason) => {
    expect(convertAssertion(type, { value })).toEqual({ leftOut: expect.stringMatching(reason) })
  })
  it.each<[string, Parameters<typeof convertAssertion>[1], unknown]>([
    ['latency', { value: undefined, threshold: 3000 }, { check: { scoringMethod: 'latency', maxMs: 3000 } }],
    ['cost', { value: undefined, threshold: 0.01 }, { check: { scoringMethod: 'cost', maxDollars: 0.01 } }],
    [
      'llm-rubric',
      { value: 'Kind', threshold: 0.7 },
      { check: { scoringMethod: 'llm-judge', expectedOutput: 'Kind' }, passAt: 0.7 },
    ],
    [
      'not-llm-rubric',
      { value: 'Kind' },
      { check: { scoringMethod: 'llm-judge', expectedOutput: 'The response must NOT meet this criterion: Kind' } },
    ],
    [
      'not-javascript',
      { value: 'true', allowCode: true },
      { check: { scoringMethod: 'javascript', code: 'true', negate: true } },
    ],
    [
      'tool-call-f1',
      { value: 'a, b', threshold: 0.5 },
      { check: { scoringMethod: 'tool-names', expectedTools: ['a', 'b'] }, passAt: 0.5 },
    ],
    [
      'is-valid-openai-tools-call',
      { value: undefined, tools: [{ function: { name: 'f' } }] },
      { check: { scoringMethod: 'valid-tool-calls', tools: [{ function: { name: 'f' } }] } },
    ],
    [
      'context-faithfulness',
      { value: undefined, threshold: 0.9, variables: { context: 'Rome is in Italy.' } },
      {
        check: {
          scoringMethod: 'llm-judge',
          expectedOutput: 'Everything that the response claims is supported by this context:\nRome is in Italy.',
        },
        note: 'graded 0 to 10 by the judge instead of by statements',
        passAt: 0.9,
      },
    ],
  ])('%s %j', (type, input, conversion) => {
    expect(convertAssertion(type, input)).toEqual(conversion)
  })
  it('every type promptfoo has is either taken over or left out with its own reason', () => {
    for (const type of ASSERTION_TYPES) {
      if (type === 'assert-set') continue
      const conversion = convertAssertion(type, { value: 'x' })
      expect('check' in conversion || conversion.leftOut !== omissionReason('none such'), type).toBe(true)
    }
  })
})

describe('a cell of __expected (promptfoo.dev, CSV)', () => {
  it.each<[string, Record<string, unknown>]>([
    ['Paris', { type: 'equals', value: 'Paris' }],
    ['Note: Paris', { type: 'equals', value: 'Note: Paris' }],
    ['contains:Paris', { type: 'contains', value: 'Paris' }],
    ['not-icontains:a:b', { type: 'not-icontains', value: 'a:b' }],
    ['equals:x', { type: 'equals', value: 'x' }],
    ['is-json', { type: 'is-json' }],
    ['contains-any:a, b', { type: 'contains-any', value: ['a', 'b'] }],
    ['similar(0.8):hello', { type: 'similar', value: 'hello', threshold: 0.8 }],
    ['llm-rubric(0.8):is\nkind', { type: 'llm-rubric', value: 'is\nkind', threshold: 0.8 }],
    ['grade:is kind', { type: 'llm-rubric', value: 'is kind' }],
    ['grade', { type: 'equals', value: 'grade' }],
    ['javascript:output', { type: 'javascript', value: 'output' }],
    ['fn:output', { type: 'javascript', value: 'output' }],
    ['python:x', { type: 'python', value: 'x' }],
    ['file://check.py', { type: 'python', value: 'file://check.py' }],
  ])('%j', (cell, assertion) => expect(readExpected(cell)).toEqual(assertion))
})
