import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { composeServer } from '../../cli/compose-server.ts'
import { runRequestSchema, type RunRequestInput } from '../../contract/index.ts'
import { saveEndpoint } from '../../settings/index.ts'
import { startTeamServer, type TeamServer } from '../testing/team-server.ts'

let server: TeamServer
let admin: string
let inside: Server
let insideUrl: string
/** What the model server inside the network was asked. */
const asked: string[] = []
beforeAll(async () => {
  server = await startTeamServer({ compose: composeServer, env: { BENCHMAKER_ALLOWED_HOSTS: 'allowed.localhost' } })
  admin = await server.enter('admin', 'root')
  inside = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end('{}')
  })
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve))
  const address = inside.address()
  insideUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`
})
afterAll(async () => {
  inside.close()
  await server.remove()
})

const example = { suiteId: 'example-first-look', models: ['demo/good'], limit: 3 }
const storedOf = (id: string) => server.context.storage.loadRun(id)

/** A run that its budget stopped, started by nobody on the server: as in the terminal. */
async function runInTerminal(request: Partial<RunRequestInput> = {}): Promise<string> {
  const parsed = runRequestSchema.parse({ ...example, maxCost: 1e-9, ...request })
  const { runId } = await server.context.runs.start(parsed)
  await expect.poll(async () => (await storedOf(runId))?.stopReason).toBe('budget')
  await expect.poll(() => server.context.runs.isLive(runId)).toBe(false)
  return runId
}

const resume = (id: string, cookie: string, body: object = {}) =>
  server.ask('POST', `/api/runs/${id}/resume`, { cookie, body })

describe('resuming a run of the terminal', () => {
  it('makes whoever resumes it its person, so that workers check its addresses', async () => {
    const cookie = await server.enter('runner', 'heir')
    const id = await runInTerminal()
    expect((await storedOf(id))?.request?.startedBy).toBeUndefined()
    expect((await resume(id, cookie, { maxCost: 1 })).status).toBe(200)
    expect((await storedOf(id))?.request?.startedBy).toEqual({ id: 'heir', name: 'heir' })
    const found = await server.ask('GET', '/api/runs?search=heir', { cookie })
    expect(found.text).toContain(id)
  })

  it('a run that somebody started stays theirs', async () => {
    const [mine, theirs] = [await server.enter('runner', 'first'), await server.enter('runner', 'second')]
    const body = { ...example, maxCost: 1e-9 }
    const id = String((await server.ask('POST', '/api/runs', { cookie: mine, body })).json['runId'])
    await expect.poll(async () => (await storedOf(id))?.stopReason).toBe('budget')
    await expect.poll(() => server.context.runs.isLive(id)).toBe(false)
    expect((await resume(id, theirs, { maxCost: 1 })).status).toBe(200)
    expect((await storedOf(id))?.request?.startedBy?.id).toBe('first')
  })

  it('nobody becomes another person by saying so', async () => {
    const cookie = await server.enter('runner', 'liar')
    const body = { startedBy: { id: 'root', name: 'root' } }
    expect((await resume(await runInTerminal(), cookie, body)).status).toBe(422)
  })
})

const spentBy = (id: string) => server.context.storage.access.sumSpending({ kind: 'person', id }, 0)
const allow = (id: string, monthly: number | null) =>
  server.ask('PUT', '/api/team/budgets', { cookie: admin, body: { owner: { kind: 'person', id }, monthly } })
const allEnded = () => expect.poll(() => server.context.runs.liveRuns()).toEqual([])

describe('budgets', () => {
  it('whoever resumes a run of the terminal pays for it, and never more than is left', async () => {
    const cookie = await server.enter('runner', 'payer')
    const id = await runInTerminal({ limit: undefined, repeat: 50, parameters: { maxTokens: 20 } })
    await allow('payer', 0.001)
    expect((await resume(id, cookie, { maxCost: 100 })).status).toBe(200)
    await allEnded()
    const spent = await spentBy('payer')
    expect(spent).toBeGreaterThan(0)
    expect(spent).toBeLessThanOrEqual(0.001)
    await allow('payer', spent)
    expect((await resume(id, cookie, { maxCost: 100 })).code).toBe('month-spent')
    expect(await spentBy('payer')).toBe(spent)
  })

  it('a resume names whose budget is empty, and the amounts only of one’s own', async () => {
    const [owner, helper] = [await server.enter('runner', 'owner'), await server.enter('runner', 'helper')]
    const body = { ...example, maxCost: 1e-9 }
    const id = String((await server.ask('POST', '/api/runs', { cookie: owner, body })).json['runId'])
    await allEnded()
    await allow('owner', 0)
    const messageOf = async (cookie: string) => {
      const { status, code, json } = await resume(id, cookie, { maxCost: 1 })
      return [status, code, Object(json['error'])['message']]
    }
    const end = 'Ask an admin for more, or wait until next month.'
    expect(await messageOf(helper)).toEqual([
      422,
      'month-spent',
      `Nothing is left of the budget of owner for this month. ${end}`,
    ])
    expect(await messageOf(owner)).toEqual([
      422,
      'month-spent',
      `Nothing is left of your budget for this month ($0, $0 spent). ${end}`,
    ])
    await allow('owner', null)
    await allow('helper', 0)
    expect((await messageOf(helper))[2]).toContain('your budget for this month ($0, $0 spent)')
  })

  it('whoever rescores a run pays for its judges, and stops when nothing is left', async () => {
    const [author, critic] = [await server.enter('runner', 'author'), await server.enter('runner', 'critic')]
    const testCases = Array.from({ length: 20 }, (_, index) => ({
      id: `case-${index}`,
      prompt: `Question ${index}`,
      scoringMethod: 'llm-judge',
    }))
    const saved = await server.ask('POST', '/api/suites', { cookie: author, body: { suite: { name: 'J', testCases } } })
    const body = { suiteId: saved.json['id'], models: ['demo/good'], judgeModelIds: ['demo/judge'] }
    const id = String((await server.ask('POST', '/api/runs', { cookie: author, body })).json['runId'])
    await allEnded()
    const answered = await spentBy('author')
    const rescore = async () => {
      const reply = await server.ask('POST', `/api/runs/${id}/rescore`, { cookie: critic })
      await allEnded()
      return reply
    }
    expect((await rescore()).status).toBe(200)
    const judged = await spentBy('critic')
    expect(judged).toBeGreaterThan(0)
    expect(await spentBy('author')).toBe(answered)
    await allow('critic', judged * 1.5)
    expect((await rescore()).status).toBe(200)
    expect(await spentBy('critic')).toBeLessThanOrEqual(judged * 1.5)
    await allow('critic', judged)
    expect((await rescore()).code).toBe('month-spent')
    expect(await spentBy('author')).toBe(answered)
    expect((await storedOf(id))?.request?.startedBy?.id).toBe('author')
  })

  it('a rescore needs room in the budget of the run’s project', async () => {
    const cookie = await server.enter('runner', 'member')
    const id = await runInTerminal({ project: 'Empty' })
    await server.ask('PUT', '/api/team/budgets', {
      cookie: admin,
      body: { owner: { kind: 'project', id: 'Empty' }, monthly: 0 },
    })
    expect((await server.ask('POST', `/api/runs/${id}/rescore`, { cookie })).code).toBe('month-spent')
  })
})

describe('an address inside the network', () => {
  it('is refused when a resume names it, and nothing is stored', async () => {
    const cookie = await server.enter('runner', 'curious')
    const id = await runInTerminal()
    const refused = await resume(id, cookie, { endpoint: insideUrl, maxCost: 1 })
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('BENCHMAKER_ALLOWED_HOSTS=127.0.0.1')])
    expect((await storedOf(id))?.request).not.toHaveProperty('endpoint')
    expect(asked).toEqual([])
  })

  it('is refused in every request that can name one', async () => {
    const cookie = await server.enter('runner', 'asking')
    const request = { ...example, models: ['model'], endpoint: insideUrl }
    const arena = { prompt: 'A page', models: ['model'], endpoint: insideUrl }
    for (const [path, body] of [
      ['/api/estimate', request],
      ['/api/runs', request],
      ['/api/runs', { ...request, maxCost: 1 }],
      ['/api/code-arena', arena],
    ] as const) {
      const refused = await server.ask('POST', path, { cookie, body })
      expect([path, refused.status, refused.text]).toEqual([path, 422, expect.stringContaining('this machine')])
    }
    expect(asked).toEqual([])
  })

  it('is refused in the playground and in a resume, if the run was asked there from a terminal', async () => {
    const cookie = await server.enter('runner', 'following')
    const id = await runInTerminal({ endpoint: insideUrl })
    const edit = {
      testCaseId: (await storedOf(id))?.testSuiteSnapshot?.testCases[0]?.id,
      modelId: 'demo/good',
      edit: {},
    }
    for (const [path, body] of [
      [`/api/runs/${id}/resume`, {}],
      [`/api/playground/${id}/estimate`, edit],
      [`/api/playground/${id}/experiment`, edit],
    ] as const) {
      const refused = await server.ask('POST', path, { cookie, body })
      expect([path, refused.status, refused.text]).toEqual([path, 422, expect.stringContaining('this machine')])
    }
  })

  it('of an endpoint that is saved is refused in words too, and a server that is away is a failure of that server', async () => {
    const { storage } = server.context
    await saveEndpoint(storage, { name: 'inside', baseUrl: insideUrl })
    // A port that nobody listens on.
    await saveEndpoint(storage, { name: 'away', baseUrl: 'http://allowed.localhost:1/v1' })
    await server.context.renewClients()
    for (const [model, status, words] of [
      ['inside/model', 422, 'BENCHMAKER_ALLOWED_HOSTS=127.0.0.1'],
      ['away/model', 502, 'away'],
    ] as const)
      for (const path of ['/api/estimate', '/api/runs']) {
        const body = { ...example, models: [model], maxCost: 1 }
        const reply = await server.ask('POST', path, { cookie: admin, body })
        expect([path, reply.status, reply.text]).toEqual([path, status, expect.stringContaining(words)])
      }
    expect(asked).toEqual([])
  })

  it('an address that is none is refused in words', async () => {
    const body = { ...example, models: ['model'], endpoint: 'nowhere' }
    const estimated = await server.ask('POST', '/api/estimate', { cookie: admin, body })
    expect(estimated.json['problems']).toEqual([expect.stringContaining('nowhere')])
    const started = await server.ask('POST', '/api/runs', { cookie: admin, body })
    expect([started.status, started.text]).toEqual([422, expect.stringContaining('nowhere')])
  })
})
