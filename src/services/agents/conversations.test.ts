import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { executeRun, openStorage, resumeRun, runConversation, type ClientDefinition } from '../../index.ts'
import '../../../test/property-seed.ts'
import type { ModelRequest } from '../../contract/index.ts'
import type { SuiteInput } from '../../import/suite-files/given-suite.ts'

const order = { id: 'W1', status: 'delivered', items: { I1: { price: 120 }, I2: { price: 40 } } }
const shop: SuiteInput = {
  name: 'Shop',
  agent: { systemPrompt: 'You work for a shop.', limits: { turns: 8, toolCalls: 6, toolErrors: 3 } },
  world: { orders: { W1: order }, tickets: [] },
  tools: {
    get_order: {
      parameters: { type: 'object', required: ['order_id'], properties: { order_id: { type: 'string' } } },
      mock: [
        { when: { order_id: { in: 'world.orders' } }, reply: '{{ world.orders[args.order_id] }}' },
        { error: 'Order {{ args.order_id }} not found' },
      ],
    },
    return_items: {
      changes: true,
      parameters: {
        type: 'object',
        required: ['order_id', 'item_ids'],
        properties: { order_id: { type: 'string' }, item_ids: { type: 'array', items: { type: 'string' } } },
      },
      mock: [
        {
          when: { order_id: { in: 'world.orders' }, 'world.orders[args.order_id].status': 'delivered' },
          edits: [
            { set: 'world.orders[args.order_id].status', to: 'return requested' },
            { set: 'world.orders[args.order_id].returned', to: '{{ args.item_ids }}' },
            { append: 'world.tickets', value: 'return of {{ args.order_id }}' },
          ],
          reply: { ok: true, status: '{{ world.orders[args.order_id].status }}' },
        },
        { error: 'It cannot be returned' },
      ],
    },
    draw: {
      changes: true,
      code: 'world.number = Math.random(); world.at = new Date().toISOString(); if (args.fail) throw new Error("no luck"); return world.number',
    },
  },
  testCases: [
    {
      id: 'return',
      prompt: 'Return the keyboard, I1 of W1.',
      reference: [{ return_items: { order_id: 'W1', item_ids: ['I1'] } }],
      checks: [
        { scoringMethod: 'end-state' },
        { scoringMethod: 'said', texts: ['120'] },
        { scoringMethod: 'tool-calls', forbid: ['draw'] },
      ],
    },
  ],
}

type Step = { text?: string; calls?: { id?: string; name: string; arguments: unknown }[] }

/** Says one step after another, by how many answers it has given in the conversation. */
const scripted = (...steps: Step[]): ClientDefinition & { requests: ModelRequest[] } => {
  const requests: ModelRequest[] = []
  return {
    requests,
    complete: async (request) => {
      requests.push(structuredClone(request))
      const given = request.messages.filter(({ role }) => role === 'assistant').length
      const { text = '', calls } = steps[given] ?? { text: 'Nothing more.' }
      return {
        response: text,
        ...(calls && { toolCalls: calls }),
        opaque: { state: given },
        promptTokens: 10,
        completionTokens: 5,
        cost: 0.001,
      }
    },
  }
}

const call = (name: string, given: unknown, id?: string) => ({
  ...(id !== undefined && { id }),
  name,
  arguments: given,
})
const right = [
  { calls: [call('get_order', { order_id: 'W1' }, 'a')] },
  { calls: [call('return_items', { order_id: 'W1', item_ids: ['I1'] }, 'b')] },
  { text: 'Done: 120 dollars go back.' },
]

describe('a conversation without a simulated user', () => {
  it('calls tools, ends with the first answer without a call, and is scored by the end state', async () => {
    const client = scripted(...right)
    const result = await runConversation({ suite: shop, client })
    expect(result).toMatchObject({ outcome: 'ok', passed: true, score: 1, cost: 0.003 })
    expect(result.checks.map(({ scoringMethod, score }) => [scoringMethod, score])).toEqual([
      ['end-state', 1],
      ['said', 1],
      ['tool-calls', 1],
    ])
    expect(result.world).toEqual({
      orders: { W1: { ...order, status: 'return requested', returned: ['I1'] } },
      tickets: ['return of W1'],
    })
    // The second request has the call, its reply, and what the vendor wants back.
    expect(client.requests[1]?.messages.slice(1)).toEqual([
      { role: 'user', content: 'Return the keyboard, I1 of W1.' },
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: 'a', name: 'get_order', arguments: { order_id: 'W1' } }],
        opaque: { state: 0 },
      },
      { role: 'tool', toolCallId: 'a', name: 'get_order', content: JSON.stringify(order) },
    ])
    expect(client.requests[0]?.tools?.map(({ name }) => name)).toEqual(['get_order', 'return_items', 'draw'])
    expect(result.trajectory).toMatchObject({
      task: 'return',
      outcome: 'agent-stop',
      assistantTurns: 3,
      results: 2,
      errors: 0,
    })
  })

  it('has partial credit: by entity, the same changes over all changes', async () => {
    const client = scripted(
      { calls: [call('return_items', { order_id: 'W1', item_ids: ['I1', 'I2'] })] },
      { text: 'Done.' },
    )
    const { score, checks, passed } = await runConversation({ suite: shop, client })
    // orders.W1: status and returned.0 are right, returned.1 is extra: 2/3; the ticket is right: 1.
    expect(checks[0]?.score).toBeCloseTo((2 / 3 + 1) / 2, 12)
    expect(score).toBeCloseTo(((2 / 3 + 1) / 2 + 0 + 1) / 3, 12)
    expect(passed).toBe(false)
  })

  it('a tool that throws changes nothing; unknown tools, bad arguments and text for arguments are replies', async () => {
    const client = scripted(
      {
        calls: [
          call('draw', { fail: true }, 'a'),
          call('fly', {}, 'a'),
          call('get_order', {}),
          call('get_order', '{"order_id": '),
        ],
      },
      { text: 'I give up.' },
    )
    const suite = { ...shop, agent: { ...shop.agent, limits: { toolErrors: 9 } } }
    const { world, trajectory } = await runConversation({ suite, client })
    expect(world).toEqual(shop.world)
    expect(
      trajectory.steps.flatMap(({ calls }) => calls.map(({ id, result, isError }) => [id, result, isError])),
    ).toEqual([
      ['a', 'Error: no luck', true],
      ['call_2', 'Error: there is no tool fly', true],
      [
        'call_3',
        expect.stringContaining("Error: invalid arguments: the value must have required property 'order_id'"),
        true,
      ],
      ['call_4', 'Error: the arguments are not a JSON object', true],
    ])
  })

  it('the chance and the clock of a tool are those of its case, in every run', async () => {
    const draw = async () =>
      (await runConversation({ suite: shop, client: scripted({ calls: [call('draw', {})] }, { text: 'ok' }) })).world
    const first = await draw()
    expect(first).toEqual(await draw())
    expect(first).toMatchObject({ number: expect.any(Number), at: '2026-01-01T09:00:00.000Z' })
  })

  it.each([
    ['turns', { turns: 2 }],
    ['tool-calls', { toolCalls: 1 }],
    ['tool-errors', { toolErrors: 1 }],
    ['cost', { cost: 0.0015 }],
  ])('that reaches its limit of %s ends, and is scored', async (reason, limits) => {
    const client = scripted(
      ...Array.from({ length: 9 }, () => ({
        calls: [call('get_order', { order_id: reason === 'tool-errors' ? 'X' : 'W1' })],
      })),
    )
    const suite = { ...shop, agent: { limits } }
    const result = await runConversation({ suite, client })
    expect(result).toMatchObject({ outcome: 'limit', passed: false, score: expect.any(Number) })
    expect(result.trajectory.outcome).toBe(reason)
  })
})

const user = { model: 'the-user', instructions: 'Return I1 of W1.', stopWords: ['###STOP###'] }
const withUser: SuiteInput = { ...shop, user, testCases: [{ ...shop.testCases[0]!, id: 'user', prompt: undefined }] }

describe('a simulated user', () => {
  const agent = () => scripted({ text: 'Which order?' }, ...right)
  it('sees only what was said to it, has its own parameters, and ends the conversation with a stop word', async () => {
    const userClient = scripted({ text: 'Hello.' }, { text: 'I1 of W1.' }, { text: 'Thanks ###STOP###' })
    const result = await runConversation({ suite: withUser, client: agent(), userClient })
    expect(result).toMatchObject({ outcome: 'ok', passed: true })
    expect(result.trajectory.outcome).toBe('user-stop')
    const { messages, modelId, parameters, tools } = userClient.requests.at(-1)!
    expect({ modelId, parameters, tools }).toEqual({
      modelId: 'the-user',
      parameters: { temperature: 0 },
      tools: undefined,
    })
    expect(messages.slice(1).map(({ role, content }) => [role, content])).toEqual([
      ['assistant', 'Hello.'],
      ['user', 'Which order?'],
      ['assistant', 'I1 of W1.'],
      ['user', 'Done: 120 dollars go back.'],
    ])
    // Only the agent's answers cost the cell.
    expect(result.cost).toBeCloseTo(0.004, 12)
    expect(result.userCost).toBeCloseTo(0.003, 12)
  })
  it.each<[string, ClientDefinition]>([
    ['fails', { complete: () => Promise.reject(new Error('no credit')) }],
    ['calls its tools for ever', scripted(...Array.from({ length: 20 }, () => ({ calls: [call('fly', {})] })))],
  ])('that %s leaves the cell unscored, which is not 0', async (_what, userClient) => {
    expect(await runConversation({ suite: withUser, client: agent(), userClient })).toMatchObject({
      outcome: 'user-error',
      score: null,
      passed: null,
      unscored: { code: 'user-error' },
    })
  })
  it('has tools of its own, which change the same world', async () => {
    const suite: SuiteInput = {
      ...withUser,
      user: { ...user, tools: ['restart'] },
      tools: { restart: { of: 'user', changes: true, code: 'world.restarted = true; return "done"' } },
      testCases: [
        { id: 'u', checks: [{ scoringMethod: 'world', holds: ['world.restarted', 'world.tickets.length === 0'] }] },
      ],
    }
    const userClient = scripted({ calls: [call('restart', {})] }, { text: 'It works. ###STOP###' })
    const client = scripted({ text: 'Restart it.' }, { calls: [call('restart', {})] })
    const result = await runConversation({ suite: { ...suite, agent: { opening: 'Restart it.' } }, client, userClient })
    expect(result).toMatchObject({ passed: true, score: 1 })
    expect(userClient.requests[0]?.tools?.map(({ name }) => name)).toEqual(['restart'])
    expect(client.requests).toHaveLength(0)
  })
})

describe('scripted turns', () => {
  it('give credit for each turn', async () => {
    const suite: SuiteInput = {
      ...shop,
      testCases: [
        {
          id: 't',
          turns: [
            {
              user: 'What is W1?',
              expectedCalls: [{ name: 'get_order', arguments: { order_id: 'W1' } }],
              said: ['delivered'],
            },
            { user: 'Thanks. What did it cost?', expectedCalls: [], said: ['160'] },
          ],
        },
      ],
    }
    const client = scripted(right[0]!, { text: 'It was delivered.' }, { text: 'It cost 150.' })
    const { score, passed, trajectory } = await runConversation({ suite, client })
    expect(score).toBeCloseTo((1 + 0.5) / 2, 12)
    expect(passed).toBe(false)
    expect(trajectory.userTurns).toBe(2)
  })
})

describe('a run of conversations', () => {
  const models = ['good', 'lazy']
  const client = (modelId: string) => (modelId === 'good' ? scripted(...right) : scripted({ text: 'Done: 120.' }))

  it('is a run like any other: cells, repeats, costs, what passed', async () => {
    const run = await executeRun({ suite: shop, models, client })
    expect(
      run.results.map(({ modelId, outcome, score, attempts, cost, promptTokens }) => [
        modelId,
        outcome,
        score?.checks?.[0]?.score,
        attempts,
        cost,
        promptTokens,
      ]),
    ).toEqual([
      ['good', 'ok', 1, 3, 0.003, 30],
      ['lazy', 'ok', 0, 1, 0.001, 10],
    ])
  })

  it('that is killed at any event goes on from its log: nothing is paid twice but what was in flight, the world is the same', async () => {
    const suite: SuiteInput = {
      ...withUser,
      testCases: [
        {
          ...withUser.testCases[0]!,
          before: [{ user: 'Hi' }, { get_order: { order_id: 'W1' } }, { agent: 'Hi, W1 it is.' }],
        },
      ],
    }
    const agentSteps: Step[] = [{ text: '' }, { text: '' }, { text: 'Shall I?' }, ...right]
    const userSteps: Step[] = [{ text: '' }, { text: 'Return I1.' }, { text: 'Yes.' }, { text: '###STOP###' }]
    const play = async (killAt: number) => {
      const storage = await openStorage({ file: ':memory:' })
      const sent: string[] = []
      const clientOf = (modelId: string): ClientDefinition => {
        const steps = modelId === 'the-user' ? userSteps : agentSteps
        return {
          complete: async (request, options) => {
            sent.push(modelId)
            return scripted(...steps).complete(request, options)
          },
        }
      }
      const kill = new AbortController()
      let events = 0
      const count = () => {
        if (++events === killAt) kill.abort()
      }
      const settings = { storage, client: clientOf }
      const first = await executeRun({
        ...settings,
        suite,
        models: ['agent'],
        signal: kill.signal,
        onEvent: ({ type }) => (type === 'conversation-went-on' || type === 'attempt-ended' ? count() : undefined),
      })
      const before = await storage.loadEvents({ runId: first.id, testCaseId: 'user', modelId: 'agent' })
      const run = kill.signal.aborted ? (await resumeRun(first.id, settings)).run : first
      const log = await storage.loadEvents({ runId: run.id, testCaseId: 'user', modelId: 'agent' })
      const attempts = await storage.loadAttempts(run.id)
      await storage.close()
      return { run, log, before, sent, attempts, events }
    }
    const whole = await play(Infinity)
    expect(whole.run.results[0]?.score?.score).toBe(1)
    const hashOf = ({ log }: typeof whole) => log.findLast((event) => event.kind === 'replied')?.worldHash
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: whole.events }), async (killAt) => {
        const killed = await play(killAt)
        expect(killed.log.slice(0, killed.before.length)).toEqual(killed.before)
        expect(hashOf(killed)).toBe(hashOf(whole))
        expect(killed.run.results[0]?.score?.score).toBe(1)
        const inFlight = killed.attempts.filter(({ end }) => !end || end.outcome === 'cancelled').length
        expect(killed.sent.length).toBeLessThanOrEqual(whole.sent.length + inFlight)
        const kinds = (log: typeof whole.log) => log.filter(({ kind }) => kind !== 'asked').map(({ kind }) => kind)
        expect(kinds(killed.log)).toEqual(kinds(whole.log))
      }),
      { numRuns: 12 },
    )
  })
})

describe('a suite with mistakes', () => {
  it.each<[string, object, RegExp]>([
    ['a tool without a way to reply', { tools: { a: {} } }, /tool a needs one of mock, code and reply/],
    ['a path that is none', { tools: { a: { mock: [{ reply: '{{ orders.x }}' }] } } }, /is not a path such as/],
    ['a schema that is none', { tools: { a: { reply: 1, parameters: { type: 'thing' } } } }, /tool a: parameters:/],
    [
      'an unknown tool in a reference',
      { testCases: [{ id: 'a', prompt: 'x', reference: [{ fly: {} }] }] },
      /there is no tool of that name/,
    ],
    ['nobody who speaks', { testCases: [{ id: 'a', reference: [] }] }, /give a prompt, turns or user.instructions/],
    ['nothing that says what is right', { testCases: [{ id: 'a', prompt: 'x' }] }, /nothing says what is right/],
  ])('%s is refused before anything is sent', async (_what, change, message) => {
    const client = scripted()
    const suite = { ...shop, ...change } as SuiteInput
    await expect(runConversation({ suite, client })).rejects.toThrow(message)
    expect(client.requests).toHaveLength(0)
  })
})
