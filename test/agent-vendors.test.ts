import { afterEach, describe, expect, it } from 'vitest'
import { executeRun, openStorage, type Client } from '../src/index.ts'
import { createAnthropicClient } from '../src/providers/anthropic.ts'
import { createGoogleClient } from '../src/providers/google.ts'
import { createOpenAICompatibleClient } from '../src/providers/openai-compatible.ts'
import type { SuiteInput } from '../src/import/suite-files/given-suite.ts'
import { startModelServer, type ChatRequest, type ModelServerOptions } from './fakes/model-server.ts'
import type { Spoken } from './fakes/spoken-replies.ts'

const cleanUp: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const undo of cleanUp.splice(0).toReversed()) await undo()
})

const apiKey = 'vendor-key-0123456789'
const clients = {
  openai: (baseUrl: string) => createOpenAICompatibleClient({ provider: 'endpoint', baseUrl, apiKey }),
  anthropic: (baseUrl: string) => createAnthropicClient({ apiKey, baseUrl }),
  google: (baseUrl: string) => createGoogleClient({ apiKey, baseUrl }),
} satisfies Record<string, (baseUrl: string) => Client>
const vendors = ['openai', 'anthropic', 'google'] as const

const shop = (cases = 1): SuiteInput => ({
  name: 'Shop',
  agent: { systemPrompt: 'You work for a shop.' },
  world: { orders: { W1: { status: 'delivered' }, W2: { status: 'open' } }, log: [] },
  tools: {
    get_order: {
      parameters: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
      mock: [
        { when: { id: { in: 'world.orders' } }, reply: '{{ world.orders[args.id] }}' },
        { error: 'no such order' },
      ],
    },
    set_status: {
      changes: true,
      parameters: {
        type: 'object',
        required: ['id', 'status'],
        properties: { id: { type: 'string' }, status: { type: 'string' } },
      },
      mock: [
        {
          edits: [
            { set: 'world.orders[args.id].status', to: '{{ args.status }}' },
            { append: 'world.log', value: '{{ args.id }}' },
          ],
          reply: 'ok',
        },
      ],
    },
  },
  testCases: Array.from({ length: cases }, (_, index) => ({
    id: `case-${index}`,
    prompt: `Return W1, request ${index}.`,
    reference: [{ set_status: { id: 'W1', status: 'returned' } }],
  })),
})

const right = ({ answers }: Pick<ChatRequest, 'answers'>): Spoken =>
  [
    {
      text: 'I will look.',
      calls: [
        { id: 'c1', name: 'get_order', arguments: { id: 'W1' } },
        { id: 'c2', name: 'get_order', arguments: { id: 'W2' } },
      ],
      state: 'c3RhdGUtMA==',
    },
    { calls: [{ id: 'c3', name: 'set_status', arguments: { id: 'W1', status: 'returned' } }], state: 'c3RhdGUtMQ==' },
  ][answers] ?? { text: 'It is returned.' }

async function hold(vendor: (typeof vendors)[number], options: ModelServerOptions, suite = shop()) {
  const server = await startModelServer({ keepRequests: 10_000, ...options })
  const client = clients[vendor](server.baseUrl)
  const storage = await openStorage({ file: ':memory:' })
  cleanUp.push(
    () => server.close(),
    () => client.close(),
    () => storage.close(),
  )
  const run = await executeRun({ suite, models: ['m'], client, storage, concurrency: 24 })
  const logs = await Promise.all(
    run.results.map(({ testCaseId, modelId }) => storage.loadEvents({ runId: run.id, testCaseId, modelId })),
  )
  return { run, logs, server }
}

describe.each(vendors)('conversations through the client of %s', (vendor) => {
  it('call tools in parallel, read their replies, and give back what the vendor wants back', async () => {
    const { run, logs, server } = await hold(vendor, { speak: right })
    expect(run.results[0]).toMatchObject({ outcome: 'ok', attempts: 3, score: { score: 1 } })
    expect(logs[0]?.filter(({ kind }) => kind === 'replied')).toHaveLength(3)
    const sent = server.requests.map(({ body }) => JSON.stringify(body))
    const count = (text: string) => sent.map((body) => body.split(text).length - 1)
    expect([count('c3RhdGUtMA=='), count('c3RhdGUtMQ==')]).toEqual([
      [0, 1, 1],
      [0, 0, 1],
    ])
    // Both replies of the parallel calls, in their order.
    expect(sent[1]?.indexOf('delivered')).toBeGreaterThan(0)
    expect(sent[1]?.indexOf('delivered')).toBeLessThan(sent[1]!.lastIndexOf('open'))
  })

  it('whose requests fail now and then are asked again: no call is made twice, and no failure is the agent’s 0', async () => {
    const faults = { seed: 7, rateLimit: 0.08, serverError: 0.06, cut: 0.1, empty: 0.03 }
    const { run, logs, server } = await hold(vendor, { speak: right, faults }, shop(24))
    const injected = Object.values(server.stats().faults).reduce((sum, count) => sum + count, 0)
    expect(injected).toBeGreaterThan(2)
    expect(run.results.filter(({ score }) => score && score.score < 1)).toEqual([])
    expect(run.results.filter(({ score }) => score).length).toBeGreaterThan(4)
    for (const { score, outcome, error } of run.results)
      if (!score) expect([outcome, error]).toEqual(['error', expect.any(String)])
    // The tool that appends to a list ran once in each.
    for (const log of logs)
      expect(log.filter((event) => event.kind === 'called' && event.name === 'set_status').length).toBeLessThan(2)
    expect(server.stats().requests).toBe(logs.flat().filter(({ kind }) => kind === 'asked').length)
  })

  it('go on after calls that no tool can take', async () => {
    const strange: Spoken[] = [
      {
        calls: [
          { id: 'c1', name: 'get_order', arguments: { id: 'W1' } },
          { id: 'c1', name: 'get_order', arguments: { id: 'W2' } },
          { id: 'c1', name: 'fly', arguments: {} },
          { id: 'c2', name: '', arguments: {} },
        ],
      },
      { calls: [{ id: 'c1', name: 'get_order', arguments: vendor === 'google' ? { no: 1 } : '{"id": "W1"' }] },
      { calls: [{ id: 'c1', name: 'set_status', arguments: { id: 'W1', status: 'returned' } }] },
    ]
    const speak = ({ answers }: ChatRequest) => strange[answers] ?? { text: 'Done.' }
    const { run, logs, server } = await hold(vendor, { speak })
    expect(run.results[0]).toMatchObject({ outcome: 'ok', score: { score: 1 } })
    const replies = logs[0]!.filter((event) => event.kind === 'replied')
    expect(replies.map(({ isError }) => isError)).toEqual([false, false, true, true, true, false])
    expect(new Set(replies.map(({ id }) => id)).size).toBe(6)
    expect(server.stats().requests).toBe(4)
  })
})
