import { describe, expect, it } from 'vitest'
import { runRequestSchema, type RunRequestInput, type Suite } from '../contract/index.ts'
import { scorers } from '../scoring/index.ts'
import { buildRequest, planRun, requestOf, taskOf, findLackingSecrets, withHeaders, withoutSecrets } from './plan.ts'

const testCase = { prompt: '?', scoringMethod: 'boolean', weight: 1 }
const suite: Suite = {
  name: 'S',
  testCases: [
    { ...testCase, id: 'a', metadata: { category: 'maths' } },
    { ...testCase, id: 'b', metadata: { tags: ['quick', 'json'] } },
    { ...testCase, id: 'c' },
  ],
}
const request = (changes: Partial<RunRequestInput> = {}) =>
  runRequestSchema.parse({ suiteId: 'S', models: ['m'], ...changes })

describe('the cases of a plan', () => {
  const ids = (changes: Partial<RunRequestInput>) =>
    planRun({ kind: 'suite', request: request(changes), suite }, scorers).cases.map((planned) => planned.testCase.id)

  it('are selected by id, category or tag, and limited in number', () => {
    expect(ids({})).toEqual(['a', 'b', 'c'])
    expect(ids({ filter: ['maths', 'json'] })).toEqual(['a', 'b'])
    expect(ids({ filter: ' c ' })).toEqual(['c'])
    expect(ids({ filter: 'maths, c,' })).toEqual(['a', 'c'])
    expect(ids({ filter: '  ' })).toEqual(['a', 'b', 'c'])
    expect(ids({ limit: 2 })).toEqual(['a', 'b'])
  })
})

describe('the problems of a plan', () => {
  it('are all listed at once', () => {
    const judged = { ...testCase, id: 'j', scoringMethod: 'llm-judge', metadata: { tags: ['judged'] } }
    const odd = { ...testCase, id: 'o', tools: [{ nothing: true }], metadata: { tags: ['judged'] } }
    const { problems } = planRun(
      {
        kind: 'suite',
        request: request({ models: ['m', 'm'], filter: 'judged' }),
        suite: { ...suite, testCases: [judged, odd] },
      },
      scorers,
    )
    expect(problems).toEqual([
      expect.stringMatching(/^test case o: tools: /),
      'model m is chosen twice',
      'test case j is scored by llm-judge, and no judge model is set; name one (--judge)',
    ])
  })
  it('are empty for a plan that can run, and name a filter that matches nothing', () => {
    expect(planRun({ kind: 'suite', request: request(), suite }, scorers).problems).toEqual([])
    expect(planRun({ kind: 'suite', request: request({ filter: 'nope' }), suite }, scorers).problems).toEqual([
      'no test case has the id, category or tag nope',
    ])
  })
})

describe('a stored request', () => {
  it('holds no secret from an address', () => {
    const kept = (endpoint: string) => {
      const { endpoint: stored, endpointLacks } = withoutSecrets(request({ endpoint }))
      return [stored, endpointLacks]
    }
    expect(kept('http://user:secret@127.0.0.1:8000/v1?key=secret')).toEqual([
      'http://127.0.0.1:8000/v1',
      ['user name and password', 'key'],
    ])
    expect(kept('http://127.0.0.1/v1')).toEqual(['http://127.0.0.1/v1', undefined])
    expect(kept('http://127.0.0.1/v1?api-version=2024-10-21&region=eu')).toEqual([
      'http://127.0.0.1/v1?api-version=2024-10-21&region=eu',
      undefined,
    ])
    expect(kept('http://127.0.0.1/v1?api-version=1&X-Api-Key=a&access_token=b&sig=c&code=d&n=sk-0123456789ab')).toEqual(
      ['http://127.0.0.1/v1?api-version=1', ['X-Api-Key', 'access_token', 'sig', 'code', 'n']],
    )
    expect(withoutSecrets(request())).toEqual(request())
    // Stored again, by a run that continues this one.
    const once = withoutSecrets(request({ endpoint: 'http://127.0.0.1/v1?key=secret' }))
    expect(withoutSecrets(once)).toEqual(once)
  })
  it('holds no secret header, and says which a resume needs again', () => {
    const headers = { Authorization: 'Bearer 12345678', 'X-Project': 'tests' }
    const given = request({ parameters: { headers, seed: 1 }, modelParameters: { m: { headers: { Cookie: 'a=b' } } } })
    const stored = withoutSecrets(given)
    expect(stored).toMatchObject({
      parameters: { seed: 1, headers: { 'X-Project': 'tests' } },
      modelParameters: { m: { headers: {} } },
      headersLacking: ['Authorization', 'Cookie'],
    })
    expect(JSON.stringify(stored)).not.toMatch(/12345678|a=b/)
    expect(findLackingSecrets(stored)).toContain('Authorization, Cookie')
    const again = withHeaders(withHeaders(stored, { authorization: 'Bearer 1' }), { Cookie: 'c' })
    expect(findLackingSecrets(again)).toBeUndefined()
    expect(again.parameters.headers).toEqual({ 'X-Project': 'tests', authorization: 'Bearer 1', Cookie: 'c' })
  })
  it('is reconstructed for a run without one, with models stripped of their variants', () => {
    const variants = [{ name: 'terse' }, { name: 'plain' }]
    expect(
      requestOf({
        id: 'r',
        models: ['a@terse', 'a@plain', 'b@x@terse', 'b@x@plain'],
        judgeModel: 'j,k',
        testSuiteSnapshot: { ...suite, variants },
        results: [],
      }),
    ).toEqual(request({ models: ['a', 'b@x'], judgeModelIds: ['j', 'k'] }))
  })
})

describe('contestants', () => {
  const variants = [
    { name: 'terse', prompt: 'Briefly: {{prompt}}' },
    { name: 'hot', models: ['a'], parameters: { temperature: 1 } },
  ]
  const plan = (models: string[], given: Suite['variants'] = variants) =>
    planRun({ kind: 'suite', request: request({ models }), suite: { ...suite, variants: given } }, scorers)

  it('are every model with the variants that name it or no model', () => {
    expect(plan(['a', 'b']).contestants.map(({ id }) => id)).toEqual(['a@terse', 'a@hot', 'b@terse'])
  })
  it('are a model with all variants if every variant names other models', () => {
    expect(plan(['b'], [variants[1]!]).contestants.map(({ id }) => id)).toEqual(['b@hot'])
  })
  it('ask the question of their variant, or else that of the case', () => {
    const { cases, contestants } = plan(['a'])
    const [terse, hot] = contestants.map((contestant) => buildRequest(cases[0]!, contestant))
    expect(terse?.messages).toEqual([{ role: 'user', content: 'Briefly: ?' }])
    expect(hot?.messages).toEqual([{ role: 'user', content: '?' }])
    expect(hot?.parameters.temperature).toBe(1)
    expect(contestants.map((contestant) => taskOf(cases[0]!, contestant))).toEqual(['Briefly: ?', '?'])
  })
})
