import type { OptionSchema } from '../../../server/suites/scorer-list.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { scorers } from '../../../scoring/index.ts'
import {
  findJsonError,
  labelOf,
  optionFields,
  parseJsonText,
  parseLines,
  parseNumberText,
  parsePoints,
  parseTags,
  showJson,
  showLines,
  showPoints,
  showTags,
} from './option-fields.ts'

const fieldsOf = (properties: Record<string, OptionSchema>, required: string[] = []) =>
  optionFields({ options: { properties, required } })

describe('fields derived from JSON Schema', () => {
  it('have one kind per type', () => {
    const kinds = fieldsOf({
      partial: { type: 'boolean', default: true },
      tolerance: { type: 'number', minimum: 0 },
      count: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      answer: { type: 'string', enum: ['any', 'last'], default: 'any' },
      label: { type: 'string' },
      choices: { type: 'array', items: { type: 'string' } },
      expectedCalls: { type: 'array', items: { type: 'object' } },
      schema: { anyOf: [{ type: 'boolean' }, { type: 'object' }] },
      either: { type: ['string', 'number'] },
      level: { enum: [1, 2] },
    }).map(({ name, kind }) => [name, kind])
    expect(Object.fromEntries(kinds)).toEqual({
      partial: 'switch',
      tolerance: 'number',
      count: 'number',
      answer: 'choice',
      label: 'text',
      choices: 'lines',
      expectedCalls: 'json',
      schema: 'json',
      either: 'json',
      level: 'json',
    })
  })

  it('include limits, defaults and whether the option is required', () => {
    const [deadline, schema] = fieldsOf(
      {
        deadlineMs: { type: 'number', exclusiveMinimum: 0, maximum: 60_000, default: 1000, description: 'When' },
        schema: {},
      },
      ['schema'],
    )
    expect(deadline).toMatchObject({
      label: 'Deadline ms',
      limits: 'more than 0, at most 60000',
      fallback: 1000,
      hint: 'When',
      isRequired: false,
    })
    expect(schema).toMatchObject({ kind: 'json', isRequired: true })
    expect(labelOf('ignoreOrder')).toBe('Ignore order')
  })

  it('cover every option of every scoring method', () => {
    for (const scorer of scorers) {
      const { properties = {}, required = [] } = z
        .object({
          properties: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
          required: z.array(z.string()).optional(),
        })
        .parse(z.toJSONSchema(scorer.options, { io: 'input', unrepresentable: 'any' }))
      const optionList = optionFields({ options: { properties, required } })
      expect(optionList.map(({ name }) => name)).toEqual(Object.keys(scorer.options.shape))
    }
  })
})

describe('parsing typed text', () => {
  it('parses numbers and leaves anything else as typed', () => {
    expect(parseNumberText(' 0.5 ')).toBe(0.5)
    expect(parseNumberText('1.')).toBe(1)
    expect(parseNumberText('')).toBeUndefined()
    expect(parseNumberText('1,5')).toBe('1,5')
    expect(parseNumberText('Infinity')).toBe('Infinity')
  })

  it('parses tags and lines', () => {
    expect(parseTags(' a, b ,,c')).toEqual(['a', 'b', 'c'])
    expect(parseTags(' , ')).toBeUndefined()
    expect(showTags(['a', 'b'])).toBe('a, b')
    expect(parseLines('one\n\n two')).toEqual(['one', ' two'])
    expect(showLines(['one', 'two'])).toBe('one\ntwo')
  })

  it('leaves incomplete JSON as typed and reports the error', () => {
    expect(parseJsonText('{"a":')).toBe('{"a":')
    expect(showJson('{"a":')).toBe('{"a":')
    expect(findJsonError('{"a":')).toMatch('Not valid JSON')
    expect(findJsonError('  ')).toBeUndefined()
    expect(parseJsonText(' ')).toBeUndefined()
  })

  it('restores every list and object from its text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())), (value) => {
        // JSON has no negative zero.
        expect(parseJsonText(showJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })
})

describe('points', () => {
  it('are 0 to 1 in the suite and 0 to 100 on screen', () => {
    expect([0.95, 0.07, 0.285, 1, undefined, 'abc'].map(showPoints)).toEqual(['95', '7', '28.5', '100', '', 'abc'])
    expect(['95', '7', '28.5', '', 'abc'].map(parsePoints)).toEqual([0.95, 0.07, 0.285, undefined, 'abc'])
  })
  it('come back as they were typed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000 }), (hundredths) => {
        const text = String(hundredths / 100)
        expect(showPoints(parsePoints(text))).toBe(text)
      }),
    )
  })
})
