import type { PanelAgreement } from './panels.ts'
import type { Calibration } from './calibrations.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ClientError, InputError, type Client, type ModelRequest, type ApiError } from '../../contract/index.ts'
import { createDemoClient } from '../../providers/index.ts'
import { calibrationSets, defaultCalibrationSamples } from '../../scoring/index.ts'
import type { SampleChoices } from './samples.ts'
import { measureJudgeAgreement } from '../../statistics/index.ts'
import { makeSuite, startRouteServer, type RouteServer } from '../testing/route-server.ts'
import { judgeRoutes } from './routes.ts'

/** A scripted judge that counts its calls and how many ran at once. */
function createJudge(answer: (request: ModelRequest) => string | ClientError) {
  const state = { asked: 0, atOnce: 0, maxAtOnce: 0 }
  const client: Client = {
    provider: 'scripted',
    async complete(request) {
      state.asked += 1
      state.maxAtOnce = Math.max(state.maxAtOnce, ++state.atOnce)
      await new Promise((resolve) => setTimeout(resolve, 1))
      state.atOnce -= 1
      const response = answer(request)
      if (response instanceof ClientError) throw response
      return { outcome: 'ok', response, latencyMs: 1 }
    },
    listModels: async () => [],
    close: async () => {},
  }
  return { client, state }
}

const always = createJudge(() => '{"score": 7, "reasoning": "about right"}')
const mute = createJudge(() => 'I would rather not say.')
const refused = createJudge(() => new ClientError('refused', 'no credit left', { status: 402 }))

let server: RouteServer
beforeAll(async () => {
  server = await startRouteServer([judgeRoutes], {
    clientFor(modelId) {
      if (modelId === 'scripted/always') return always.client
      if (modelId === 'scripted/mute') return mute.client
      if (modelId === 'scripted/refused') return refused.client
      if (modelId.startsWith('demo/')) return createDemoClient()
      throw new InputError(`there is no key for ${modelId}`)
    },
  })
})
afterAll(() => server.close())

const post = (body: unknown) =>
  server.request('/calibrations', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function calibrate(body: unknown): Promise<Calibration> {
  const reply = await post(body)
  const calibration: Calibration = JSON.parse(await reply.text())
  expect(reply.status, JSON.stringify(calibration)).toBe(201)
  return calibration
}

async function refuse(body: unknown): Promise<{ status: number; error: ApiError['error'] }> {
  const reply = await post(body)
  const { error }: ApiError = JSON.parse(await reply.text())
  return { status: reply.status, error }
}

const list = async (): Promise<Calibration[]> => JSON.parse(JSON.stringify(await server.get('/calibrations')))

describe('a calibration', () => {
  it('asks the judge about the built-in samples, is stored, listed newest first, and can be deleted', async () => {
    const first = await calibrate({ judgeModelId: 'demo/judge' })
    expect(first).toMatchObject({
      source: 'built-in samples',
      result: { judgeModelId: 'demo/judge', summary: { totalSamples: 8 } },
    })
    expect(first.result.samples.every(({ actualScore }) => actualScore !== undefined)).toBe(true)
    expect(first.samples.map(({ id }) => id)).toEqual(defaultCalibrationSamples.map(({ id }) => id))
    const second = await calibrate({ judgeModelId: 'scripted/always' })
    expect(second.interpretation.rating).toBe('poor')
    expect(second.result.summary.correlation).toBe(0)
    expect([always.state.asked, always.state.maxAtOnce]).toEqual([8, 5])
    expect((await list()).map(({ id }) => id)).toEqual([second.id, first.id])
    expect(await server.get(`/calibrations/${first.id}`)).toEqual(first)
    expect((await server.request(`/calibrations/${first.id}`, { method: 'DELETE' })).status).toBe(200)
    expect((await list()).map(({ id }) => id)).toEqual([second.id])
    for (const method of ['GET', 'DELETE'])
      expect((await server.request(`/calibrations/${first.id}`, { method })).status).toBe(404)
  })

  it('asks about a built-in set or the samples of a preset, and says what there is', async () => {
    const choices: SampleChoices = JSON.parse(JSON.stringify(await server.get('/judges/samples')))
    expect(choices.sets.slice(0, 6).map(({ name }) => name)).toEqual(
      calibrationSets.slice(0, 6).map(({ name }) => name),
    )
    expect(choices.presets.find(({ name }) => name === 'faithfulness')).toMatchObject({
      set: 'faithfulness',
      needsContext: true,
    })
    const facts = await calibrate({ judgeModelId: 'demo/judge', set: 'facts' })
    expect(facts).toMatchObject({ setVersion: 'facts/1', result: { promptVersion: 'llm-judge/1' } })
    expect(facts.result.summary.totalSamples).toBe(choices.sets[0]!.count)
    expect(facts.samples[0]!.reason).toBeTypeOf('string')
    const faithful = await calibrate({ judgeModelId: 'demo/judge', preset: 'faithfulness' })
    expect(faithful).toMatchObject({
      setVersion: 'faithfulness/1',
      result: { promptVersion: 'llm-judge/1+faithfulness/1' },
    })
    expect(await refuse({ judgeModelId: 'demo/judge', set: 'recipes' })).toMatchObject({
      status: 422,
      error: { code: 'no-such-samples', message: expect.stringContaining('facts') },
    })
    expect(await refuse({ judgeModelId: 'demo/judge', set: 'facts', runId: 'r' })).toMatchObject({ status: 422 })
    for (const { id } of [facts, faithful]) await server.request(`/calibrations/${id}`, { method: 'DELETE' })
  })

  it('accepts own samples, with a default tolerance of 10 points', async () => {
    const samples = [
      { id: 'near', prompt: 'p', response: 'r', expectedScore: 0.6 },
      { id: 'far', prompt: 'p', response: 'r', expectedOutput: 'e', expectedScore: 0.5 },
      { id: 'wide', prompt: 'p', response: 'r', expectedScore: 0.4, tolerance: 0.3 },
    ]
    const { result, source } = await calibrate({ judgeModelId: 'scripted/always', samples })
    expect(source).toBe('3 own samples')
    expect(result.samples.map(({ sampleId, withinTolerance }) => [sampleId, withinTolerance])).toEqual([
      ['near', true],
      ['far', false],
      ['wide', true],
    ])
  })

  it('accepts answers that a person rated: the rating is the expected score', async () => {
    const [runId] = await server.run({ suite: makeSuite(4), models: ['demo/good'] })
    expect(await refuse({ judgeModelId: 'scripted/always', runId })).toMatchObject({
      status: 422,
      error: { code: 'no-ratings' },
    })
    await server.storage.saveRating({ runId: runId!, testCaseId: 'sum-001', modelId: 'demo/good' }, { rating: 0.75 })
    await server.storage.saveRating(
      { runId: runId!, testCaseId: 'sum-003', modelId: 'demo/good' },
      { rating: 0.2, note: 'no' },
    )
    await server.storage.saveRating(
      { runId: runId!, testCaseId: 'sum-002', modelId: 'demo/good' },
      { note: 'only a note' },
    )
    const { ratedRuns }: SampleChoices = JSON.parse(JSON.stringify(await server.get('/judges/samples')))
    expect(ratedRuns).toMatchObject([{ runId, suite: 'Sums', models: ['demo/good'], ratings: 2 }])
    const { result, samples, source } = await calibrate({ judgeModelId: 'scripted/always', runId })
    expect(source).toBe(`2 rated answers of run ${runId} (Sums)`)
    expect(
      result.samples.map(({ sampleId, expectedScore, withinTolerance }) => [sampleId, expectedScore, withinTolerance]),
    ).toEqual([
      ['sum-001 · demo/good', 0.75, true],
      ['sum-003 · demo/good', 0.2, false],
    ])
    const stored = await server.storage.loadCell({ runId: runId!, testCaseId: 'sum-001', modelId: 'demo/good' })
    expect(samples[0]).toMatchObject({
      prompt: 'What is 1 + 10?',
      response: stored!.answer!.response,
      expectedOutput: '11',
      reasoning: 'about right',
    })
    expect(await refuse({ judgeModelId: 'scripted/always', runId: 'nobody' })).toMatchObject({ status: 404 })
  })

  it('with bad samples is refused, with every problem by sample and field, and no judge is called', async () => {
    const before = always.state.asked
    const good = { id: 'a', prompt: 'p', response: 'r', expectedScore: 1 }
    const { status, error } = await refuse({
      judgeModelId: 'scripted/always',
      samples: [good, { ...good, id: '', expectedScore: 7 }, { id: 'c' }],
    })
    expect([status, error.code]).toEqual([422, 'bad-samples'])
    expect(error.problems!.map(({ path }) => path)).toEqual([
      ['samples', 1, 'id'],
      ['samples', 1, 'expectedScore'],
      ['samples', 2, 'prompt'],
      ['samples', 2, 'response'],
      ['samples', 2, 'expectedScore'],
    ])
    expect(await refuse({ judgeModelId: 'scripted/always', samples: [good, good] })).toMatchObject({
      status: 422,
      error: { message: 'Two samples have the id a.' },
    })
    expect(await refuse({ judgeModelId: 'scripted/always', samples: [] })).toMatchObject({ status: 422 })
    expect(await refuse({ judgeModelId: 'scripted/always', samples: [good], runId: 'x' })).toMatchObject({
      status: 422,
      error: { code: 'two-sources' },
    })
    expect(await refuse({ judgeModelId: '' })).toMatchObject({ status: 422 })
    expect(always.state.asked).toBe(before)
  })

  it('is stored if the judge cannot be read, but not if it cannot be reached', async () => {
    const { result } = await calibrate({
      judgeModelId: 'scripted/mute',
      samples: [{ id: 'a', prompt: 'p', response: 'r', expectedScore: 1 }],
    })
    expect(result.samples[0]).toMatchObject({ unscored: { code: 'judge-unreadable' }, withinTolerance: false })
    expect(result.summary.meanAbsoluteError).toBeNull()
    const before = (await list()).length
    expect(await refuse({ judgeModelId: 'scripted/refused' })).toMatchObject({
      status: 422,
      error: { code: 'judge-failed', message: expect.stringContaining('no credit left') },
    })
    expect(await refuse({ judgeModelId: 'other/model' })).toMatchObject({
      status: 422,
      error: { message: 'there is no key for other/model' },
    })
    expect(await list()).toHaveLength(before)
  })

  it('can be repeated with the same judge to show how far it agrees with itself', async () => {
    let grade = 2
    const moody = createJudge(() => `{"score": ${(grade = (grade + 3) % 10)}, "reasoning": "x"}`)
    const moodyServer = await startRouteServer([judgeRoutes], { clientFor: () => moody.client })
    try {
      const calibrateMoody = async () =>
        moodyServer.request('/calibrations', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ judgeModelId: 'moody' }),
        })
      await calibrateMoody()
      await calibrateMoody()
      const [second, first]: Calibration[] = JSON.parse(JSON.stringify(await moodyServer.get('/calibrations')))
      expect(first!.result.samples.map(({ sampleId }) => sampleId)).toEqual(
        second!.result.samples.map(({ sampleId }) => sampleId),
      )
      expect(first!.result.samples.map(({ actualScore }) => actualScore)).not.toEqual(
        second!.result.samples.map(({ actualScore }) => actualScore),
      )
    } finally {
      await moodyServer.close()
    }
  })

  it('is listed in under a megabyte, however long its samples', async () => {
    const samples = Array.from({ length: 20 }, (_, index) => ({
      id: `s${index}`,
      prompt: '"'.repeat(100_000),
      response: 'é'.repeat(100_000),
      expectedScore: 1,
    }))
    const created = await post({ judgeModelId: 'scripted/always', samples })
    expect((await created.arrayBuffer()).byteLength).toBeLessThan(1_000_000)
    expect((await (await server.request('/calibrations')).arrayBuffer()).byteLength).toBeLessThan(1_000_000)
    const [newest] = await list()
    expect(newest!.result.samples).toHaveLength(20)
  })
})

describe('agreement of panels', () => {
  it('is what the statistics compute over the recent runs of each panel', async () => {
    const suite = {
      ...makeSuite(12),
      testCases: makeSuite(12).testCases.map((testCase) => ({ ...testCase, scoringMethod: 'llm-judge' })),
    }
    const strict = createJudge(({ messages }) => `{"score": ${JSON.stringify(messages).length % 7}, "reasoning": "x"}`)
    const kind = createJudge(
      ({ messages }) => `{"score": ${4 + (JSON.stringify(messages).length % 7)}, "reasoning": "x"}`,
    )
    const demo = createDemoClient()
    const client: Client = {
      provider: 'mixed',
      complete: (request, options) =>
        (request.modelId === 'strict' ? strict.client : request.modelId === 'kind' ? kind.client : demo).complete(
          request,
          options,
        ),
      listModels: async () => [],
      close: async () => {},
    }
    await server.run({ suite, models: ['demo/good'], judgeModelId: 'strict' }, { client })
    expect(await server.get('/judges/agreement')).toEqual([])
    const ids = [
      ...(await server.run(
        { suite, models: ['demo/good', 'demo/poor'], judgeModelId: ['strict', 'kind'] },
        { client },
      )),
      ...(await server.run({ suite, models: ['demo/fair'], judgeModelId: ['kind', 'strict'] }, { client })),
    ]
    const runs = await Promise.all(ids.reverse().map(async (id) => (await server.storage.loadRun(id))!))
    const panels: PanelAgreement[] = JSON.parse(JSON.stringify(await server.get('/judges/agreement')))
    expect(panels).toEqual([{ runs: 2, agreement: JSON.parse(JSON.stringify(measureJudgeAgreement(runs))) }])
    expect(panels[0]!.agreement.answers).toBe(36)
  })
})
