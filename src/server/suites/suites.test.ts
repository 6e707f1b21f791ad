import type { SuiteSummary } from './suite-summaries.ts'
import type { SuiteColumns, SuiteHistory, SuiteImport } from './routes.ts'
import type { SuiteDocument } from './suite-documents.ts'
import type { ScorerInfo } from './scorer-list.ts'
import type { GeneratedCases } from './generate-cases.ts'
import type { ApiError } from '../../contract/index.ts'
import { parse } from 'yaml'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { composeServer } from '../../cli/compose-server.ts'
import { startModelServer, type ModelServer } from '../../../test/fakes/model-server.ts'
import { startServer, type StartedServer } from '../testing/started-server.ts'

let server: StartedServer
let models: ModelServer
let answer = '[]'
beforeAll(async () => {
  models = await startModelServer({ answer: () => answer, cost: 0.25 })
  server = await startServer({ compose: composeServer })
  await server.send('PUT', '/api/settings/endpoints/local', { name: 'local', baseUrl: models.baseUrl })
})
afterAll(async () => {
  await server.remove()
  await models.close()
})

const suite = {
  name: 'Capitals',
  testCases: [
    {
      id: 'a',
      prompt: 'Capital of {{country}}?',
      vars: { country: 'France' },
      scoringMethod: 'exact-match',
      expectedOutput: 'Paris',
    },
  ],
}
const list = async () => await server.get<SuiteSummary[]>('/api/suites')
const create = async (raw: object = suite) => await server.send<SuiteDocument>('POST', '/api/suites', { suite: raw })

describe('the example suites', () => {
  it('are added to an empty database, the simple one first, which needs no judge', async () => {
    const [first, second] = (await list()).filter(({ isExample }) => isExample)
    expect(first).toMatchObject({ name: 'First look', cases: 30, needsJudge: false, version: 1 })
    expect(second).toMatchObject({ name: 'Everyday work', cases: 24, needsJudge: true })
    expect(Object.keys(second!.methods).length).toBeGreaterThan(5)
  })
  it('do not come back once deleted, even after a restart', async () => {
    const own = await startServer({ compose: composeServer })
    await own.send('DELETE', '/api/suites/example-first-look')
    await own.close()
    const again = await startServer({ compose: composeServer, dataFolder: own.dataFolder })
    expect((await again.get<SuiteSummary[]>('/api/suites')).map(({ id }) => id)).toEqual(['example-everyday-work'])
    await again.remove()
  })
})

describe('a suite', () => {
  it('is stored as edited, with its variables, under a generated id', async () => {
    const { id, version } = await create()
    expect(id).toMatch(/^\d{8}-\d{6}-\w{4}$/)
    expect(version).toBe(1)
    expect(await server.get(`/api/suites/${id}`)).toMatchObject({ id, version: 1, suite, warnings: [] })
  })
  it('gets a new version with each save; a save based on an older version is refused and nothing is lost', async () => {
    const { id } = await create()
    const changed = { ...suite, name: 'Capitals of Europe' }
    expect(await server.send('PUT', `/api/suites/${id}`, { suite: changed, after: 1 })).toMatchObject({ version: 2 })
    const late = await server.try('PUT', `/api/suites/${id}`, { suite: { ...suite, name: 'Late' }, after: 1 })
    expect([late.status, Object(late.json())['error']]).toEqual([
      409,
      expect.objectContaining({ code: 'version-conflict' }),
    ])
    expect(await server.get(`/api/suites/${id}`)).toMatchObject({ version: 2, suite: changed })
    expect(await server.get(`/api/suites/${id}?version=1`)).toMatchObject({ version: 1, suite })
    const history = await server.get<SuiteHistory>(`/api/suites/${id}/history`)
    expect(history.versions.map(({ version }) => version)).toEqual([2, 1])
  })
  it('that cannot be used is refused with the path of every problem', async () => {
    const broken = {
      name: 'B',
      testCases: [
        { id: 'a', prompt: '{{x}}', scoringMethod: 'regex-match', expectedOutput: '(' },
        { id: 'a', prompt: 'p', scoringMethod: 'nope', weight: 1 },
      ],
    }
    const reply = await server.try('POST', '/api/suites', { suite: broken })
    expect(reply.status).toBe(422)
    const problems = reply.json<ApiError>().error.problems ?? []
    expect(problems.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        ['testCases', 0, 'prompt'],
        ['testCases', 0, 'expectedOutput'],
        ['testCases', 1, 'scoringMethod'],
        ['testCases', 1, 'id'],
      ]),
    )
    expect(await server.send('POST', '/api/suites/check', { suite: broken })).toMatchObject({ problems })
  })
  it('with an unknown field is accepted with a warning; one with an image path is not', async () => {
    expect(await create({ ...suite, colour: 'red' })).toMatchObject({
      warnings: [{ path: ['colour'], message: expect.any(String) }],
    })
    const withImagePath = {
      name: 'P',
      testCases: [
        {
          id: 'a',
          messages: [{ role: 'user', content: [{ type: 'image', image: '/etc/passwd' }] }],
          scoringMethod: 'boolean',
        },
      ],
    }
    expect(await server.send('POST', '/api/suites/check', { suite: withImagePath })).toMatchObject({
      problems: [{ path: ['testCases', 0, 'messages', 0, 'content', 0, 'image'] }],
    })
  })
  it('can be deleted', async () => {
    const { id } = await create()
    await server.send('DELETE', `/api/suites/${id}`)
    expect((await server.try('GET', `/api/suites/${id}`)).status).toBe(404)
    expect((await server.try('DELETE', `/api/suites/${id}`)).status).toBe(404)
  })
})

describe('import', () => {
  const importText = async (fileName: string, text: string) =>
    await server.send<SuiteImport>('POST', '/api/suites/import', { fileName, text })

  it('reads YAML, JSON, CSV, JSON lines and promptfoo configs, and saves nothing', async () => {
    const before = (await list()).length
    expect(
      await importText(
        's.yaml',
        'name: Y\ntestCases:\n  - { id: a, prompt: "{{x}}", vars: { x: 1 }, scoringMethod: boolean }',
      ),
    ).toMatchObject({
      format: 'suite',
      suite: { name: 'Y', testCases: [{ prompt: '{{x}}' }] },
    })
    expect(await importText('s.csv', 'prompt,scoringMethod,expectedOutput\nhi,exact-match,ho\n')).toMatchObject({
      format: 'csv',
      suite: { testCases: [{ prompt: 'hi' }] },
    })
    expect(await importText('s.jsonl', '{"id":"a","prompt":"p","scoringMethod":"boolean"}\n')).toMatchObject({
      format: 'jsonl',
    })
    const config =
      'prompts: ["Say {{word}}"]\nproviders: [openai:gpt-4o]\ntests:\n  - vars: { word: hi }\n    assert: [{ type: contains, value: hi }]'
    expect(await importText('promptfooconfig.yaml', config)).toMatchObject({
      format: 'promptfoo',
      suite: { testCases: [{ prompt: 'Say hi' }] },
      suggestedModels: ['openai/gpt-4o'],
    })
    expect(await list()).toHaveLength(before)
  })
  it('opens no file that a config refers to, in any way', async () => {
    const configs = [
      'prompts: [file:///etc/hostname]\ntests: []',
      'prompts: [/etc/prompt.txt]\ntests: []',
      'prompts: { /etc/prompt.txt: label }\ntests: []',
      'prompts: [{ id: ../prompt.md }]\ntests: []',
      'prompts: [hi]\ntests: /etc/tests.csv',
      'prompts: [hi]\ntests: [/etc/tests.csv]',
      'prompts: [hi]\ntests: { path: /etc/tests.csv }',
      'prompts: [hi]\ntests: [{ vars: /etc/vars.yaml }]',
      'prompts: [hi]\ntests: [{ vars: [/etc/vars.yaml] }]',
      'prompts: [hi]\ntests: [{ vars: { a: "file:///etc/hostname" } }]',
      'prompts: [hi]\ndefaultTest: "file:///etc/x.yaml"\ntests: []',
      'prompts: [hi]\nscenarios: ["file:///etc/x.yaml"]',
      'prompts: [hi]\nscenarios: [{ config: /etc/x.yaml, tests: [] }]',
      'prompts: [hi]\ntests: [{ assert: [{ type: contains, value: "file:///etc/hostname" }] }]',
    ]
    for (const config of configs) {
      const reply = await server.try('POST', '/api/suites/import', { fileName: 'promptfooconfig.yaml', text: config })
      expect([reply.status, reply.text]).toEqual([422, expect.stringContaining('only the text itself is read here')])
    }
  })
  it('reads a promptfoo config with the files of its folder, and nothing from the disk', async () => {
    const text =
      'prompts: [file://prompts/*.txt]\nproviders: [openai:gpt-4o]\ntests: file://tests.csv\ndefaultTest: { assert: [{ type: javascript, value: "true" }] }\n'
    const files = [
      { path: 'prompts/a.txt', text: 'A {{q}}' },
      { path: './prompts/b.txt', text: 'B {{q}}' },
      { path: 'tests.csv', text: 'q,__expected\nhello,icontains: hi\n' },
    ]
    const imported = await server.send<SuiteImport>('POST', '/api/suites/import', {
      fileName: 'promptfooconfig.yaml',
      text,
      files,
    })
    expect(imported).toMatchObject({
      format: 'promptfoo',
      suite: {
        variants: [
          { name: 'a', prompt: 'A {{q}}' },
          { name: 'b', prompt: 'B {{q}}' },
        ],
        testCases: [{ vars: { q: 'hello' }, scoringMethod: 'boolean', expectedOutput: 'hi' }],
      },
      summary: expect.stringMatching(/^From promptfoo: 2 prompts, 1 test as 1 case, 2 assertions: 1 whole, 1 lost/),
    })
    await create({ ...imported.suite, name: 'Dropped' })
    for (const path of ['/etc/hostname', '../../../etc/hostname', 'missing.txt']) {
      const config = `prompts: ['${path === 'missing.txt' ? path : `file://${path}`}']\ntests: [{ vars: { q: 1 } }]\n`
      const reply = await server.try('POST', '/api/suites/import', {
        fileName: 'promptfooconfig.yaml',
        text: config,
        files,
      })
      expect([reply.status, reply.text]).toEqual([422, expect.stringContaining('was not among the 3 files')])
    }
  })
  it('previews a table and reads it with the columns that were chosen', async () => {
    const file = { fileName: 'qa.csv', text: 'question,answer\n2+2?,4\n' }
    const { table } = await server.send<SuiteColumns>('POST', '/api/suites/columns', file)
    expect(table).toEqual({
      columns: ['question', 'answer'],
      rows: [{ question: '2+2?', answer: '4' }],
      guess: { prompt: 'question', expectedOutput: 'answer' },
    })
    expect(await server.send<SuiteImport>('POST', '/api/suites/import', file)).toMatchObject({
      format: 'dataset',
      dataset: { recipe: 'maths', recipes: expect.arrayContaining(['facts', 'guess']) },
    })
    expect(await server.send<SuiteImport>('POST', '/api/suites/import', { ...file, recipe: 'facts' })).toMatchObject({
      dataset: { recipe: 'facts' },
    })
    expect((await server.try('POST', '/api/suites/import', { ...file, recipe: 'nope' })).status).toBe(422)
    expect(
      await server.send<SuiteImport>('POST', '/api/suites/import', {
        ...file,
        map: { ...table?.guess, scoringMethod: 'boolean' },
      }),
    ).toMatchObject({ format: 'csv', suite: { testCases: [{ prompt: '2+2?', scoringMethod: 'boolean' }] } })
    const wrong = await server.try('POST', '/api/suites/import', { ...file, map: { prompt: 'frage' } })
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('the columns are')])
    const other = await server.send<SuiteColumns>('POST', '/api/suites/columns', {
      fileName: 's.yaml',
      text: 'name: Y',
    })
    expect(other.table).toBeNull()
  })
  it('says where the error in a text is', async () => {
    const reply = await server.try('POST', '/api/suites/import', {
      fileName: '../../x/s.yaml',
      text: 'name: Y\ntestCases:\n  - { id: a }',
    })
    expect(reply.status).toBe(422)
    expect(reply.text).toContain('s.yaml:3')
    expect(reply.text).not.toContain('../')
  })
  it('refuses a text that contains itself or is nested without end, with its place', async () => {
    const head =
      'name: Y\ntestCases:\n  - id: a\n    prompt: p\n    scoringMethod: exact-match\n    expectedOutput: x\n'
    const deep = '['.repeat(50_000) + ']'.repeat(50_000)
    for (const [fileName, text, place] of [
      ['s.yaml', `${head}    metadata: &m { self: *m }\n`, 's.yaml:7:26: *m contains itself'],
      ['s.yaml', `${head}    metadata: ${deep}\n`, 'nested deeper than 90 levels'],
      ['s.json', `{"name":"Y","testCases":[{"id":"a","metadata":${deep}}]}`, 's.json:1:134: is nested'],
    ]) {
      const reply = await server.try('POST', '/api/suites/import', { fileName, text })
      expect([reply.status, reply.text]).toEqual([422, expect.stringContaining(place!)])
    }
    const raw = `{"suite":{"name":"Y","testCases":[{"id":"a","metadata":${deep}}]}}`
    const reply = await server.ask('/api/suites', {
      method: 'POST',
      headers: { ...server.session, origin: server.origin, 'content-type': 'application/json' },
      body: raw,
    })
    expect([reply.status, reply.text]).toEqual([413, expect.stringContaining('nested deeper than 100 levels')])
  })
})

describe('export', () => {
  it('in each format can be imported again, and has a safe file name', async () => {
    const { id } = await create({ ...suite, name: '../Größe "x"\r\nSet-Cookie: a=b' })
    for (const format of ['yaml', 'json', 'csv', 'jsonl']) {
      const reply = await server.try('GET', `/api/suites/${id}/export?format=${format}`)
      expect(reply.status).toBe(200)
      expect(reply.headers['set-cookie']).toBeUndefined()
      expect(reply.headers['content-disposition']).toMatch(
        /^attachment; filename="[\w .=-]+"; filename\*=UTF-8''[\w%.!~*()-]+$/,
      )
      const again = await server.send<SuiteImport>('POST', '/api/suites/import', {
        fileName: `s.${format}`,
        text: reply.text,
      })
      expect(again.suite['testCases']).toMatchObject([
        { id: 'a', scoringMethod: 'exact-match', expectedOutput: 'Paris' },
      ])
    }
    const yaml = await server.try('GET', `/api/suites/${id}/export`)
    expect(parse(yaml.text)).toMatchObject({ testCases: suite.testCases })
  })
  it('in an unknown or unsuitable format is refused with a reason', async () => {
    expect((await server.try('GET', '/api/suites/example-first-look/export?format=exe')).text).toContain(
      'the formats are yaml, json, jsonl, csv',
    )
    expect((await server.try('GET', '/api/suites/example-first-look/export?format=csv')).text).toContain(
      'summary-checks has several checks',
    )
  })
})

describe('scorers', () => {
  it('describe their options for a form, and how often to run (the seed’s Confidence Guidelines)', async () => {
    const scorers = await server.get<ScorerInfo[]>('/api/scorers')
    const find = (name: string) => scorers.find((scorer) => scorer.name === name)
    for (const name of ['exact-match', 'regex-match', 'numeric-tolerance', 'boolean'])
      expect(find(name)?.runsNeeded).toBe('1')
    expect(find('llm-judge')).toMatchObject({ runsNeeded: '3-5', isJudge: true, expectedOutput: 'optional' })
    expect(find('numeric-tolerance')?.options.properties['tolerance']).toMatchObject({
      type: 'number',
      default: 0.01,
      description: expect.any(String),
    })
    expect(find('json-schema')?.options.required).toEqual(['schema'])
  })
})

describe('trying a scorer', () => {
  const tryIt = (testCase: object, response: string, more: object = {}) =>
    server.send('POST', '/api/suites/try', { testCase, response, ...more })

  it('scores an entered answer with variables filled, and saves nothing', async () => {
    expect(
      await tryIt(
        { prompt: 'p', scoringMethod: 'exact-match', expectedOutput: '{{x}}', vars: { x: 'Paris' } },
        'paris',
      ),
    ).toMatchObject({ score: { score: 0.95 } })
    expect(
      await tryIt(
        { prompt: 'p', scoringMethod: 'regex-match', expectedOutput: '^(a+)+$', deadlineMs: 50 },
        `${'a'.repeat(40)}!`,
      ),
    ).toMatchObject({ unscored: { code: 'regex-timeout' } })
    expect(
      await tryIt({ prompt: 'p', scoringMethod: 'tool-calls', expectedCalls: [{ name: 'f' }] }, '', {
        toolCalls: [{ name: 'f', arguments: {} }],
      }),
    ).toMatchObject({ score: { score: 1 } })
  })
  it('never runs code of a suite, which is refused when it is checked', async () => {
    const testCase = { id: 'a', prompt: 'p', scoringMethod: 'javascript', code: 'true' }
    const suiteWithCode = { name: 'Code', testCases: [testCase] }
    const refused = expect.stringContaining('the web app never runs code')
    const tried = await server.try('POST', '/api/suites/try', { testCase, response: 'x' })
    expect([tried.status >= 400, tried.text]).toEqual([true, refused])
    expect(await server.send('POST', '/api/suites/check', { suite: suiteWithCode })).toMatchObject({
      problems: [{ message: refused }],
    })
  })
  it('says whether the answer passes, by the mark of the case or of the suite', async () => {
    const testCase = { prompt: 'p', scoringMethod: 'exact-match', expectedOutput: 'Paris' }
    const passes = async (fields: object, response: string, more: object = {}) =>
      Object(await tryIt({ ...testCase, ...fields }, response, more))['passed']
    expect([await passes({}, 'paris'), await passes({}, 'It is Paris')]).toEqual([true, false])
    expect(await passes({ passAt: 0.7 }, 'It is Paris')).toBe(true)
    expect(await passes({}, 'It is Paris', { passAt: 0.7 })).toBe(true)
    expect(await passes({ passAt: 1 }, 'paris', { passAt: 0.7 })).toBe(false)
    expect(await passes({}, 'paris', { passAt: 'unfinished' })).toBe(true)
  })
  it('asks the judge, and says so if there is none', async () => {
    const judged = { prompt: 'Why?', scoringMethod: 'llm-judge', expectedOutput: 'because of rain' }
    expect(await tryIt(judged, 'because of rain', { judgeModelIds: ['demo/judge'] })).toMatchObject({
      score: { score: 1, judges: [{ judgeModelId: 'demo/judge' }] },
    })
    expect((await server.try('POST', '/api/suites/try', { testCase: judged, response: 'x' })).text).toContain(
      'choose a judge',
    )
  })
  it('asks the embedding model of the case or of the suite, and says so if it has no key', async () => {
    const testCase = { prompt: 'Why?', scoringMethod: 'similar', expectedOutput: 'because of rain' }
    const embeddingModel = 'demo/embedding'
    const similar = { score: { notes: expect.stringContaining('demo/embedding, simulated') }, passed: true }
    expect(await tryIt({ ...testCase, embeddingModel }, 'Because of RAIN')).toMatchObject(similar)
    expect(await tryIt(testCase, 'Because of RAIN', { embeddingModel })).toMatchObject(similar)
    expect(await tryIt({ ...testCase, embeddingModel: 'demo/good' }, 'x')).toMatchObject({
      unscored: { code: 'embedding-failed' },
    })
    const reply = await server.try('POST', '/api/suites/try', { testCase, response: 'x', embeddingModel: '' })
    expect([reply.status, reply.text]).toEqual([expect.any(Number), expect.stringContaining('no key')])
    expect(reply.status).toBeLessThan(500)
  })
  it('scores a group of checks', async () => {
    const checks = [
      { scoringMethod: 'boolean', expectedOutput: 'a' },
      { scoringMethod: 'boolean', expectedOutput: 'b' },
    ]
    const group = { prompt: 'p', checks: [{ scoringMethod: 'group', checks, passAt: 0.5 }] }
    expect(await tryIt(group, 'only a')).toMatchObject({ score: { score: 0.5 }, passed: true })
  })
  it('reports problems by the fields of the case', async () => {
    const reply = await server.try('POST', '/api/suites/try', {
      testCase: { prompt: 'p', scoringMethod: 'regex-match', expectedOutput: '(' },
      response: 'x',
    })
    expect([reply.status, Object(reply.json())['error']]).toEqual([
      422,
      expect.objectContaining({ problems: [{ path: ['expectedOutput'], message: expect.any(String) }] }),
    ])
  })
})

describe('generating cases', () => {
  const generate = async (modelId: string, more: object = {}) =>
    await server.send<GeneratedCases>('POST', '/api/suites/generate', {
      modelId,
      description: 'spare parts',
      count: 5,
      ...more,
    })

  it('takes the usable cases that the model writes, and lists the others', async () => {
    answer = `Here they are:\n\`\`\`json\n${JSON.stringify([
      { id: 'Fine One!', prompt: 'p', scoringMethod: 'exact-match', expectedOutput: 'x' },
      { id: 'fine one', prompt: 'p', scoringMethod: 'boolean', expectedOutput: 'x' },
      { id: 'bad', prompt: 'p', scoringMethod: 'regex-match', expectedOutput: '(' },
      'no case',
    ])}\n\`\`\``
    const { testCases, leftOut, cost } = await generate('local/fake')
    expect(testCases.map(({ id }) => id)).toEqual(['fine-one', 'fine-one-2'])
    expect(testCases[0]).toMatchObject({ scoringMethod: 'exact-match', partial: false })
    expect(leftOut).toHaveLength(2)
    expect(cost).toBe(0.25)
    const [request] = models.requests.slice(-1)
    expect(request).toMatchObject({ model: 'fake', prompt: expect.stringContaining('spare parts') })
    expect(request?.prompt).toContain('numeric-tolerance')
  })
  it('says so if the model wrote no cases', async () => {
    answer = 'I would rather not.'
    expect(await generate('local/fake')).toMatchObject({
      testCases: [],
      leftOut: [expect.stringContaining('I would rather not')],
    })
  })
  it('with a simulated model returns cases that can run, tagged as simulated', async () => {
    const { testCases } = await generate('demo/good')
    expect(testCases).toHaveLength(5)
    expect(testCases.slice(0, 2)).toMatchObject([{ answer: 'last' }, { partial: false }])
    for (const testCase of testCases)
      expect(testCase).toMatchObject({
        metadata: { tags: ['simulated'] },
        prompt: expect.stringContaining('spare parts'),
      })
    for (const scoringMethod of ['numeric-tolerance', 'exact-match', 'regex-match', 'boolean', 'llm-judge'])
      expect(
        (await generate('demo/poor', { scoringMethod })).testCases.every(
          (testCase) => testCase.scoringMethod === scoringMethod,
        ),
      ).toBe(true)
    expect(await generate('demo/good', { scoringMethod: 'json-schema' })).toMatchObject({
      testCases: [],
      leftOut: [expect.stringContaining('json-schema')],
    })
    const checked = await server.send('POST', '/api/suites/check', { suite: { name: 'G', testCases } })
    expect(checked).toEqual({ problems: [], warnings: [] })
  })
})
