import type { RunEstimate } from '../../services/index.ts'
import type { RunList } from '../runs/routes.ts'
import type { StartedRun } from '../runs/run-manager.ts'
import type { SuiteDocument } from '../suites/suite-documents.ts'
import type { PlaygroundOutcome } from './outcome.ts'
import type { PlaygroundStart } from './start-view.ts'
import type { ApiError, PlaygroundExperiment, PlaygroundSave, RunResult } from '../../contract/index.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { composeServer } from '../../cli/compose-server.ts'
import {
  startModelServer,
  type ChatRequest,
  type ModelServer,
  type ScriptedReply,
} from '../../../test/fakes/model-server.ts'
import { startServer, type StartedServer } from '../testing/started-server.ts'

let server: StartedServer
let models: ModelServer
let asked: ChatRequest[] = []

/** Repeats the word after "say"; knows only the words up to `m`, unless it is told to think. */
function answer(request: ChatRequest): string {
  asked.push(request)
  // The first characters only: a pattern over millions of them can overflow the engine's stack.
  const word = /say (\S+)/i.exec(request.prompt.slice(0, 50))?.[1] ?? request.prompt.slice(0, 50)
  const isTold = JSON.stringify(request.body['messages']).includes('Think')
  return isTold || word < 'm' ? word : 'I do not know'
}

let isHeld = false

/** `slow` answers nothing while it is held; `locked` refuses every key. */
function replyOf({ model }: ChatRequest): ScriptedReply | undefined {
  if (model === 'slow' && isHeld) return { pieces: [], ending: 'hang' }
  return model === 'locked' ? { status: 401, pieces: ['{"error": {"message": "wrong key"}}'] } : undefined
}

const words = ['apple', 'banana', 'cherry', 'mango', 'nectarine', 'orange', 'papaya', 'quince', 'raspberry', 'tomato']
const suite = {
  name: 'Fruit',
  testCases: words.map((word) => ({
    id: word,
    prompt: 'Please say {{word}}',
    vars: { word },
    expectedOutput: '{{word}}',
    scoringMethod: 'exact-match',
  })),
}

beforeAll(async () => {
  models = await startModelServer({ cost: 0.01, answer, tokenDelayMs: 0, models: ['fake', 'other'], reply: replyOf })
  server = await startServer({ compose: composeServer })
  await server.send('PUT', '/api/settings/endpoints/local', { name: 'local', baseUrl: models.baseUrl })
})
afterAll(async () => {
  await server.remove()
  await models.close()
})
beforeEach(() => {
  asked = []
})

const save = async (content: object = suite) =>
  (await server.send<SuiteDocument>('POST', '/api/suites', { suite: content })).id
const finish = async ({ runId }: StartedRun) => {
  await server.watch(`/api/runs/${runId}/events`).rest()
  return runId
}
const run = async (suiteId: string, more: object = {}) =>
  finish(await server.send<StartedRun>('POST', '/api/runs', { suiteId, models: ['local/fake'], ...more }))
const origin = { testCaseId: 'tomato', modelId: 'local/fake' }
const startOf = (runId: string, { testCaseId, modelId } = origin) =>
  server.get<PlaygroundStart>(
    `/api/playground/${runId}?case=${encodeURIComponent(testCaseId)}&model=${encodeURIComponent(modelId)}`,
  )
const ask = async (runId: string, body: Partial<PlaygroundExperiment>) =>
  finish(await server.send<StartedRun>('POST', `/api/playground/${runId}/experiment`, { ...origin, edit: {}, ...body }))
const outcomeOf = (runId: string, experimentId: string, model = origin.modelId) =>
  server.get<PlaygroundOutcome>(
    `/api/playground/${runId}/outcome?case=tomato&model=${encodeURIComponent(model)}&experiment=${experimentId}`,
  )
const keep = (runId: string, body: Partial<PlaygroundSave>) =>
  server.send<{ id: string; version: number }>('POST', `/api/playground/${runId}/save`, {
    ...origin,
    edit: {},
    ...body,
  })
const refusal = async (path: string, body: object) => {
  const reply = await server.try('POST', path, { ...origin, edit: {}, ...body })
  return { status: reply.status, message: reply.json<ApiError>().error.message }
}

describe('two prompts side by side', () => {
  const pair = {
    prompts: ['Say {{input}}', 'Think, then say {{input}}'],
    inputs: ['apple', 'mango'],
    modelId: 'local/fake',
  }
  const runPair = async (changes: object = {}) => {
    const started = await server.send<StartedRun>('POST', '/api/playground/pair', { ...pair, ...changes })
    const { runs } = await server.get<{ runs: RunResult[] }>(`/api/results/${await finish(started)}/export?format=json`)
    return runs[0]!
  }

  it('are one run of two variants that is no run of a suite', async () => {
    const estimate = await server.send<RunEstimate>('POST', '/api/playground/estimate', pair)
    expect([estimate.requests, estimate.problems]).toEqual([4, []])
    const stored = await runPair()
    expect([stored.kind, stored.testSuiteId]).toEqual(['playground', 'playground:two-prompts'])
    const answers = stored.results.map(({ testCaseId, modelId, response }) => [testCaseId, modelId, response])
    expect(answers.toSorted()).toEqual([
      ['input-1', 'local/fake@A', 'apple'],
      ['input-1', 'local/fake@B', 'apple'],
      ['input-2', 'local/fake@A', 'I do not know'],
      ['input-2', 'local/fake@B', 'mango'],
    ])
  })

  it('need no inputs, and get them below a prompt that has no place for them', async () => {
    expect((await runPair({ inputs: [], prompts: ['Say a', 'Say b'] })).results).toHaveLength(2)
    asked = []
    await runPair({ inputs: ['apple'], prompts: ['Say', 'Say {{input}}'] })
    expect(asked.map(({ prompt }) => prompt).toSorted()).toEqual(['Say\n\napple', 'Say apple'])
  })

  it('are refused when one is empty', async () => {
    const reply = await server.try('POST', '/api/playground/pair', { ...pair, prompts: ['', 'x'] })
    expect([reply.status, reply.json<ApiError>().error.message]).toEqual([422, 'prompts.0: is empty'])
    expect(asked).toEqual([])
  })
})

describe('a playground', () => {
  it('starts from what was asked: the template, its variables, the parameters, where it can be kept', async () => {
    const id = await save({ ...suite, systemPrompt: 'Be brief.' })
    const runId = await run(id, { parameters: { temperature: 0.2 } })
    expect(await startOf(runId)).toMatchObject({
      suiteName: 'Fruit',
      modelId: 'local/fake',
      question: { prompt: 'Please say {{word}}' },
      vars: [{ name: 'word', value: 'tomato' }],
      hasTemplate: true,
      systemPrompt: 'Be brief.',
      parameters: { temperature: 0.2, maxTokens: 2048 },
      needsJudge: false,
      total: 10,
      saving: { suiteId: id, version: 1, variantName: 'changed' },
    })
    const { cases } = await startOf(runId)
    expect(cases.map(({ passed }) => passed)).toEqual(words.map((word) => word < 'm'))
  })

  it('asks one case with another prompt, variables, system prompt, model and parameters; one case proves nothing', async () => {
    const runId = await run(await save())
    asked = []
    const experimentId = await ask(runId, {
      cases: ['tomato'],
      edit: {
        prompt: 'Kindly say {{word}}, {{__proto__}}',
        vars: [
          { name: 'word', value: 'pear' },
          { name: '__proto__', value: 'thanks' },
        ],
        systemPrompt: 'Think first.',
        modelId: 'local/other',
        parameters: { temperature: 0, maxTokens: 99 },
      },
    })
    expect(asked.map(({ model, body }) => [model, body['messages'], body['temperature'], body['max_tokens']])).toEqual([
      [
        'other',
        [
          { role: 'system', content: 'Think first.' },
          { role: 'user', content: 'Kindly say pear, thanks' },
        ],
        0,
        99,
      ],
    ])
    const outcome = await outcomeOf(runId, experimentId)
    // The expected output follows the variable.
    expect(outcome).toMatchObject({
      state: 'done',
      modelId: 'local/other',
      cells: { total: 1, done: 1, errors: 0 },
      n: 1,
      isPart: true,
      pairs: [
        { testCaseId: 'tomato', before: { state: 'scored', passed: false }, after: { score: expect.any(Number) } },
      ],
    })
    expect(outcome.sentence).toMatch(/^One case proves nothing/)
    const detail = await server.get<{ expectedOutput: string }>(`/api/results/${experimentId}/case?id=tomato`)
    expect(detail.expectedOutput).toBe('pear')
  })

  it('asks the whole suite: the prompt changes in one case, the system prompt in all, and the paired test answers', async () => {
    const id = await save()
    const runId = await run(id)
    asked = []
    const body = { edit: { prompt: 'Now say {{word}}', systemPrompt: 'Think.' } }
    const estimate = await server.send<RunEstimate>('POST', `/api/playground/${runId}/estimate`, { ...origin, ...body })
    expect(estimate).toMatchObject({ cases: 10, cells: 10, requests: 10, problems: [] })
    expect(asked).toEqual([])
    const experimentId = await ask(runId, body)
    expect(asked.map(({ prompt }) => prompt).toSorted()).toEqual(
      words.map((word) => (word === 'tomato' ? 'Now say tomato' : `Please say ${word}`)).toSorted(),
    )
    const outcome = await outcomeOf(runId, experimentId)
    expect(outcome).toMatchObject({ better: 7, worse: 0, same: 3, n: 10, isPart: false })
    expect(outcome.sentence).toMatch(
      /^Yes, the change helps: it gains [\d.]+ points \(95 % CI [\d.]+ to [\d.]+\) over 10 cases\.$/,
    )
    const back = await outcomeOf(experimentId, runId)
    expect(back.sentence).toMatch(/^No, the change hurts: it loses/)
    const { runs } = await server.get<RunList>('/api/runs')
    expect(runs.find((listed) => listed.id === experimentId)).toMatchObject({
      testSuiteName: 'Playground: Fruit',
      testSuiteId: `playground:${id}`,
      cost: expect.closeTo(0.1, 5),
    })
    const history = await server.get<{ runs: { id: string }[] }>(`/api/suites/${id}/history`)
    const listed = new Set(history.runs.map((own) => own.id))
    expect([listed.has(runId), listed.has(experimentId)]).toEqual([true, false])
  })

  it('says what is missing before anything is written or sent', async () => {
    const runId = await run(await save())
    asked = []
    const before = (await server.get<RunList>('/api/runs')).total
    const path = `/api/playground/${runId}/experiment`
    expect(await refusal(path, { edit: { prompt: 'say {{unknown}}' } })).toEqual({
      status: 422,
      message: expect.stringContaining('{{unknown}} has no value'),
    })
    expect(await refusal(path, { edit: { vars: [] } })).toMatchObject({
      message: expect.stringContaining('{{word}} has no value'),
    })
    expect(await refusal(path, { edit: { modelId: 'openai/gpt-5' } })).toMatchObject({
      status: 422,
      message: expect.stringContaining('OPENAI_API_KEY'),
    })
    expect(await refusal(path, { cases: ['nothing'] })).toMatchObject({ message: expect.stringContaining('nothing') })
    expect((await refusal(path, { edit: { prompt: 'x'.repeat(5_000_001) } })).status).toBe(422)
    expect(await refusal(path, { testCaseId: 'gone' })).toMatchObject({
      message: expect.stringContaining('no case "gone"'),
    })
    expect(await refusal(path, { modelId: 'gone' })).toMatchObject({ status: 422 })
    expect((await refusal('/api/playground/gone/experiment', {})).status).toBe(404)
    const twice = [
      { name: 'a', value: 1 },
      { name: 'a', value: 2 },
    ]
    expect((await refusal(path, { edit: { vars: twice } })).message).toContain('same name')
    expect(asked).toEqual([])
    expect((await server.get<RunList>('/api/runs')).total).toBe(before)
  })

  it('asks a prompt of five million characters, and starts from it without its text', async () => {
    const runId = await run(await save())
    const prompt = `say ${'x'.repeat(4_999_000)}`
    const experimentId = await ask(runId, { cases: ['tomato'], edit: { prompt } })
    expect(asked.at(-1)!.prompt.length).toBe(prompt.length)
    const start = await startOf(experimentId, origin)
    expect([start.question, start.total]).toEqual([undefined, 1])
  })

  it('is an ordinary run: it can be watched, stopped and resumed', async () => {
    const runId = await run(await save())
    isHeld = true
    const { runId: experimentId } = await server.send<StartedRun>('POST', `/api/playground/${runId}/experiment`, {
      ...origin,
      edit: { modelId: 'local/slow', systemPrompt: 'Think.' },
    })
    const live = await outcomeOf(runId, experimentId)
    expect(live).toMatchObject({
      state: 'running',
      cells: { total: 10, done: 0 },
      modelId: 'local/slow',
    })
    expect([live.sentence, live.pairs[0]!.after.state]).toEqual([undefined, 'pending'])
    await server.send('POST', `/api/runs/${experimentId}/stop`)
    const stopped = await outcomeOf(runId, experimentId)
    expect(stopped).toMatchObject({ state: 'stopped', n: 0 })
    expect(stopped.sentence).toContain('nothing to compare')
    isHeld = false
    await finish(await server.send<StartedRun>('POST', `/api/runs/${experimentId}/resume`))
    expect(await outcomeOf(runId, experimentId)).toMatchObject({
      state: 'done',
      cells: { done: 10, errors: 0 },
      better: 7,
    })
  })

  it('says that a provider refuses, and keeps to a budget', async () => {
    const runId = await run(await save(), { concurrency: 1 })
    const refused = await ask(runId, { edit: { modelId: 'local/locked' } })
    expect(await outcomeOf(runId, refused)).toMatchObject({ state: 'failed', stopReason: 'provider', n: 0 })
    const path = `/api/playground/${runId}/experiment`
    expect((await refusal(path, { maxCost: 1 })).message).toContain('a budget cannot be enforced')
    const demo = await ask(runId, { edit: { modelId: 'demo/good' }, maxCost: 0.000_001 })
    expect(await outcomeOf(runId, demo)).toMatchObject({ state: 'stopped', stopReason: 'budget' })
  })

  it('judges with another judge if the run has none', async () => {
    const judged = { name: 'Judged', testCases: [{ id: 'tomato', prompt: 'say tomato', scoringMethod: 'llm-judge' }] }
    const runId = await run(await save(judged), { judgeModelIds: ['demo/judge'] })
    expect(await startOf(runId)).toMatchObject({ needsJudge: true, judgeModelIds: ['demo/judge'] })
    const path = `/api/playground/${runId}/experiment`
    expect((await refusal(path, { judgeModelIds: [] })).message).toContain('no judge model is set')
    const experimentId = await ask(runId, { judgeModelIds: ['demo/judge'] })
    expect((await outcomeOf(runId, experimentId)).pairs[0]!.after.state).toBe('scored')
  })
})

describe('keeping a change', () => {
  it('makes a new version of the case, and never overwrites a newer one', async () => {
    const id = await save()
    const runId = await run(id)
    const edit = { prompt: 'Say only {{word}}!', vars: [{ name: 'word', value: 'plum' }] }
    expect(await keep(runId, { as: 'case', edit, after: 1 })).toEqual({ id, version: 2 })
    const { suite: kept } = await server.get<SuiteDocument>(`/api/suites/${id}`)
    expect(kept['testCases']).toEqual(
      suite.testCases.with(9, { ...suite.testCases[9]!, prompt: edit.prompt, vars: { word: 'plum' } }),
    )
    const late = await server.try('POST', `/api/playground/${runId}/save`, { ...origin, as: 'case', edit, after: 1 })
    expect(late.status).toBe(409)
    expect((await startOf(runId)).saving).toMatchObject({
      version: 2,
      caseWarning: expect.stringContaining('Version 2'),
    })
    expect((await refusal(`/api/playground/${runId}/save`, { as: 'case' })).message).toContain('unchanged')
    expect(
      (await refusal(`/api/playground/${runId}/save`, { as: 'case', edit: { prompt: '{{gone}}' } })).message,
    ).toContain('{{gone}}')
  })

  it('makes a variant beside the original, with {{prompt}} for each case’s own prompt', async () => {
    const id = await save()
    const runId = await run(id)
    const edit = { prompt: 'Please say {{word}}\nThink hard.', parameters: { temperature: 0 } }
    expect(await keep(runId, { as: 'variant', name: 'hard', edit })).toEqual({ id, version: 2 })
    const { suite: kept } = await server.get<SuiteDocument>(`/api/suites/${id}`)
    expect(kept['variants']).toEqual([
      { name: 'original' },
      { name: 'hard', prompt: '{{prompt}}\nThink hard.', parameters: { temperature: 0 } },
    ])
    const again = await run(id)
    const start = await startOf(again, { testCaseId: 'tomato', modelId: 'local/fake@hard' })
    expect(start).toMatchObject({
      modelId: 'local/fake',
      variant: 'hard',
      isAskedByVariant: true,
      question: { prompt: '{{prompt}}\nThink hard.' },
      parameters: { temperature: 0 },
      saving: { variantName: 'changed' },
    })
    // The other cases keep the question of the variant.
    asked = []
    const experimentId = await finish(
      await server.send<StartedRun>('POST', `/api/playground/${again}/experiment`, {
        testCaseId: 'tomato',
        modelId: 'local/fake@hard',
        cases: ['tomato', 'apple'],
        edit: { prompt: '{{prompt}}, please' },
      }),
    )
    expect(asked.map(({ prompt }) => prompt).toSorted()).toEqual([
      'Please say apple\nThink hard.',
      'Please say tomato, please',
    ])
    expect(await outcomeOf(again, experimentId, 'local/fake@hard')).toMatchObject({ n: 2, worse: 1, same: 1 })
    const path = `/api/playground/${runId}/save`
    expect((await refusal(path, { as: 'variant', name: 'x', edit: { prompt: 'What now?' } })).message).toContain(
      '{{prompt}}',
    )
    expect((await refusal(path, { as: 'variant', name: 'x', edit: { vars: [] } })).message).toContain(
      'none of them is changed',
    )
    expect((await refusal(path, { as: 'variant', name: 'hard', edit })).message).toContain('used twice')
    expect((await refusal(path, { as: 'variant', edit })).status).toBe(422)
  })

  it('of a deleted suite says so and offers a copy, which asks exactly what the playground asked', async () => {
    const id = await save({
      ...suite,
      testCases: [{ ...suite.testCases[9]!, prompt: 'say {{word}} \\{{not}}' }, suite.testCases[0]!],
    })
    const runId = await run(id)
    await server.send('DELETE', `/api/suites/${id}`)
    const start = await startOf(runId)
    expect(start).toMatchObject({ hasTemplate: false, question: { prompt: 'say tomato \\{{not}}' } })
    expect(start.saving.problem).toContain('deleted')
    const edit = { prompt: 'Think, say tomato \\{{not}}', systemPrompt: 'Hm.' }
    expect((await refusal(`/api/playground/${runId}/save`, { as: 'case', edit })).message).toContain('Save a copy')
    const copy = await keep(runId, { as: 'copy', edit })
    await run(copy.id)
    const copied = asked.findLast(({ prompt }) => prompt.startsWith('Think'))!
    expect([copied.prompt, copied.body['messages']]).toEqual([
      'Think, say tomato {{not}}',
      [
        { role: 'system', content: 'Hm.' },
        { role: 'user', content: copied.prompt },
      ],
    ])
    expect((await server.get<SuiteDocument>(`/api/suites/${copy.id}`)).suite['name']).toBe('Fruit (copy)')
  })

  it('of a case that was deleted since is refused, and an ask of it still works', async () => {
    const id = await save()
    const runId = await run(id)
    await server.send('PUT', `/api/suites/${id}`, {
      suite: { ...suite, testCases: suite.testCases.slice(0, 2) },
      after: 1,
    })
    expect((await startOf(runId)).saving).toMatchObject({
      caseProblem: expect.stringContaining('no longer has this case'),
    })
    expect((await refusal(`/api/playground/${runId}/save`, { as: 'case', edit: { prompt: 'x' } })).message).toContain(
      'no longer',
    )
    const experimentId = await ask(runId, { cases: ['tomato'], edit: { prompt: 'Think and say {{word}}' } })
    expect((await outcomeOf(runId, experimentId)).pairs[0]!.after).toMatchObject({ passed: true })
    // A change of a change can still be saved in the suite it came from.
    expect((await startOf(experimentId)).saving).toMatchObject({ suiteId: id, version: 2 })
  })
})

it('an experiment counts neither for its suite nor in the rankings nor in the trend', async () => {
  const suiteId = await save({ ...suite, name: 'Counted' })
  const runId = await run(suiteId, { models: ['local/fake', 'local/other'] })
  const before = await server.get<{ suites: number }>('/api/rankings')
  const experiment = await ask(runId, { edit: { systemPrompt: 'Think' }, cases: words })
  expect(await server.get('/api/rankings')).toEqual(before)
  const suites = await server.get<{ id: string; runs: number; lastRun?: { id: string } }[]>('/api/suites')
  expect(suites.find(({ id }) => id === suiteId)).toMatchObject({ runs: 1, lastRun: { id: runId } })
  const { runs } = await server.get<RunList>('/api/runs?search=playground')
  expect(runs.map(({ id }) => id)).toContain(experiment)
})
