import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { loadPromptfooConfig, type PromptfooOptions } from './convert-config.ts'

const folders: string[] = []
afterEach(async () => {
  await Promise.all(folders.splice(0).map(async (folder) => rm(folder, { recursive: true })))
})

async function load(files: Record<string, string>, options: PromptfooOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'benchmaker-promptfoo-'))
  folders.push(folder)
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  const { suite, warnings, notes, ...rest } = await loadPromptfooConfig(join(folder, 'c.yaml'), options)
  const short = (text: string) => text.replaceAll(`${folder}/`, '')
  return { suite, warnings: warnings.map(short), notes: notes.map(short), ...rest }
}

const TESTS = 'tests: [{ vars: { a: 1 }, assert: [{ type: contains, value: x }] }]\n'
const providers = (lines: string, files: Record<string, string> = {}) =>
  load({ 'c.yaml': `prompts: ['Say {{a}}']\nproviders:\n${lines}\n${TESTS}`, ...files })

describe('a config comes over whole', () => {
  it('with figures, limits of time and weights on which no score depends', async () => {
    const { warnings, notes, summary } = await load({
      'c.yaml':
        'prompts: [Say it]\nproviders: [openai:gpt-5]\n' +
        'defaultTest: { options: { timeout: 9000, runSerially: true }, assert: [{ type: contains, value: z, metric: z, weight: 0 }] }\n' +
        'derivedMetrics: [{ name: share, value: x / z }]\n' +
        'tests: [{ assert: [{ type: contains, value: x, metric: x }] }]\n',
    })
    expect(warnings).toEqual([])
    expect(summary).toContain('1 assertion: 1 whole. Everything came over.')
    expect(notes).toEqual([
      expect.stringMatching(/derivedMetrics are not computed here/),
      expect.stringMatching(/its weight is 0, so no score depends on it/),
    ])
  })
  it('with tools that OpenAI runs itself: such a model is not asked without them', async () => {
    const { suite, warnings, notes, suggestedModels } = await providers(
      '  - { id: "openai:responses:o4-mini-deep-research", config: { max_output_tokens: 50000, tools: [{ type: web_search_preview }] } }\n  - openai:gpt-5',
    )
    expect(warnings).toEqual([])
    expect(notes.join('\n')).toMatch(/tools that OpenAI runs itself \(web_search_preview\)/)
    expect(suggestedModels).toEqual(['openai/gpt-5'])
    expect(suite.testCases[0]!.tools).toBeUndefined()
  })
  it('with Gemini choosing tools by itself, in either spelling', async () => {
    const { warnings } = await providers(
      '  - { id: "google:gemini-2.5-pro", config: { tool_config: { function_calling_config: { mode: auto } } } }',
    )
    expect(warnings).toEqual([])
  })
  it('with tests from the hub, each column a variable', async () => {
    const asked: unknown[] = []
    const readHub = (...given: unknown[]) => {
      asked.push(given)
      return Promise.resolve([{ question: 'Who?', choices: ['Ann', 'Bo'] }])
    }
    const config = (address: string) => ({
      'c.yaml': `prompts: ['{{question}} A) {{choices[0]}}']\nproviders: [openai:gpt-5]\ntests: [${address}]\n`,
    })
    const address = 'huggingface://datasets/own/quiz?split=dev&config=main&limit=1'
    const { suite, warnings } = await load(config(address), { readHub })
    expect(warnings).toEqual([])
    expect(suite.testCases[0]).toMatchObject({ prompt: 'Who? A) Ann' })
    await load(config('hf://datasets/own/quiz'), { readHub })
    expect(asked).toEqual([
      ['hf://datasets/own/quiz/main@dev', 1],
      ['hf://datasets/own/quiz@test', undefined],
    ])
    await expect(load(config(address))).rejects.toThrow(/not fetched over the network/)
  })
  it('with models of Bedrock, with how they reason', async () => {
    const { suite, warnings, notes, suggestedModels, summary } = await providers(
      '  - { id: "bedrock:us.anthropic.claude-sonnet-4-6", label: Thinking, config: { region: us-west-2, max_tokens: 2048, showThinking: true, thinking: { type: enabled, budget_tokens: 1024 } } }\n' +
        '  - { id: "bedrock:openai.gpt-5.5", config: { region: us-east-2, reasoning_effort: xhigh, top_k: 5, stop_sequences: END, seed: "7" } }',
    )
    expect(warnings).toEqual([])
    expect(summary).toContain('Everything came over.')
    expect(suggestedModels).toEqual(['bedrock/us.anthropic.claude-sonnet-4-6', 'bedrock/openai.gpt-5.5'])
    expect(suite.variants).toEqual([
      {
        name: 'thinking',
        models: ['bedrock/us.anthropic.claude-sonnet-4-6'],
        parameters: { maxTokens: 2048, thinkingBudget: 1024 },
      },
      {
        name: 'reasoning-effort-max-top-k-5-stop-seed-7',
        models: ['bedrock/openai.gpt-5.5'],
        parameters: { reasoningEffort: 'max', topK: 5, stop: ['END'], seed: 7 },
      },
    ])
    expect(notes[0]).toContain('region us-west-2 of provider "Thinking": where a model is served')
  })
  it.each([
    ['echo', 'no model: it repeats the prompt'],
    ['exec:./model.sh', 'code, which is not run here'],
    ['file://provider.py', 'code, which is not run here'],
    ['python:chat.py', 'code, which is not run here'],
    ['customProvider.js', 'code, which is not run here'],
    ['https://example.com/api', 'an HTTP endpoint of its own format'],
    ['wss://example.com', 'a WebSocket'],
    ['openai:assistant:asst_1', 'of a kind (assistant) that is not asked here'],
    ['nobody:knows-this', 'not a model known here'],
    ['openai:chat:{{env.MODEL}}', 'not a model known here'],
    ['constructor:x', 'not a model known here'],
  ])('with %s, which is named', async (id, kind) => {
    const { suite, warnings, notes, suggestedModels } = await providers(`  - ${JSON.stringify(id)}`)
    expect({ warnings, suggestedModels, cases: suite.testCases.length }).toEqual({
      warnings: [],
      suggestedModels: [],
      cases: 1,
    })
    expect(notes).toEqual([
      `c.yaml:3:5: provider ${JSON.stringify(id)} is ${kind}: choose the models to run with --models`,
    ])
  })
  it('with providers in a file', async () => {
    const { suite, suggestedModels } = await providers('  - file://p/all.yaml', {
      'p/all.yaml':
        '- { id: openai:gpt-4o, label: cold, config: { temperature: 0 } }\n- { id: openai:gpt-4o, label: hot, config: { temperature: 1 } }\n',
    })
    expect(suggestedModels).toEqual(['openai/gpt-4o'])
    expect(suite.variants?.map(({ name, parameters }) => [name, parameters])).toEqual([
      ['cold', { temperature: 0 }],
      ['hot', { temperature: 1 }],
    ])
  })
  it('with tools in files, one of a list too', async () => {
    const { suite, warnings } = await providers(
      '  - { id: openai:gpt-4o, config: { tools: ["file://look.json", { type: function, function: { name: book } }] } }',
      { 'look.json': '{ "type": "function", "function": { "name": "look" } }' },
    )
    expect(warnings).toEqual([])
    expect(suite.testCases[0]?.['tools']).toEqual([
      { type: 'function', function: { name: 'look' } },
      { type: 'function', function: { name: 'book' } },
    ])
  })
  it('with messages as Adaline writes them', async () => {
    const { suite, warnings } = await load({
      'c.yaml': `prompts: [file://p.json]\n${TESTS}`,
      'p.json': JSON.stringify([
        {
          role: 'user',
          content: [
            { modality: 'text', value: 'See {{a}}' },
            { modality: 'image', detail: 'auto', value: { type: 'url', url: 'https://example.com/a.png' } },
            { modality: 'image', detail: 'auto', value: { type: 'base64', base64: 'iVBORw0KGgo=', mediaType: 'png' } },
          ],
        },
      ]),
    })
    expect(warnings).toEqual([])
    expect(suite.testCases[0]?.messages?.[0]?.content).toEqual([
      { type: 'text', text: 'See 1' },
      { type: 'image', image: 'https://example.com/a.png' },
      { type: 'image', image: 'data:image/png;base64,iVBORw0KGgo=' },
    ])
  })
  it('with an effort among the further fields of a Bedrock request, and marks for caching', async () => {
    const { suite, warnings } = await providers(
      '  - { id: "bedrock:converse:us.anthropic.claude-sonnet-5", config: { thinking: { type: adaptive, display: summarized }, additionalModelRequestFields: { output_config: { effort: high } } } }\n' +
        '  - { id: anthropic:messages:claude-sonnet-4-6, config: { cache_control: { type: ephemeral } } }',
    )
    expect(warnings).toEqual([])
    expect(suite.variants?.[0]).toMatchObject({ parameters: { reasoningEffort: 'high' } })
  })
  it('with a prompt that no provider uses, which promptfoo sends to none either', async () => {
    const { warnings, notes } = await load({
      'c.yaml':
        'prompts: { p.txt: used, q.txt: idle }\nproviders: [{ id: openai:gpt-4o, prompts: [used] }, { id: openai:gpt-5, prompts: [used], config: { temperature: 1 } }]\n' +
        TESTS,
      'p.txt': 'Say {{a}}',
      'q.txt': 'Ask {{a}}',
    })
    expect(warnings).toEqual([])
    expect(notes).toEqual(['q.txt:1: the prompt "idle" is left out: no provider uses it'])
  })
  it('with what its own env says, and never with the environment of this machine', async () => {
    const { suite, suggestedModels, warnings } = await load({
      'c.yaml': `env: { LANG_NAME: French, MODEL: gpt-4o, API_TOKEN: t-1 }\nprompts: [file://p.txt]\nproviders: ['openai:chat:{{ env.MODEL }}', "openai:{{env.OTHER | default('gpt-4.1')}}"]\n${TESTS}`,
      'p.txt': 'To {{env.LANG_NAME}}: {{a}}',
    })
    expect(suite.testCases[0]?.prompt).toBe('To French: 1')
    expect(suggestedModels).toEqual(['openai/gpt-4o', 'openai/gpt-4.1'])
    expect(warnings).toEqual([])
    await expect(
      load({ 'c.yaml': `env: { API_TOKEN: t-1 }\nprompts: ['{{env.API_TOKEN}}{{env.PATH}}']\n${TESTS}` }),
    ).rejects.toThrow(/the prompt uses \{\{env\.API_TOKEN\}\}/)
  })
  it('with Gemini’s and Bedrock’s ways to write functions and formats', async () => {
    const schema = '{ type: object, properties: { city: { type: string } } }'
    const { suite, warnings } = await providers(
      `  - { id: google:gemini-2.5-flash, config: { systemInstruction: { parts: [{ text: Be brief. }] }, generationConfig: { response_mime_type: application/json, response_schema: ${schema}, thinkingConfig: { thinkingBudget: 0 } }, tools: [{ functionDeclarations: [{ name: look, parameters: { type: OBJECT } }] }] } }\n` +
        '  - { id: "bedrock:amazon.nova-lite-v1:0", config: { toolConfig: { toolChoice: { auto: {} }, tools: [{ toolSpec: { name: look, inputSchema: { json: { type: object } } } }] } } }',
    )
    expect(warnings).toEqual([])
    expect(suite.testCases[0]?.['tools']).toEqual([
      { type: 'function', function: { name: 'look', parameters: { type: 'object' } } },
    ])
    expect(suite.variants?.[0]).toMatchObject({
      systemPrompt: 'Be brief.',
      parameters: { responseFormat: { type: 'object' }, thinkingBudget: 0 },
    })
  })
})

describe('two variants are never the same without a word', () => {
  it('prompts differ by their own config', async () => {
    const format = (name: string) =>
      `{ response_format: { type: json_schema, json_schema: { schema: { type: object, required: [${name}] } } } }`
    const { suite, warnings } = await load({
      'c.yaml': `prompts:\n  - { label: With steps, raw: 'Solve {{a}}', config: ${format('steps')} }\n  - { label: Without, raw: 'Solve {{a}}', config: ${format('answer')} }\nproviders: [openai:gpt-4o]\n${TESTS}`,
    })
    expect(warnings).toEqual([])
    expect(suite.variants).toEqual([
      {
        name: 'with-steps',
        prompt: 'Solve {{a}}',
        parameters: { responseFormat: { type: 'object', required: ['steps'] } },
      },
      {
        name: 'without',
        prompt: 'Solve {{a}}',
        parameters: { responseFormat: { type: 'object', required: ['answer'] } },
      },
    ])
  })
  it('the config of a single prompt makes a variant, and what it cannot hold is named', async () => {
    const { suite, warnings } = await load({
      'c.yaml': `prompts: [{ label: p, raw: 'Solve {{a}}', config: { temperature: 0, sparkle: 3 } }]\n${TESTS}`,
    })
    expect(suite.variants).toEqual([{ name: 'temperature-0', parameters: { temperature: 0 } }])
    expect(warnings).toEqual(['c.yaml:1:11: sparkle of the prompt "p" not used: a prompt has no such parameter here'])
  })
  it('providers that differ only in what is lost are named as one', async () => {
    const { warnings } = await providers(
      '  - { id: openai:gpt-4o, label: A, config: { sparkle: 1 } }\n  - { id: openai:gpt-4o, label: B, config: { sparkle: 2 } }',
    )
    expect(warnings).toContain(
      'c.yaml:4:5: provider "B" and provider "A" are the same model with the same parameters here: they are one contestant',
    )
  })
})

describe('assertions in JavaScript', () => {
  const checks = async (value: string, config = '{}', options: PromptfooOptions = {}) =>
    load(
      {
        'c.yaml': `prompts: ['Say {{a}}']\nproviders: [{ id: openai:gpt-4o, config: ${config} }]\ntests:\n  - vars: { a: 1 }\n    assert: [{ type: javascript, value: ${JSON.stringify(value)} }]\n`,
      },
      options,
    )
  const SCHEMA = '{ response_format: { type: json_schema, json_schema: { schema: { type: object } } } }'
  it('come over without code if they say no more than a check', async () => {
    const { suite, warnings } = await checks('output.length < 500')
    expect(suite.testCases[0]).toMatchObject({
      scoringMethod: 'regex-match',
      expectedOutput: String.raw`^(?=[\s\S]{0,499}$)`,
    })
    expect(warnings).toEqual([])
  })
  it('read the parsed answer where the format is a schema', async () => {
    expect((await checks("output.kind === 'bill'", SCHEMA)).suite.testCases[0]).toMatchObject({
      scoringMethod: 'json-schema',
    })
    expect((await checks("output.kind === 'bill'", SCHEMA, { allowCode: true })).suite.testCases[0]).toMatchObject({
      scoringMethod: 'javascript',
      transform: [expect.stringContaining('JSON.parse(output)')],
    })
  })
  it('read the text where the format is JSON of any shape: chat completions are parsed for a schema only', async () => {
    const JSON_OBJECT = '{ response_format: { type: json_object } }'
    expect((await checks("JSON.parse(output).kind === 'bill'", JSON_OBJECT)).suite.testCases[0]).toMatchObject({
      scoringMethod: 'json-schema',
    })
    expect((await checks("output.kind === 'bill'", JSON_OBJECT)).warnings[0]).toContain('--allow-code')
  })
  it('stay code where promptfoo would hand them calls', async () => {
    const tools = '{ tools: [{ type: function, function: { name: f } }] }'
    expect((await checks("output.includes('x')", tools)).warnings).toEqual([
      expect.stringContaining('it runs code, which is done only with --allow-code'),
      expect.stringContaining('has no assertion left'),
    ])
  })
})

it('attacks that promptfoo has still to write are no suite', async () => {
  await expect(
    load({ 'c.yaml': "prompts: ['{{prompt}}']\nproviders: [openai:gpt-4o]\nredteam: { plugins: [harmful] }\n" }),
  ).rejects.toThrow(/c\.yaml:3:1: its tests are written by promptfoo's red team plugins.*redteam generate/s)
})
