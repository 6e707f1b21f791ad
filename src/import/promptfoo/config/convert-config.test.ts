import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { questionOf } from '../../../scoring/index.ts'
import { readSource } from '../../text/source-text.ts'
import { convertConfig, type PromptfooOptions, loadPromptfooConfig } from './convert-config.ts'
import { readExpected } from '../cases/tests.ts'
import { parseDocument } from './referenced-files.ts'

const rawSchema = z.object({
  name: z.string(),
  judgeSystemPrompt: z.string().optional(),
  embeddingModel: z.string().optional(),
  variants: z.array(z.looseObject({ name: z.string() })).optional(),
  testCases: z.array(z.looseObject({ id: z.string() })),
})

const folders: string[] = []
afterEach(async () => {
  await Promise.all(folders.splice(0).map(async (folder) => rm(folder, { recursive: true })))
})

/** Writes the files of a config into a folder and converts it; the folder's name is taken out of every text. */
async function convert(files: Record<string, string>, options: PromptfooOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'benchmaker-promptfoo-'))
  folders.push(folder)
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  const file = join(folder, 'c.yaml')
  const short = (text: string) => text.replaceAll(`${folder}/`, '')
  try {
    const {
      raw,
      locate: _locate,
      warnings,
      notes,
      ...suggested
    } = await convertConfig(parseDocument(await readSource(file), file), file, options)
    return { ...rawSchema.parse(raw), warnings: warnings.map(short), notes: notes.map(short), ...suggested }
  } catch (error) {
    throw error instanceof Error ? new Error(short(error.message), { cause: error }) : error
  }
}

const HEAD = "prompts: ['Say {{a}}']\nproviders: openai:gpt-4.1\n"
const inline = async (tests: string, options?: PromptfooOptions) => convert({ 'c.yaml': `${HEAD}${tests}` }, options)

describe('tests', () => {
  it('become cases with variables filled and named by description or number', async () => {
    const { testCases, warnings, suggestedModels, name } = await inline(
      "description: D\ntests:\n  - vars: { a: 1 }\n    assert: [{ type: icontains, value: 'x {{a}}' }]\n  - description: The second!\n    vars: { a: '{{b}}' }\n    metadata: { category: 5, tags: t, owner: me }\n    assert: [{ type: equals, value: '{{a}}' }, { type: regex, value: b, weight: 3 }]\n",
    )
    expect({ name, testCases, warnings, suggestedModels }).toEqual({
      name: 'D',
      testCases: [
        { id: 'test-1', prompt: 'Say 1', scoringMethod: 'boolean', expectedOutput: 'x 1', vars: { a: 1 } },
        {
          id: 'the-second',
          // Braces that come from a value are escaped: a suite file fills its variables once more.
          prompt: 'Say \\{{b}}',
          checks: [
            { scoringMethod: 'exact-match', expectedOutput: '\\{{b}}', partial: false },
            { scoringMethod: 'regex-match', expectedOutput: 'b', weight: 3 },
          ],
          metadata: { description: 'The second!', category: '5', tags: ['t'], owner: 'me' },
          vars: { a: '{{b}}' },
        },
      ],
      warnings: [],
      suggestedModels: ['openai/gpt-4.1'],
    })
  })
  it('expands lists of values to all combinations; variables can refer to each other', async () => {
    const { testCases } = await inline(
      "tests:\n  - vars: { a: '{{b}}-{{c}}', b: ['1', '2'], c: [x, y], one: [{ k: 5 }] }\n    assert: [{ type: contains, value: '{{a}}' }]\n",
    )
    expect(testCases.map(({ id, prompt, expectedOutput }) => [id, prompt, expectedOutput])).toEqual([
      ['test-1.1', 'Say 1-x', '1-x'],
      ['test-1.2', 'Say 1-y', '1-y'],
      ['test-1.3', 'Say 2-x', '2-x'],
      ['test-1.4', 'Say 2-y', '2-y'],
    ])
  })
  it('defaultTest, templates by $ref, assert-set and merge keys', async () => {
    const { testCases } = await inline(
      "assertionTemplates: { polite: { type: icontains, value: please } }\nx: &x { vars: { a: 5 } }\ndefaultTest:\n  vars: { a: 1 }\n  options: { prefix: 'P ', suffix: ' S' }\n  assert: [{ $ref: '#/assertionTemplates/polite' }]\ntests:\n  - assert:\n      - type: assert-set\n        weight: 4\n        assert: [{ type: contains, value: x, weight: 3 }, { type: contains, value: y }]\n  - <<: *x\n  - vars: { a: 2 }\n    options: { disableDefaultAsserts: true }\n    assert: [{ type: contains, value: z }]\n",
    )
    expect(testCases).toMatchObject([
      {
        prompt: 'P Say 1 S',
        checks: [
          { scoringMethod: 'boolean', expectedOutput: 'please' },
          { scoringMethod: 'regex-match', expectedOutput: 'x', weight: 3 },
          { scoringMethod: 'regex-match', expectedOutput: 'y' },
        ],
      },
      { prompt: 'P Say 5 S', scoringMethod: 'boolean' },
      { prompt: 'P Say 2 S', scoringMethod: 'regex-match', expectedOutput: 'z' },
    ])
  })
  it('scenarios are their data times their tests', async () => {
    const { testCases } = await inline(
      "scenarios:\n  - description: S\n    config: [{ vars: { a: 1 } }, { vars: { a: 2 } }]\n    tests:\n      - { description: T, assert: [{ type: contains, value: '{{a}}' }] }\n      - assert: [{ type: contains, value: y }]\n",
    )
    expect(testCases.map(({ id, prompt, expectedOutput }) => [id, prompt, expectedOutput])).toEqual([
      ['t.1', 'Say 1', '1'],
      ['test-2.1', 'Say 1', 'y'],
      ['t.2', 'Say 2', '2'],
      ['test-4.2', 'Say 2', 'y'],
    ])
    expect(testCases[0]).toMatchObject({ metadata: { category: 'S', description: 'T' } })
  })
  it('come from CSV, JSONL, JSON and YAML files, by name or pattern', async () => {
    const { testCases, warnings } = await convert({
      'c.yaml': `${HEAD}tests: [file://t/*.csv, file://l.jsonl, l.json, file://l.yaml, { vars: { a: file://v.txt }, assert: [{ type: contains, value: file://v.txt }] }]`,
      't/1.csv':
        'a,__expected,__expected2,__description,__metadata:category,__metric\n1,is-json,icontains:x,Row,facts,m\n',
      't/2.csv': 'a,__expected\n2,two\n',
      'l.jsonl': '{"vars": {"a": 3}, "assert": [{"type": "equals", "value": "3"}]}\n',
      'l.json': '[{"vars": {"a": 4}, "assert": [{"type": "equals", "value": "4"}]}]',
      'l.yaml': '- { vars: { a: 5 }, assert: [{ type: equals, value: five }] }',
      'v.txt': 'six\n',
    })
    expect(testCases.map(({ prompt }) => prompt)).toEqual(['Say 1', 'Say 2', 'Say 3', 'Say 4', 'Say 5', 'Say six'])
    expect(testCases[0]).toMatchObject({
      id: 'row',
      checks: [
        { scoringMethod: 'json-schema', schema: true, onlyJson: true },
        { scoringMethod: 'boolean', expectedOutput: 'x' },
      ],
      metadata: { category: 'facts' },
    })
    expect(testCases[5]).toMatchObject({ expectedOutput: 'six' })
    expect(warnings).toEqual([])
  })
})

describe('the config of providers', () => {
  const tests = 'tests: [{ vars: { a: A }, assert: [{ type: contains, value: x }] }]\n'
  const providers = async (list: string, prompts = "'Say {{a}}'") =>
    convert({ 'c.yaml': `prompts: [${prompts}]\nproviders:\n${list}\n${tests}` })

  it('that is the same for all becomes one variant', async () => {
    const { variants, suggestedModels } = await providers(
      '  - { id: openai:gpt-4o, config: { temperature: 0, max_tokens: 128 } }\n  - { id: google:gemini-2.5-pro, config: { generationConfig: { temperature: 0, maxOutputTokens: 128 } } }',
    )
    expect(variants).toEqual([{ name: 'temperature-0-max-tokens-128', parameters: { temperature: 0, maxTokens: 128 } }])
    expect(suggestedModels).toEqual(['openai/gpt-4o', 'google/gemini-2.5-pro'])
  })
  it('that differs becomes a variant for each, limited to its models and named by its label', async () => {
    const { variants } = await providers(
      '  - { id: openai:gpt-4o, label: Low temp, config: { temperature: 0 } }\n  - { id: openai:gpt-4o, config: { temperature: 1, top_p: 0.5, frequency_penalty: -1, presence_penalty: 1 } }\n  - anthropic:messages:claude-sonnet-4',
    )
    expect(variants).toEqual([
      { name: 'low-temp', models: ['openai/gpt-4o'], parameters: { temperature: 0 } },
      {
        name: 'temperature-1-top-p-0.5-frequency-penalty--1-presence-penalty-1',
        models: ['openai/gpt-4o'],
        parameters: { temperature: 1, topP: 0.5, frequencyPenalty: -1, presencePenalty: 1 },
      },
      { name: 'default', models: ['anthropic/claude-sonnet-4'] },
    ])
  })
  it('multiplies with several prompts', async () => {
    const { variants } = await providers(
      '  - { id: openai:gpt-4o, config: { temperature: 0 } }\n  - openai:gpt-4.1',
      "{ raw: 'One {{a}}', label: one }, { raw: 'Two {{a}}', label: two }",
    )
    expect(variants).toEqual([
      { name: 'one-temperature-0', models: ['openai/gpt-4o'], prompt: 'One {{a}}', parameters: { temperature: 0 } },
      { name: 'two-temperature-0', models: ['openai/gpt-4o'], prompt: 'Two {{a}}', parameters: { temperature: 0 } },
      { name: 'one-default', models: ['openai/gpt-4.1'], prompt: 'One {{a}}' },
      { name: 'two-default', models: ['openai/gpt-4.1'], prompt: 'Two {{a}}' },
    ])
  })
  it('that chooses prompts limits the variants to its models', async () => {
    const { variants } = await providers(
      '  - { id: openai:gpt-4o, prompts: [one, two] }\n  - { id: openai:gpt-4.1, prompts: [one] }',
      "{ raw: 'One {{a}}', label: one }, { raw: 'Two {{a}}', label: two }",
    )
    expect(variants).toEqual([
      { name: 'one', models: ['openai/gpt-4o', 'openai/gpt-4.1'], prompt: 'One {{a}}' },
      { name: 'two', models: ['openai/gpt-4o'], prompt: 'Two {{a}}' },
    ])
  })
  it('never gives away a key, and names what is not used', async () => {
    const { variants, warnings, notes, suggestedEndpoint, suggestedModels, testCases } = await providers(
      "  - id: openai:gpt-4o\n    config: { apiKey: sk-secret-1, apiBaseUrl: 'http://user:sk-secret-2@127.0.0.1:8000/v1?key=sk-secret-3', headers: { Authorization: Bearer sk-secret-4 }, reasoning_style: low, temperature: hot }",
    )
    const everything = JSON.stringify({ variants, warnings, notes, suggestedEndpoint, testCases })
    expect(everything).not.toContain('sk-secret')
    expect(variants).toBeUndefined()
    expect(suggestedEndpoint).toBe('http://127.0.0.1:8000/v1')
    expect(warnings).toEqual([
      'c.yaml:3:5: reasoning_style, temperature "hot" of provider "openai:gpt-4o" not used: there is no such parameter here',
    ])
    // A server knows its models by their bare names.
    expect(suggestedModels).toEqual(['gpt-4o'])
    expect(notes).toEqual([
      'c.yaml:3:5: apiKey, headers.Authorization of provider "openai:gpt-4o" not taken over: keys and headers come from the environment or the settings',
      'c.yaml:3:5: provider "openai:gpt-4o" is at http://127.0.0.1:8000/v1: run the suite with --base-url http://127.0.0.1:8000/v1',
    ])
  })
  it('offers tools that all models get in every case', async () => {
    const { testCases, warnings } = await convert({
      'c.yaml': `prompts: ['Say {{a}}']\nproviders:\n  - { id: openai:gpt-4o, config: { tools: file://tools.yaml } }\n  - { id: anthropic:messages:claude-sonnet-4, config: { tools: [{ name: look_up, input_schema: { type: object } }] } }\n  - { id: adaline:openai:chat:gpt-4.1, config: { tools: [{ type: function, definition: { schema: { name: look_up, parameters: { type: object } } } }] } }\n${tests}`,
      'tools.yaml': '- { type: function, function: { name: look_up, parameters: { type: object } } }\n',
    })
    expect(testCases[0]?.['tools']).toEqual([
      { type: 'function', function: { name: 'look_up', parameters: { type: 'object' } } },
    ])
    expect(warnings).toEqual([])
  })
  it('sends other tools in the body of a variant, in the words of its API', async () => {
    const { testCases, variants, warnings, notes } = await providers(
      [
        '{ id: openai:gpt-4o, label: calls, config: { tool_choice: required, tools: [{ type: function, function: { name: f } }] } }',
        '{ id: anthropic:messages:claude-sonnet-4, label: searches, config: { tool_choice: { type: any }, tools: [{ name: f, input_schema: { type: object } }, { type: web_search_20250305, name: web_search }] } }',
        '{ id: google:gemini-2.5-pro, label: looks, config: { toolConfig: { functionCallingConfig: { mode: ANY } }, tools: [{ functionDeclarations: [{ name: f }] }, { googleSearch: {} }] } }',
        '{ id: openai:gpt-4.1, label: plain, config: { tools: [{ type: web_search }] } }',
        '{ id: "bedrock:us.amazon.nova-pro-v1:0", label: nova, config: { tools: [{ toolSpec: { name: f } }] } }',
      ]
        .map((line) => `  - ${line}`)
        .join('\n'),
    )
    expect(testCases[0]).not.toHaveProperty('tools')
    const named = (variants ?? []).map(({ name, parameters = {} }) => [name, parameters])
    expect(Object.fromEntries(named)).toEqual({
      calls: {
        extraBody: { tool_choice: 'required', tools: [{ type: 'function', function: { name: 'f' } }] },
      },
      searches: {
        extraBody: {
          tool_choice: { type: 'any' },
          tools: [
            { name: 'f', input_schema: { type: 'object' } },
            { type: 'web_search_20250305', name: 'web_search' },
          ],
        },
      },
      looks: {
        extraBody: {
          toolConfig: { functionCallingConfig: { mode: 'ANY' } },
          tools: [{ functionDeclarations: [{ name: 'f' }] }, { googleSearch: {} }],
        },
      },
      default: {},
    })
    expect(warnings).toEqual([
      'c.yaml:6:5: the tools web_search of provider "plain" are left out: only functions are offered here',
      'c.yaml:7:5: the tools f of provider "nova" are left out: this model is not sent tools of its own here',
    ])
    expect(notes).toContain(
      'c.yaml:4:5: the tools web_search of provider "searches" are run by the vendor: ask it with a key of its own, not through a router',
    )
  })
  it('of OpenAI’s responses has its functions and how much it says elsewhere', async () => {
    const { testCases, variants, warnings } = await providers(
      '  - { id: openai:responses:gpt-5, config: { text: { verbosity: low }, tools: [{ type: function, name: f, parameters: { type: object } }] } }',
    )
    expect(testCases[0]?.['tools']).toEqual([
      { type: 'function', function: { name: 'f', parameters: { type: 'object' } } },
    ])
    expect(variants).toEqual([{ name: 'extra-body', parameters: { extraBody: { verbosity: 'low' } } }])
    expect(warnings).toEqual([])
  })
  it('may choose tools by itself, which models do anyway', async () => {
    const { warnings, variants } = await providers(
      '  - { id: google:gemini-2.5-pro, config: { toolConfig: { functionCallingConfig: { mode: AUTO } } } }',
    )
    expect({ warnings, variants }).toEqual({ warnings: [], variants: undefined })
  })
  it('of a provider that is not a model here is kept if there is nothing else', async () => {
    const one = await providers('  - { id: custom:chat:mine, config: { temperature: 0 } }')
    expect(one.variants).toEqual([{ name: 'temperature-0', parameters: { temperature: 0 } }])
    const two = await providers('  - { id: custom:chat:mine, config: { temperature: 0 } }\n  - openai:gpt-4o')
    expect(two.variants).toBeUndefined()
    expect(two.notes).toContain(
      'c.yaml:3:5: the parameters of provider "custom:chat:mine" (temperature-0) are not used, as there is no model for them',
    )
  })
})

describe('a CSV cell', () => {
  it.each<[string, Record<string, unknown>]>([
    [' Paris ', { type: 'equals', value: 'Paris' }],
    ['contains: Paris ', { type: 'contains', value: 'Paris' }],
    [' not-icontains:  x', { type: 'not-icontains', value: 'x' }],
    ['contains-any: a , b', { type: 'contains-any', value: ['a', 'b'] }],
    ['grade: is kind', { type: 'llm-rubric', value: ' is kind' }],
    ['is-json', { type: 'is-json' }],
    ['similar:x y ', { type: 'similar', value: 'x y', threshold: 0.8 }],
    ['similar(0.5): x', { type: 'similar', value: 'x', threshold: 0.5 }],
    ['fn: output.length > 3 ', { type: 'javascript', value: 'output.length > 3' }],
    ['file://a.py', { type: 'python', value: 'file://a.py' }],
    ['to: be', { type: 'equals', value: 'to: be' }],
  ])('%j is read as promptfoo reads it', (cell, assertion) => {
    expect(readExpected(cell)).toEqual(assertion)
  })
  it('keeps the blanks of variables, as promptfoo does', async () => {
    const { testCases } = await convert({
      'c.yaml': `${HEAD}tests: t.csv`,
      't.csv': 'a, __expected , __threshold,__metric,__config:__expected:threshold\n x ,similar: y,0.5,m,0.7\n',
    })
    expect(testCases[0]).toMatchObject({
      prompt: 'Say  x ',
      vars: { a: ' x ' },
      passAt: 0.5,
      checks: [{ scoringMethod: 'similar', expectedOutput: 'y', name: 'm', passAt: 0.7 }],
    })
  })
})

describe('with code allowed', () => {
  it('JavaScript comes over: written out, from files, and as transforms of other checks', async () => {
    const { testCases, warnings, summary, suggestedJudges } = await convert(
      {
        'c.yaml': `${HEAD}defaultTest: { options: { transform: output.trim(), provider: openai:gpt-4o } }\ntests:\n  - vars: { a: 1 }\n    threshold: 0.5\n    assert:\n      - { type: javascript, value: 'output === "{{a}}"', metric: right, weight: 2, threshold: 0.8 }\n      - { type: javascript, value: file://check.js, config: { k: 1 } }\n      - { type: javascript, value: 'file://check.js:other' }\n      - { type: equals, value: x, transform: output.toLowerCase() }\n      - { type: llm-rubric, value: kind }\n      - { type: python, value: x }\n`,
        'check.js': 'module.exports = (output) => output === "{{a}}"',
      },
      { allowCode: true },
    )
    const transform = ['output.trim()']
    expect(testCases[0]).toMatchObject({
      passAt: 0.5,
      checks: [
        { scoringMethod: 'javascript', code: 'output === "1"', transform, name: 'right', weight: 2, passAt: 0.8 },
        {
          scoringMethod: 'javascript',
          code: 'module.exports = (output) => output === "{{a}}"',
          config: { k: 1 },
          transform,
        },
        { scoringMethod: 'javascript', functionName: 'other', transform },
        {
          scoringMethod: 'javascript',
          transform: ['output.trim()', 'output.toLowerCase()'],
          check: { scoringMethod: 'exact-match', expectedOutput: 'x', partial: false },
        },
        {
          scoringMethod: 'javascript',
          transform,
          check: { scoringMethod: 'llm-judge', expectedOutput: 'kind' },
          passAt: 0.8,
        },
      ],
    })
    expect(suggestedJudges).toEqual(['openai/gpt-4o'])
    expect(warnings).toEqual([
      expect.stringMatching(/assertion 6 \(python\): it is left out: it runs code, which is not run here$/),
    ])
    expect(summary).toBe(
      'From promptfoo: 1 prompt, 1 test as 1 case, 6 assertions: 5 whole, 1 lost. One thing was changed or lost, listed by place.',
    )
  })
})

describe('similar', () => {
  const similar = (fields = '') => `{ type: similar, value: hi${fields} }`
  const tests = (...assertions: string[]) =>
    assertions.map((assertion) => `  - vars: { a: 1 }\n    assert: [${assertion}]\n`).join('')

  it('names the embedding model once: of the defaults, as promptfoo finds it', async () => {
    const provider = 'embedding: { id: openai:embedding:text-embedding-3-small, config: { apiKey: secret } }'
    const { embeddingModel, testCases, warnings } = await inline(
      `defaultTest: { options: { provider: { ${provider} } } }\ntests:\n${tests(similar(), similar(', threshold: 0.9'))}`,
    )
    expect(embeddingModel).toBe('openai/text-embedding-3-small')
    expect(testCases).toMatchObject([
      { scoringMethod: 'similar', expectedOutput: 'hi' },
      { scoringMethod: 'similar', expectedOutput: 'hi', passAt: 0.9 },
    ])
    expect(testCases[0]).not.toHaveProperty('embeddingModel')
    expect(warnings).toEqual([])
  })
  it('keeps the model with each check if they differ; a grader that answers is none, as in promptfoo', async () => {
    const { embeddingModel, testCases, warnings } = await inline(
      `defaultTest: { options: { provider: openai:gpt-4o } }\ntests:\n${tests(
        similar(),
        similar(', provider: openai:embedding:text-embedding-3-small'),
        similar(', provider: { id: ollama:embeddings:nomic }'),
      )}`,
    )
    expect(embeddingModel).toBeUndefined()
    expect(testCases.map((testCase) => testCase['embeddingModel'])).toEqual([
      'openai/text-embedding-3-large',
      'openai/text-embedding-3-small',
      'ollama/nomic',
    ])
    expect(warnings).toEqual([])
  })
  it('says if the embedding model is not known here', async () => {
    const { embeddingModel, warnings, summary } = await inline(
      `tests:\n${tests(similar(', provider: huggingface:sentence-similarity:a/b'))}`,
    )
    expect(embeddingModel).toBe('openai/text-embedding-3-large')
    expect(warnings).toEqual([expect.stringMatching(/"huggingface:sentence-similarity:a\/b" is not known here/)])
    expect(summary).toContain('1 changed')
  })
})

describe('an assert-set with a threshold', () => {
  const set = (fields: string) =>
    `{ type: assert-set, ${fields}assert: [{ type: contains, value: x, weight: 3 }, { type: contains, value: y }, { type: llm-rubric, value: kind }] }`
  const members = [
    { scoringMethod: 'regex-match', expectedOutput: 'x', weight: 3 },
    { scoringMethod: 'regex-match', expectedOutput: 'y' },
    { scoringMethod: 'llm-judge', expectedOutput: 'kind' },
  ]

  it('is a group with a pass mark and the weight of one assertion', async () => {
    const { testCases, warnings, suggestedJudges, judgeSystemPrompt } = await inline(
      `tests:\n  - vars: { a: 1 }\n    assert: [${set('threshold: 0.6, weight: 2, metric: style, ')}, { type: contains, value: z }]\n`,
    )
    expect(testCases[0]!['checks']).toEqual([
      { scoringMethod: 'group', name: 'style', checks: members, passAt: 0.6, weight: 2 },
      { scoringMethod: 'regex-match', expectedOutput: 'z' },
    ])
    expect([warnings, suggestedJudges]).toEqual([[], []])
    expect(judgeSystemPrompt).toBeDefined()
  })
  it('stays a group if it is the only one, also with a threshold of 0', async () => {
    const { testCases } = await inline(`tests:\n  - vars: { a: 1 }\n    assert: [${set('threshold: 0, ')}]\n`)
    expect(testCases[0]!['checks']).toEqual([{ scoringMethod: 'group', checks: members, passAt: 0 }])
  })
  it('of more than 1 cannot be a pass mark, and says so', async () => {
    const { testCases, warnings } = await inline(`tests:\n  - vars: { a: 1 }\n    assert: [${set('threshold: 2, ')}]\n`)
    expect(testCases[0]!['checks']).toHaveLength(3)
    expect(warnings).toEqual([expect.stringMatching(/threshold 2 of the set is not used/)])
  })
  it('loses no warning of its members, and is left out with all of them', async () => {
    const { testCases, warnings } = await inline(
      'tests:\n  - vars: { a: 1 }\n    assert: [{ type: assert-set, threshold: 0.5, assert: [{ type: python, value: x }] }]\n',
    )
    expect(testCases[0]).toMatchObject({ scoringMethod: 'none' })
    expect(warnings).toEqual([
      expect.stringMatching(/assertion 1\.1 \(python\): it is left out/),
      expect.stringMatching(/has no assertion left/),
    ])
  })
})

describe('graders', () => {
  it('are suggested as judges, and their prompts are read by the judge', async () => {
    const { testCases, suggestedJudges, warnings } = await inline(
      "defaultTest:\n  options:\n    provider: { text: { id: mistral:mistral-large-latest }, embedding: mistral:embedding:mistral-embed }\n    rubricPrompt:\n      - { role: system, content: 'Did it mention {{a}}?' }\n      - { role: user, content: 'Output: {{ output }}' }\ntests:\n  - vars: { a: gold }\n    assert:\n      - { type: llm-rubric }\n      - { type: llm-rubric, value: Is short, provider: openai:gpt-4o, rubricPrompt: 'Grade {{rubric}}' }\n",
    )
    expect(suggestedJudges.toSorted()).toEqual(['mistral/mistral-large-latest', 'openai/gpt-4o'])
    expect(testCases[0]).toMatchObject({
      checks: [
        {
          expectedOutput:
            'Instructions for grading, whose output format does not apply here:\nDid it mention gold?\n\nOutput: (the response)',
        },
        {
          expectedOutput:
            'Criterion: Is short\n\nInstructions for grading, whose output format does not apply here:\nGrade (the criterion)',
        },
      ],
    })
    expect(warnings).toEqual([])
  })
  it('that ask the same are one check for a panel', async () => {
    const { testCases, suggestedJudges } = await inline(
      'tests:\n  - vars: { a: 1 }\n    assert:\n      - { type: llm-rubric, value: Kind, provider: openai:gpt-4o, metric: by-gpt }\n      - { type: llm-rubric, value: Kind, provider: xai:grok-4, metric: by-grok }\n',
    )
    expect(testCases[0]?.['checks']).toEqual([{ scoringMethod: 'llm-judge', expectedOutput: 'Kind', name: 'by-gpt' }])
    expect(suggestedJudges).toEqual(['openai/gpt-4o', 'xai/grok-4'])
  })
})

describe('paths in a file of tests', () => {
  it('begin at that file, or else at the config', async () => {
    const { testCases } = await convert({
      'c.yaml': `${HEAD}tests: file://cases/*.yaml`,
      'top.txt': 'top',
      'both.txt': 'wrong',
      'cases/both.txt': 'own',
      'cases/rules/polite.txt': 'please',
      'cases/data/vars.yaml': 'a: from a file',
      'cases/one.yaml':
        '- { vars: { a: file://both.txt }, assert: [{ type: icontains, value: file://rules/polite.txt }] }\n- { vars: { a: file://top.txt }, assert: [{ type: icontains, value: file://rules/polite.txt }] }\n- { vars: data/vars.yaml, assert: [{ type: icontains, value: x }] }\n',
    })
    expect(testCases.map(({ prompt, expectedOutput }) => [prompt, expectedOutput])).toEqual([
      ['Say own', 'please'],
      ['Say top', 'please'],
      ['Say from a file', 'x'],
    ])
  })
  it('stay below the folder of the config', async () => {
    await expect(
      convert({
        'c.yaml': `${HEAD}tests: file://cases/one.yaml`,
        'cases/one.yaml': '- { vars: { a: file://../../secret.txt }, assert: [{ type: contains, value: x }] }\n',
      }),
    ).rejects.toThrow(/secret\.txt: is not read, because it is hidden or outside the folder/)
  })
})

describe('prompts', () => {
  const tests = 'tests:\n  - { vars: { a: A }, assert: [{ type: contains, value: x }] }\n'
  it('several become variants that every case is asked with', async () => {
    const { testCases, variants } = await convert({
      'c.yaml': `prompts: [file://p.txt, { raw: 'Three {{ a }} \\{{b.c}}', label: My third }, p.md]\ntests:\n  - { vars: { a: A, b: { c: '{{x}}' } }, assert: [{ type: contains, value: x }] }\n`,
      'p.txt': '\none {{a}}\n---\ntwo\n',
      'p.md': '# Four\n---\n{{a}}\n',
    })
    expect(testCases).toEqual([
      {
        id: 'test-1',
        scoringMethod: 'regex-match',
        expectedOutput: 'x',
        vars: { a: 'A', b: '{"c":"{{x}}"}', 'b.c': '{{x}}' },
      },
    ])
    expect(variants).toEqual([
      { name: 'prompt-1', prompt: 'one {{a}}' },
      { name: 'prompt-2', prompt: 'two' },
      { name: 'my-third', prompt: 'Three {{a}} \\\\{{b.c}}' },
      { name: 'p', prompt: '# Four\n---\n{{a}}' },
    ])
  })
  it('what a variant is asked is what promptfoo would send', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'benchmaker-promptfoo-'))
    folders.push(folder)
    const file = join(folder, 'c.yaml')
    await writeFile(
      file,
      "prompts: ['A {{ list[1] }} {{ who.name | upper }} \\{{b}}', [{ role: system, content: 'S {{b}}' }, { role: user, content: 'B {{ list | join(\", \") }}{{none}}' }]]\ntests:\n  - { vars: { list: [[p], q], who: { name: bo }, b: '{{c}} \\{{d}}' }, options: { prefix: '>' }, assert: [{ type: contains, value: x }] }\n",
    )
    const { suite, warnings } = await loadPromptfooConfig(file)
    const [first, second] = suite.variants!.map((variant) => questionOf(suite.testCases[0]!, variant))
    expect(first).toEqual({ prompt: '>A q BO \\{{c}} \\{{d}}' })
    expect(second).toEqual({
      messages: [
        { role: 'system', content: 'S {{c}} \\{{d}}' },
        { role: 'user', content: 'B ["p"], q' },
      ],
    })
    expect(warnings).toEqual([expect.stringMatching(/\{\{none\}\} of the prompts has no value and is left empty/)])
  })
  it.each<[string, string]>([
    [
      'p.json',
      '[{"role": "developer", "content": "Be {{a}}"}, {"role": "user", "content": [{"type": "text", "text": "{{a}}?"}]}]',
    ],
    [
      'p.yaml',
      "- { role: system, content: 'Be {{ a }}' }\n- role: user\n  content: [{ type: text, text: '{{a}}?' }]\n",
    ],
  ])('a chat in %s is messages', async (name, text) => {
    const { testCases } = await convert({
      'c.yaml': `prompts: file://${name}\n${tests.replace('a: A', `a: 'q"\\'`)}`,
      [name]: text,
    })
    expect(testCases[0]?.['messages']).toEqual([
      { role: 'system', content: 'Be q"\\' },
      { role: 'user', content: [{ type: 'text', text: 'q"\\?' }] },
    ])
  })
  it.each([
    ['[{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "{{pic}}"}}]}]'],
    ['[{"role": "user", "content": [{"type": "input_image", "image_url": "data:image/png;base64,{{pic}}"}]}]'],
    [
      '[{"role": "user", "content": [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "{{pic}}"}}]}]',
    ],
  ])('images of vendors’ forms come over, files as data: URLs: %s', async (prompt) => {
    const files = {
      'c.yaml':
        'prompts: file://p.json\ntests:\n  - { vars: { pic: file://dot.png }, assert: [{ type: contains, value: x }] }\n',
      'p.json': prompt,
      'dot.png': 'PNG!',
    }
    const image = { type: 'image', image: 'data:image/png;base64,UE5HIQ==' }
    const { testCases, warnings } = await convert(files)
    expect([testCases[0]?.['messages'], warnings]).toEqual([[{ role: 'user', content: [image] }], []])
  })
  it('a chat that is JSON only once its loops are filled is messages', async () => {
    const files = {
      'c.yaml':
        'prompts: [file://p.json]\ntests:\n  - { vars: { turns: [{ user: Hi }, { assistant: "He\\"y" }], q: "Bye?" }, assert: [{ type: contains, value: x }] }\n',
      'p.json':
        '[{% for turn in turns %}{% for role, text in turn %}{"role": "{{role}}", "content": {{ text | dump }}},{% endfor %}{% endfor %}{"role": "user", "content": {{ q | dump }}}]',
    }
    const { testCases, warnings } = await convert(files)
    expect([testCases[0]?.['messages'], warnings]).toEqual([
      [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'He"y' },
        { role: 'user', content: 'Bye?' },
      ],
      [],
    ])
    const two = await convert({
      ...files,
      'c.yaml': files['c.yaml'].replace('[file://p.json]', "[file://p.json, 'Say {{q}}']"),
    })
    expect(two.testCases[0]).toMatchObject({ prompt: 'Say Bye?' })
    expect(two.warnings).toEqual([
      expect.stringMatching(/p\.json:1: the prompt is a chat only once its loops are filled/),
    ])
  })
  it('an image on the web stays an address', async () => {
    const { testCases } = await convert({
      'c.yaml':
        'prompts: [[{ role: user, content: [{ type: input_text, text: "{{q}}" }, { type: input_image, image_url: "{{url}}" }] }]]\ntests:\n  - { vars: { q: What?, url: "https://example.com/a.jpg" }, assert: [{ type: contains, value: x }] }\n',
    })
    expect(testCases[0]?.['messages']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What?' },
          { type: 'image', image: 'https://example.com/a.jpg' },
        ],
      },
    ])
  })
  it('with more than plain variables are named and left out; none left is an error', async () => {
    const { testCases, warnings } = await convert({
      'c.yaml': `prompts: ['{{a | nl2br}}', '{% set a %}x', 'ok {{a}}', file://p.py, '{{env.KEY}}']\n${tests}`,
    })
    expect(testCases.map(({ id, prompt }) => [id, prompt])).toEqual([['test-1', 'ok A']])
    expect(warnings).toEqual([
      'c.yaml:1:56: the prompt "file://p.py" is made by code, which is not run here; it is left out',
      'c.yaml:1:11: the prompt uses {{a | nl2br}}: only values, simple filters, loops and conditions are supported; this prompt is left out',
      'c.yaml:1:28: the prompt uses {% set a %}: only values, simple filters, loops and conditions are supported; this prompt is left out',
      'c.yaml:1:69: the prompt uses {{env.KEY}}: only values, simple filters, loops and conditions are supported; this prompt is left out',
    ])
    await expect(convert({ 'c.yaml': `prompts: '{{a | nl2br}}'\n${tests}` })).rejects.toThrow(
      /^c\.yaml:1:1: none of the prompts can be used\nc\.yaml:1:1: the prompt uses \{\{a \| nl2br\}\}/,
    )
  })
})

describe('what cannot be taken over is named with file, test and assertion', () => {
  it('assertions that run code are left out, the test stays', async () => {
    const { testCases, warnings } = await inline(
      'tests:\n  - vars: { a: 1 }\n    assert:\n      - { type: javascript, value: output.length }\n      - { type: contains, value: x, threshold: 0.5, transform: y }\n      - { type: contains, value: file://c.js }\n',
    )
    expect(testCases).toMatchObject([{ scoringMethod: 'none' }])
    expect(warnings).toEqual([
      'c.yaml:8:9: test 1, assertion 3 (contains): it is left out: it runs code (file://c.js), which is not run here',
      'c.yaml:6:9: test 1, assertion 1 (javascript): it is left out: it runs code, which is done only with --allow-code',
      'c.yaml:7:9: test 1, assertion 2 (contains): it is left out: its transform "y" runs code, which is done only with --allow-code',
      'c.yaml:4:5: test 1: has no assertion left: its answers are collected, not scored',
    ])
  })
  it('a test without an assertion is kept, and its answers are only collected unless asked otherwise', async () => {
    const tests =
      'tests:\n  - vars: { a: 1 }\n  - vars: { a: 2 }\n    assert: [{ type: python, value: x }]\n  - vars: { a: 3 }\n    assert: [{ type: contains, value: x }]\n'
    const collected = await inline(tests)
    expect(collected.testCases.map(({ id, scoringMethod }) => [id, scoringMethod])).toEqual([
      ['test-1', 'none'],
      ['test-2', 'none'],
      ['test-3', 'regex-match'],
    ])
    expect(collected.warnings).toEqual([
      'c.yaml:6:14: test 2, assertion 1 (python): it is left out: it runs code, which is not run here',
      'c.yaml:5:5: test 2: has no assertion left: its answers are collected, not scored',
    ])
    expect(collected.summary).toContain('1 test without one: their answers are collected, not scored')
    const kept = await inline(tests, { keepUnchecked: true })
    expect(kept.testCases.map(({ scoringMethod }) => scoringMethod)).toEqual(['boolean', 'boolean', 'regex-match'])
    expect(kept.warnings).toContain('c.yaml:5:5: test 2: has no assertion left: every answer to it scores 100')
    expect(kept.summary).toContain('1 test without one: their answers score 100')
  })
  it('a config without any usable test is an error that says why', async () => {
    await expect(inline('tests: [{ vars: { a: file://x.py } }]')).rejects.toThrow(
      /none of its 1 tests can be used\nc\.yaml:3:19: the variable file:\/\/x\.py is made by code/,
    )
  })
  it('variables without a value, unknown fields, unknown providers', async () => {
    const { testCases, warnings, notes } = await convert({
      'c.yaml':
        "prompts: ['{{a}}{{b}}']\nproviders: [echo, { id: 'openai:o1', config: { temperature: 1 } }, 'python:x.py']\nevaluateOptions: { repeat: 2 }\ntests:\n  - vars: { a: 1 }\n    provider: x\n    options: { transform: t }\n    assert: [{ type: contains, value: '{{c}}d' }]\n",
    })
    expect(testCases).toMatchObject([{ prompt: '1', scoringMethod: 'none' }])
    expect(warnings).toEqual([
      'c.yaml:5:5: test 1: provider not used',
      'c.yaml:8:14: test 1, assertion 1 (contains): {{c}} has no value and is left empty',
      'c.yaml:8:14: test 1, assertion 1 (contains): it is left out: its transform "t" runs code, which is done only with --allow-code',
      'c.yaml:5:5: test 1: has no assertion left: its answers are collected, not scored',
      'c.yaml:5:5: test 1: {{b}} of the prompt has no value and is left empty',
    ])
    expect(notes).toEqual([
      'c.yaml:3:1: evaluateOptions.repeat: run the suite with --repeat 2',
      'c.yaml:2:13: provider "echo" is no model: it repeats the prompt: choose the models to run with --models',
      'c.yaml:2:68: provider "python:x.py" is code, which is not run here: choose the models to run with --models',
    ])
  })
  it.each<[string, RegExp]>([
    ['tests: file://none.csv', /^c\.yaml:3:1: none\.csv: there is no such file/],
    ['tests: file://t.xlsx', /t\.xlsx: Excel files are not read; save the sheet as CSV/],
    ['tests: [file://t/*.csv]', /^c\.yaml:3:9: .*there is no such folder/],
    ['tests: https://docs.google.com/x', /not fetched over the network/],
    ['tests: [{ vars: 5 }]', /^c\.yaml:3:11: vars: /],
    [
      `tests: [{ vars: { a: ${JSON.stringify(Array(400).fill('x'))}, b: ${JSON.stringify(Array(400).fill('x'))} } }]`,
      /make 160,000 tests/,
    ],
    [
      `tests: [{ vars: { a: '${'{{b}}'.repeat(99)}', b: '${'{{c}}'.repeat(99)}', c: '${'{{d}}'.repeat(99)}', d: '${'{{e}}'.repeat(99)}', e: long } }]`,
      /grows beyond/,
    ],
  ])('%# is refused with its place', async (tests, message) => {
    await expect(inline(tests)).rejects.toThrow(message)
  })
  it('cycles of variables and names of object methods do no harm', async () => {
    const { testCases, warnings } = await convert({
      'c.yaml':
        "prompts: '{{a}} {{constructor}}'\ntests: [{ vars: { a: '{{b}}', b: '{{a}}' }, assert: [{ type: contains, value: x }] }]",
    })
    expect(testCases[0]?.['prompt']).toBe('\\{{a}} ')
    expect(warnings).toHaveLength(1)
  })
  it('a pattern that cannot be read is left out, and one in Python’s way is read', async () => {
    const { testCases, warnings } = await convert({
      'c.yaml': `${HEAD}tests:\n  - vars: { a: 1 }\n    assert: [{ type: regex, value: '(' }, { type: regex, value: '(?i)paris|rome' }]\n`,
    })
    expect(testCases[0]).toMatchObject({ scoringMethod: 'regex-match', expectedOutput: '(?i:paris|rome)' })
    expect(warnings).toEqual([
      expect.stringContaining('test 1, assertion 1 (regex): it is left out: its pattern is not'),
    ])
  })
  it('what promptfoo does not read itself is not lost', async () => {
    const { warnings } = await convert({
      'c.yaml': `${HEAD}tests:\n  - vars: { a: 1 }\n    assert: [{ type: contains, value: x, reason: because }]\n`,
    })
    expect(warnings).toEqual([])
  })
})
