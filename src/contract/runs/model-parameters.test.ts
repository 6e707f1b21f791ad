import { describe, expect, it } from 'vitest'
import { givenParametersSchema } from './model-parameters.ts'
import { readTyped, writeTyped } from './typed-values.ts'

const problemOf = (parameters: object) => givenParametersSchema.safeParse(parameters).error?.issues[0]?.message

describe('parameters', () => {
  it.each([
    [{ reasoningEffort: 'high', thinkingBudget: 0, seed: -1, topK: 40 }],
    [{ responseFormat: 'json', extraBody: { min_p: 0.1, nested: { a: [1, null] } }, headers: { 'X-A': 'b' } }],
    [{ responseFormat: { type: 'object', properties: { a: { type: 'number' } } } }],
  ])('%j are taken as they are', (given) => {
    expect(givenParametersSchema.parse(given)).toEqual(given)
  })
  it('take one stop sequence or several', () => {
    expect(givenParametersSchema.parse({ stop: '\n' })).toEqual({ stop: ['\n'] })
    expect(givenParametersSchema.parse({ stop: ['a', 'b'] })).toEqual({ stop: ['a', 'b'] })
  })
  it.each([
    [{ extraBody: { model: 'other' } }, 'must not set model, which every request has of its own'],
    [{ extraBody: { a: { key: 'sk-0123456789abcdef' } } }, 'holds what looks like a key'],
    [{ headers: { 'X A': 'b' } }, '"X A" is not the name of a header'],
    [{ headers: { 'X-A': 'b\r\nX-B: c' } }, 'must be on one line'],
    [{ headers: { 'Content-Length': '3' } }, 'Content-Length is a header that every request has of its own'],
    [{ thinkingBudget: -1 }, 'must be a whole number of at least 0'],
    [{ seed: 0.5 }, 'must be a whole number'],
    [{ stop: [] }, 'must be at least one text'],
    [{ stop: '' }, 'must not be empty'],
    [{ responseFormat: 'jsn' }, 'must be text, json or a JSON Schema'],
  ])('%j are refused', (given, message) => {
    expect(problemOf(given)).toContain(message)
  })
})

describe('a typed value', () => {
  it.each<['json' | 'format' | 'lines' | 'headers', string, unknown]>([
    ['format', 'json', 'json'],
    ['format', '{"type":"object"}', { type: 'object' }],
    ['lines', '\\n\\n\na\\\\n', ['\n\n', 'a\\n']],
    ['headers', 'X-A: b: c\nX-D: e', { 'X-A': 'b: c', 'X-D': 'e' }],
    ['json', '{"a":[1]}', { a: [1] }],
  ])('of kind %s is read and written back: %j', (kind, text, value) => {
    expect(readTyped(kind, text)).toEqual(value)
    expect(readTyped(kind, writeTyped(kind, value))).toEqual(value)
  })
  it.each<['json' | 'headers', string]>([
    ['json', '[1]'],
    ['json', '{a'],
    ['headers', 'no colon'],
  ])('of kind %s is refused if it is %j', (kind, text) => {
    expect(() => readTyped(kind, text)).toThrow('must be')
  })
})
