import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { importSuite } from './recognise-suite.ts'
import { parseJsonlSuite } from './read-jsonl.ts'

const parse = (text: string) => parseJsonlSuite(text, 'cases.jsonl')
const line = (fields: object = {}) =>
  JSON.stringify({ id: 'a', prompt: '?', scoringMethod: 'exact-match', expectedOutput: 'x', ...fields })

describe('a suite from JSON lines', () => {
  it('has one case a line; empty lines and line ends do not matter', () => {
    const { suite, warnings } = parse(
      `\uFEFF\n${line()}\r\n\n${line({ id: 'b', prompt: '{{v}}', vars: { v: 'V' } })}\n`,
    )
    expect(suite).toMatchObject({ name: 'cases', testCases: [{ id: 'a' }, { id: 'b', prompt: 'V' }] })
    expect(warnings).toEqual([])
  })
  it('knows category, difficulty and tags as CSV does; what metadata says itself wins', () => {
    const { suite, warnings } = parse(
      `${line({ category: 'c', difficulty: 2, tags: 'a; b' })}\n${line({ id: 'b', category: 'c', tags: ['x'], metadata: { category: 'd', owner: 'me' } })}`,
    )
    expect(suite.testCases.map(({ metadata }) => metadata)).toEqual([
      { category: 'c', difficulty: '2', tags: ['a', 'b'] },
      { category: 'd', tags: ['x'], owner: 'me' },
    ])
    expect(warnings).toEqual([])
  })
  it('names its own fields in what to do about a missing prompt', () => {
    expect(() => parse('{"frage": "a", "antwort": "b"}')).toThrow(
      /for example with --map prompt=frage,expectedOutput=antwort$/,
    )
  })
  it('keeps an expected number as it was written, and only there', () => {
    const { suite } = parse(
      '{"id": 7, "prompt": "?", "scoringMethod": "exact-match", "expectedOutput": 1.50}\n{"prompt": "?", "scoringMethod": "json-match", "expectedOutput": {"id": 1.50}}',
    )
    expect(suite.testCases).toMatchObject([
      { id: '7', expectedOutput: '1.50' },
      { id: 'line-2', expectedOutput: '{"id":1.5}' },
    ])
  })
  it.each<[string, RegExp]>([
    [`${line()}\n{"id": `, /^cases\.jsonl:2:8: is not JSON: Unexpected end of JSON input$/],
    [
      `${line()}\n\n{"id": "c", "prompt": "?", "scoringMethod": exact-match}`,
      /^cases\.jsonl:3:45: is not JSON: (?!.*line 1)/,
    ],
    [`${line()}\n{"id": "c" "prompt": "?"}`, /^cases\.jsonl:2:12: is not JSON: (?!.*(?:position|line 1))/],
    [
      `${line()}\n{"prompt": "?", "expectedOutput": "Paris", "expectedOutput": "Berlin"}`,
      /^cases\.jsonl:2:44: the key "expectedOutput" is written twice$/,
    ],
    [`\n[1]`, /^cases\.jsonl:2:1: is not a JSON object/],
    [
      `${line()}\n${line({ id: 'b', weight: 0 })}`,
      /^cases\.jsonl:2:75: testCases\[1\]\.weight: must be greater than 0/,
    ],
    [`${line()}\n\n${line()}`, /^cases\.jsonl:3:2: testCases\[1\]\.id: id "a" is used twice/],
    [line({ prompt: '{{v}}' }), /^cases\.jsonl:1:11: testCases\[0\]\.prompt: \{\{v\}\} has no value/],
    ['{"vars": {"a": 1}, "assert": []}', /promptfoo tests/],
    [' \n', /is empty/],
  ])('%j is refused with its line and column', (text, message) => expect(() => parse(text)).toThrow(message))
  it('warns with line and column', () => {
    expect(parse(`${line()}\n${line({ id: 'b', colour: 'red' })}`).warnings).toEqual([
      'cases.jsonl:2:75: testCases[1].colour: unknown field, ignored',
    ])
  })
})

it('reads WebGen-Bench’s instructions as page prompts with checks', () => {
  const write = (id: string, change: object = {}) =>
    JSON.stringify({
      id,
      instruction: 'Build a stock report site.',
      Category: { primary_category: 'Content Presentation', subcategories: ['Reports'] },
      application_type: 'Analytics',
      ui_instruct: [
        {
          task: 'Generate a report.',
          expected_result: 'A report is shown.',
          task_category: { primary_category: 'Functional Testing' },
        },
      ],
      ...change,
    })
  const { suite } = parseJsonlSuite(
    `${write('000001')}\n${write('000002', { Category: 'Tools', ui_instruct: [] })}\n`,
    'test.jsonl',
  )
  expect(suite.testCases).toMatchObject([
    {
      id: '000001',
      prompt: 'Build a stock report site.',
      scoringMethod: 'code-arena',
      pageChecks: [{ task: 'Generate a report.', expectedResult: 'A report is shown.' }],
      metadata: { category: 'Content Presentation', tags: ['Analytics'] },
    },
    { id: '000002', metadata: { category: 'Tools' } },
  ])
  expect(suite.testCases[1]).not.toHaveProperty('pageChecks')
  expect(() => parseJsonlSuite(write('000003', { ui_instruct: [{ task: 'No result' }] }), 'test.jsonl')).toThrow(
    /test\.jsonl:1.*expectedResult/s,
  )
})

describe('a project of Web-Bench', () => {
  const pageTests = [{ name: 'Has a title', steps: [{ expect: { title: 'Shop' } }] }]
  const write = (change: object = {}) =>
    [
      { id: 'init', date: '2025-05-12', level: 'easy', description: 'Write a shop page.' },
      { id: 'task-1', date: '2025-05-12', level: 'easy', description: 'Add a cart.', ...change },
    ]
      .map((step) => JSON.stringify(step))
      .join('\n')

  it('is one case, with a turn for each step, and is not scored without tests', () => {
    const { suite, warnings } = parseJsonlSuite(write(), 'shop.tasks.jsonl')
    expect(suite).toMatchObject({ name: 'Web-Bench shop' })
    expect(suite.testCases).toEqual([
      {
        id: 'shop',
        turns: [{ user: 'Write a shop page.' }, { user: 'Add a cart.' }],
        agent: { limits: { turns: 2, seconds: 600 } },
        scoringMethod: 'none',
        weight: 1,
        metadata: { category: 'project' },
      },
    ])
    expect(warnings).toEqual([
      expect.stringContaining("Web-Bench's own tests are not in this file, so none of the 2 steps"),
    ])
  })

  it('is scored by the tests that are written beside its fields', () => {
    const { suite, warnings } = parseJsonlSuite(write({ pageTests }), 'tasks.jsonl')
    expect(suite.testCases).toMatchObject([
      { id: 'project', scoringMethod: 'page-steps', turns: [{}, { pageTests: [{ name: 'Has a title', weight: 1 }] }] },
    ])
    expect(warnings).toEqual(['tasks.jsonl: 1 of 2 steps have pageTests; the others are not scored'])
    expect(() => parseJsonlSuite(write({ pageTests: [{ name: 'a', steps: [{}] }] }), 'tasks.jsonl')).toThrow(
      /tasks\.jsonl:2.*a step has exactly one of/s,
    )
  })

  const folder = fileURLToPath(new URL('../../../../shared/data/web-bench/', import.meta.url))
  it.skipIf(!existsSync(folder))('reads the three projects (if ../shared/data is there)', async () => {
    for (const name of ['calculator', 'dom', 'form']) {
      const { suite } = await importSuite(`${folder}${name}.tasks.jsonl`)
      expect(suite.testCases.map(({ id, turns = [] }) => [id, turns.length])).toEqual([[name, 21]])
    }
  })
})
