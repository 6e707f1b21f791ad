import { describe, expect, it } from 'vitest'
import {
  buildReport,
  executeRun,
  openStorage,
  rescoreRun,
  resumeRun,
  runConversation,
  type ClientDefinition,
} from '../../index.ts'
import type { SuiteInput } from '../../import/suite-files/given-suite.ts'
import type { ModelRequest } from '../../contract/index.ts'

type Step = string | [name: string, args: unknown][]

/** Plays its steps, one an answer: words, or calls. */
const play = (...steps: Step[]): ClientDefinition & { requests: ModelRequest[] } => {
  const requests: ModelRequest[] = []
  let done = 0
  return {
    requests,
    complete: async (request) => {
      requests.push(structuredClone(request))
      const step = steps[done++] ?? 'Nothing more.'
      if (typeof step === 'string') return { response: step }
      return { response: '', toolCalls: step.map(([name, given]) => ({ name, arguments: given })) }
    },
  }
}

const errorsOf = ({ trajectory }: Awaited<ReturnType<typeof runConversation>>) =>
  trajectory.steps.flatMap(({ calls }) => calls.map(({ isError, result }) => (isError ? result : false)))

const bank: SuiteInput = {
  name: 'Bank',
  world: {
    now: '2026-11-18T09:00',
    accounts: { a: { balance: 100, tags: ['x', 'y'], note: null }, b: { balance: 5, tags: [], note: 'old' } },
    queue: [{ id: 1 }, { id: 2 }],
  },
  tools: {
    pay: {
      changes: true,
      parameters: {
        type: 'object',
        required: ['from', 'to', 'amount'],
        properties: { from: { type: 'string' }, to: { type: 'string' }, amount: { type: 'number', minimum: 0 } },
      },
      mock: [
        {
          when: { from: { in: 'world.accounts' }, amount: { atMost: '{{ world.accounts[args.from].balance }}' } },
          edits: [
            { set: 'world.accounts[args.from].paid', to: '{{ args.amount }}' },
            { add: 'world.accounts[args.to].balance', by: '{{ args.amount }}' },
          ],
          reply: 'paid {{ args.amount }} to {{ args.to }}',
        },
        { error: 'not enough' },
      ],
    },
    set: { changes: true, code: 'world.accounts[args.id][args.key] = args.value; return world.accounts[args.id]' },
    tags: { changes: true, code: 'world.accounts[args.id].tags = args.tags; return null' },
    half: { changes: true, code: "world.accounts.a.balance = 0; throw new Error('half-way')" },
    shout: { reply: 'HO' },
    broken: { changes: true, code: 'return nowhere.at.all' },
    put: { changes: true, code: 'world[args.key] = args.value; return Object.keys(world).length' },
    next: { changes: true, code: 'return world.queue.shift()' },
    drop: { changes: true, mock: [{ edits: [{ remove: 'world.queue[args.at]' }], reply: '{{ world.queue }}' }] },
    leave: { changes: true, mock: [{ edits: [{ remove: 'world.accounts[args.id]' }] }] },
    ping: { reply: { at: '{{ world.now }}', said: '{{ args.text }}', n: 1 } },
  },
  testCases: [{ id: 'c', prompt: 'Go.', checks: [{ scoringMethod: 'end-state' }] }],
}
const hold = (testCase: object, steps: Step[], more: object = {}) =>
  runConversation({
    suite: { ...bank, testCases: [{ id: 'c', prompt: 'Go.', ...testCase }], ...more } as SuiteInput,
    client: play(...steps),
  })
const call = (name: string, given: unknown = {}): Step => [[name, given]]

describe('tools', () => {
  it('whose edits fail half-way change nothing', async () => {
    const result = await hold({ reference: [] }, [call('pay', { from: 'a', to: 'nobody', amount: 1 }), 'Done.'])
    expect(result.world).toEqual(bank.world)
    expect(errorsOf(result)[0]).toMatch(/^Error: there is no accounts.nobody/)
    expect(result.score).toBe(1)
  })
  it('with code that throws half-way change nothing', async () => {
    const result = await hold({ reference: [] }, [call('half'), 'Done.'])
    expect([result.world, errorsOf(result)[0], result.score]).toEqual([bank.world, 'Error: half-way', 1])
  })
  it('with code that cannot be used leave the cell unscored', async () => {
    const result = await hold({ reference: [] }, [call('broken'), 'Done.'])
    expect(result).toMatchObject({ outcome: 'environment-error', score: null, passed: null })
    expect(result.unscored?.message).toMatch(/nowhere/)
    expect(result.world).toEqual(bank.world)
  })
  it.each([
    ['a setup that fails', { setup: [{ half: {} }], reference: [] }],
    ['a reference with broken code', { reference: [{ broken: {} }] }],
  ])('%s leaves the cell unscored', async (_what, testCase) => {
    const result = await hold(testCase, ['Done.'])
    expect(result).toMatchObject({ outcome: 'environment-error', score: null, passed: null })
  })
  it('reply with constants, paths and texts', async () => {
    const result = await hold({ reference: [] }, [
      [
        ['ping', { text: 'hi' }],
        ['ping', {}],
      ],
      'Done.',
    ])
    expect(result.trajectory.steps.flatMap(({ calls }) => calls.map((one) => JSON.parse(String(one.result))))).toEqual([
      { at: '2026-11-18T09:00', said: 'hi', n: 1 },
      { at: '2026-11-18T09:00', said: null, n: 1 },
    ])
  })
  it('change lists in the world, from both ends', async () => {
    const client = [call('next'), call('drop', { at: 0 }), call('next'), 'Done.']
    const result = await hold({ endState: { queue: [] } }, client)
    expect(result).toMatchObject({ score: 1, passed: true, world: { queue: [] } })
  })
  it('may have a list for a world', async () => {
    const more = {
      world: [1, 2],
      tools: {
        push: { changes: true, mock: [{ edits: [{ append: 'world', value: '{{ args.n }}' }], reply: '{{ world }}' }] },
        pop: { changes: true, code: 'return world.pop()' },
        first: { changes: true, mock: [{ edits: [{ set: 'world[0]', to: 9 }], reply: '{{ world[0] }}' }] },
      },
    }
    const steps = [call('push', { n: 3 }), call('push', { n: 4 }), call('pop'), call('first'), 'Done.']
    const result = await hold({ endState: [9, 2, 3] }, steps, more)
    expect([result.world, result.score, errorsOf(result)]).toEqual([[9, 2, 3], 1, [false, false, false, false]])
  })
  it.each([
    ['world.list.length', {}, 'list has no item length'],
    ['world.list.name', {}, 'list has no item name'],
    ['world.list[args.at]', { at: 4 }, 'list has no item 4'],
    ['world.list[args.at]', { at: -1 }, 'list has no item -1'],
    ['world.list[args.at]', { at: '0x1' }, 'list has no item 0x1'],
    ['world.list[args.at]', {}, 'world.list[args.at] is no place in the world'],
    ['world.byId[args.at]', {}, 'world.byId[args.at] is no place in the world'],
    ['world.byId[args.at]', { at: { id: 1 } }, 'world.byId[args.at] is no place in the world'],
    ['world.byId[args.at].x', { at: 'b' }, 'there is no byId.b'],
  ])('set nothing at %s, which is not there, with %j', async (set, given, message) => {
    const more = {
      world: { list: [1, 2, 3], byId: { a: 1 } },
      tools: { put: { changes: true, mock: [{ edits: [{ set, to: 9 }] }] } },
    }
    const result = await hold({ reference: [] }, [call('put', given), 'Done.'], more)
    expect([result.world, errorsOf(result), result.score]).toEqual([more.world, [`Error: ${message}`], 1])
  })
  it('compare arguments with texts, also such that begin like a path', async () => {
    const more = {
      world: { title: 'Ends' },
      tools: {
        find: {
          mock: [
            { when: { title: 'world peace' }, reply: 'text' },
            { when: { title: 'world.title' }, reply: 'path' },
            { when: { title: { in: 'world' } }, reply: 'key' },
            { when: { world: 'args' }, reply: 'argument' },
            { reply: 'nothing' },
          ],
        },
      },
    }
    const given = [{ title: 'world peace' }, { title: 'Ends' }, { title: 'title' }, { world: 'args' }, { title: 'x' }]
    const result = await hold({ reference: [] }, [...given.map((one) => call('find', one)), 'Done.'], more)
    const replies = result.trajectory.steps.flatMap(({ calls }) => calls.map((one) => one.result))
    expect(replies).toEqual(['text', 'path', 'key', 'argument', 'nothing'])
  })
  it('know numbers by value: 1 is 1.0', async () => {
    const suite = { reference: [{ set: { id: 'a', key: 'balance', value: 1 } }] }
    const result = await hold(suite, [[['set', '{"id": "a", "key": "balance", "value": 1.0}']], 'Done.'])
    expect(errorsOf(result)[0]).toMatch(/not a JSON object/)
    const parsed = await hold(suite, [[['set', JSON.parse('{"id": "a", "key": "balance", "value": 1.0}')]], 'Done.'])
    expect(parsed.score).toBe(1)
  })
  it('keep keys such as __proto__ and constructor to themselves', async () => {
    const odd = JSON.parse('{"key": "__proto__", "value": {"polluted": true}}')
    const nested = JSON.parse('{"key": "deep", "value": {"__proto__": {"x": 1}, "constructor": 2}}')
    const result = await hold({ checks: [{ scoringMethod: 'world', holds: 'world.deep.constructor === 2' }] }, [
      call('put', odd),
      call('put', nested),
      call('drop', { at: '__proto__' }),
      call('pay', { from: '__proto__', to: 'constructor', amount: 1 }),
      'Done.',
    ])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect(JSON.stringify(result.world)).toContain('"deep":{"__proto__":{"x":1},"constructor":2}')
    expect(result.score).toBe(1)
  })
  it('may be called in parallel: in order, each on the world of the last', async () => {
    const result = await hold({ endState: { accounts: { b: { balance: 8 } } } }, [
      [
        ['pay', { from: 'a', to: 'b', amount: 1 }],
        ['pay', { from: 'a', to: 'b', amount: -1 }],
        ['fly', {}],
        ['pay', { from: 'a', to: 'b', amount: 2 }],
      ],
      'Done.',
    ])
    expect(errorsOf(result).map((one) => one !== false)).toEqual([false, true, true, false])
    expect(result).toMatchObject({ score: 1, passed: true })
  })
  it('without a name, or of the user, are not there for the agent', async () => {
    const more = { tools: { ...bank.tools, restart: { of: 'user', reply: 1 } } }
    const result = await hold({ reference: [] }, [call('', {}), call('restart'), 'Done.'], more)
    expect(errorsOf(result)).toEqual(['Error: there is no tool ', 'Error: there is no tool restart'])
  })
})

describe('the end state', () => {
  const score = async (testCase: object, ...steps: Step[]) => {
    const result = await hold(testCase, [...steps, 'Done.'])
    return result.score
  }
  const set = (id: string, key: string, value: unknown) => call('set', { id, key, value })
  const expectsBalance = (match?: string, more: object = {}) => ({
    endState: { accounts: { a: { balance: 1 } } },
    ...(match && { checks: [{ scoringMethod: 'end-state', match, ...more }] }),
  })

  it('with a part: what else changed is free', async () => {
    expect(await score(expectsBalance(), set('a', 'balance', 1), set('b', 'balance', 9))).toBe(1)
    expect(await score(expectsBalance(), set('b', 'balance', 9))).toBe(0)
  })
  it('with a part and match whole: nothing else may change', async () => {
    expect(await score(expectsBalance('whole'), set('a', 'balance', 1))).toBe(1)
    expect(await score(expectsBalance('whole'), set('a', 'balance', 1), set('b', 'balance', 9))).toBe(0.5)
    expect(await score(expectsBalance('whole'), set('a', 'balance', 1), set('a', 'note', 'n'))).toBe(0.5)
  })
  it('with a reference: whole, or only what it changes', async () => {
    const reference = [{ set: { id: 'a', key: 'balance', value: 1 } }]
    const part = { reference, checks: [{ scoringMethod: 'end-state', match: 'part' }] }
    expect(await score({ reference }, set('a', 'balance', 1))).toBe(1)
    expect(await score({ reference }, set('a', 'balance', 1), set('b', 'balance', 9))).toBe(0.5)
    expect(await score(part, set('a', 'balance', 1), set('b', 'balance', 9))).toBe(1)
    expect(await score({ reference }, set('a', 'balance', 7), set('a', 'balance', 1))).toBe(1)
    expect(await score({ reference })).toBe(0)
  })
  it('null in a part is not there, or there and null', async () => {
    expect(await score({ endState: { accounts: { b: null } } }, call('leave', { id: 'b' }))).toBe(1)
    expect(await score({ endState: { accounts: { b: null } } })).toBe(0)
    expect(await score({ endState: { accounts: { a: { note: null } } } })).toBe(1)
    expect(await score({ endState: { accounts: { a: { note: null } } } }, set('a', 'note', 'x'))).toBe(0)
    expect(await score({ endState: { accounts: { b: { note: null } } } }, set('b', 'note', null))).toBe(1)
    expect(await score({ endState: { accounts: { b: { note: null } } } })).toBe(0)
    expect(await score({ endState: { nowhere: { deep: null } } })).toBe(1)
  })
  it('a missing field is not one that is null', async () => {
    const reference = [{ set: { id: 'a', key: 'extra', value: null } }]
    expect(await score({ reference })).toBe(0)
    expect(await score({ reference }, set('a', 'extra', null))).toBe(1)
  })
  it('lists: in order, unless they are unordered', async () => {
    const unordered = { endState: { accounts: { a: { tags: ['p', 'q'] } } } }
    const check = (paths: string[]) => ({
      ...unordered,
      checks: [{ scoringMethod: 'end-state', unordered: paths }],
    })
    const swapped = call('tags', { id: 'a', tags: ['q', 'p'] })
    expect(await score(unordered, swapped)).toBe(0)
    expect(await score(check(['accounts.*.tags']), swapped)).toBe(1)
    expect(await score(check(['**.tags']), swapped)).toBe(1)
    expect(await score(check(['accounts']), swapped)).toBe(0)
  })
  it('only the named list is unordered, not those inside it', async () => {
    const testCase = {
      endState: {
        accounts: {
          a: {
            tags: [
              [1, 2],
              [3, 4],
            ],
          },
        },
      },
      checks: [{ scoringMethod: 'end-state', unordered: ['accounts.*.tags'] }],
    }
    const tags = (...lists: number[][]) => call('tags', { id: 'a', tags: lists })
    expect(await score(testCase, tags([3, 4], [1, 2]))).toBe(1)
    expect(await score(testCase, tags([2, 1], [4, 3]))).toBeLessThan(1)
  })
  it('paths that are ignored do not count, also under keys with dots', async () => {
    const checks = [{ scoringMethod: 'end-state', ignore: ['accounts.*.note', 'files.*.at'] }]
    expect(await score({ reference: [], checks }, set('a', 'note', 'x'))).toBe(1)
    expect(await score({ reference: [], checks }, set('a', 'notes', 'x'))).toBe(0)
    const files = call('put', { key: 'files', value: { 'a.b': { at: 1 } } })
    expect(await score({ reference: [], checks }, files)).toBe(1)
  })
  it('credit is by entity: changes that are the same over all of them', async () => {
    const reference = [
      { set: { id: 'a', key: 'balance', value: 1 } },
      { set: { id: 'a', key: 'note', value: 'n' } },
      { set: { id: 'b', key: 'balance', value: 2 } },
    ]
    // accounts.a: one of two is right, and one is extra: 1/3; accounts.b: 0; queue.0 should not have changed: 0.
    expect(
      await score({ reference }, set('a', 'balance', 1), set('a', 'extra', 1), call('drop', { at: 1 })),
    ).toBeCloseTo((1 / 3 + 0 + 0) / 3, 12)
  })
  it('nothing expected and nothing changed is 1', async () => {
    expect(await score({ reference: [] })).toBe(1)
    expect(await score({ checks: [{ scoringMethod: 'end-state' }] })).toBe(1)
    expect(await score({ checks: [{ scoringMethod: 'end-state' }] }, set('a', 'balance', 1))).toBe(0)
  })
  it('a reference that fails half-way changes what its other calls change', async () => {
    const reference = [{ half: {} }, { set: { id: 'a', key: 'balance', value: 1 } }]
    expect(await score({ reference }, set('a', 'balance', 1))).toBe(1)
  })
})

describe('what was before the conversation', () => {
  const before = [
    { user: 'Pay 1 to b.' },
    { pay: { from: 'a', to: 'b', amount: 1 } },
    { agent: 'I paid 1 to b. The code is 4711.' },
  ]
  it('is nothing that the agent did, said or left out', async () => {
    const testCase = {
      before,
      checks: [
        { scoringMethod: 'tool-calls', forbid: ['pay'] },
        { scoringMethod: 'tool-calls', maxCalls: 0 },
        { scoringMethod: 'said', texts: ['4711'] },
        { scoringMethod: 'end-state' },
      ],
    }
    const result = await hold(testCase, ['Good bye.'])
    expect(result.checks.map(({ score }) => score)).toEqual([1, 1, 0, 1])
    expect(result.world).toMatchObject({ accounts: { b: { balance: 6 } } })
  })
  it('is read by the model, and its reference goes on from there', async () => {
    const client = play(call('pay', { from: 'a', to: 'b', amount: 2 }), 'Done.')
    const suite = {
      ...bank,
      testCases: [{ id: 'c', before, prompt: 'And 2 more.', reference: [{ pay: { from: 'a', to: 'b', amount: 2 } }] }],
    } as SuiteInput
    const result = await runConversation({ suite, client })
    expect(client.requests[0]?.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ])
    expect(result).toMatchObject({ score: 1, world: { accounts: { b: { balance: 8 } } } })
  })
  it('an opening is said by nobody who is scored', async () => {
    const more = { agent: { opening: 'Hi, the code is 4711.' } }
    const result = await hold({ checks: [{ scoringMethod: 'said', texts: ['4711'] }] }, ['Bye.'], more)
    expect(result.score).toBe(0)
  })
  it('a setup is in the world from the start', async () => {
    const testCase = { setup: [{ pay: { from: 'a', to: 'b', amount: 1 } }], checks: [{ scoringMethod: 'end-state' }] }
    const result = await hold(testCase, ['Done.'])
    expect(result).toMatchObject({ score: 1, world: { accounts: { b: { balance: 6 } } } })
  })
})

describe('the end of a conversation', () => {
  const user = { model: 'u', instructions: 'Talk for ever.' }
  const forever: ClientDefinition = { complete: async () => ({ response: 'And then?' }) }
  it('a user who never stops is ended by the limit, and scored', async () => {
    const suite = {
      ...bank,
      agent: { limits: { turns: 3 } },
      testCases: [{ id: 'c', user, reference: [] }],
    } as SuiteInput
    const result = await runConversation({ suite, client: forever, userClient: forever })
    expect(result).toMatchObject({ outcome: 'limit', score: 1, trajectory: { assistantTurns: 3, outcome: 'turns' } })
  })
  it('the last answer that a limit allows may be the one that ends it', async () => {
    const limits = { agent: { limits: { turns: 2 } } }
    const steps = [call('set', { id: 'a', key: 'balance', value: 1 }), 'Done.']
    const testCase = { endState: { accounts: { a: { balance: 1 } } } }
    expect(await hold(testCase, steps, limits)).toMatchObject({ outcome: 'ok', score: 1, passed: true })
    expect(await hold(testCase, steps, { agent: { limits: { turns: 1 } } })).toMatchObject({
      outcome: 'limit',
      score: 1,
      passed: true,
    })
  })
  it('calls beyond the limit are not made', async () => {
    const two: Step = [
      ['set', { id: 'a', key: 'balance', value: 1 }],
      ['set', { id: 'a', key: 'balance', value: 2 }],
    ]
    const result = await hold({ reference: [] }, [two, 'Done.'], { agent: { limits: { toolCalls: 1 } } })
    expect(result).toMatchObject({ outcome: 'limit', world: { accounts: { a: { balance: 1 } } } })
    const exact = await hold({ reference: [] }, [two, 'Done.'], { agent: { limits: { toolCalls: 2 } } })
    expect(exact).toMatchObject({ outcome: 'ok', world: { accounts: { a: { balance: 2 } } } })
  })
  it('a user that fails, says nothing or is refused leaves the cell unscored', async () => {
    const suite = { ...bank, testCases: [{ id: 'c', user, reference: [] }] } as SuiteInput
    for (const userClient of [play('', '', '', '', ''), { complete: () => Promise.reject(new Error('x')) }])
      expect(await runConversation({ suite, client: forever, userClient })).toMatchObject({
        outcome: 'user-error',
        score: null,
        passed: null,
      })
  })
  it('an agent that fails has no score either: an error is not 0', async () => {
    const client = { complete: () => Promise.reject(new Error('x')) }
    const suite = { ...bank, testCases: [{ id: 'c', prompt: 'Go.', reference: [] }] } as SuiteInput
    expect(await runConversation({ suite, client })).toMatchObject({ outcome: 'error', score: null, passed: null })
  })
  it('fewer answers than scripted turns: turns that did not come about have no credit', async () => {
    const turns = [
      { user: 'One', expectedCalls: [{ name: 'ping' }] },
      { user: 'Two', expectedCalls: [] },
      { user: 'Three', said: ['x'] },
    ]
    const limit = { agent: { limits: { turns: 2 } } }
    const result = await hold({ prompt: undefined, turns }, [call('ping'), 'Pong.'], limit)
    expect(result).toMatchObject({ outcome: 'limit', score: 1 / 3, passed: false })
  })
})

describe('checks', () => {
  it('of the world: one that throws does not hold, and the score is the share that holds', async () => {
    const holds = ['world.queue.length === 2', 'world.nobody.balance > 0', "world.accounts.b.note === 'old';"]
    const result = await hold({ checks: [{ scoringMethod: 'world', holds }] }, ['Done.'])
    expect(result.score).toBeCloseTo(2 / 3, 12)
  })
  it('a case passes if every check reaches its mark, whatever their mean', async () => {
    const result = await hold(
      {
        reference: [],
        checks: [
          { scoringMethod: 'end-state', weight: 9 },
          { scoringMethod: 'said', texts: ['no'], weight: 0.1 },
        ],
      },
      ['Done.'],
    )
    expect(result.passed).toBe(false)
    expect(result.score).toBeGreaterThan(0.9)
  })
  it('tau2 multiplies them, and what is not whole is nothing', async () => {
    const testCase = {
      endState: { accounts: { a: { balance: 1 }, b: { balance: 2 } } },
      checks: [{ scoringMethod: 'end-state' }, { scoringMethod: 'said', texts: ['Done'] }],
    }
    const steps = [call('put', { key: 'x', value: 1 }), call('set', { id: 'a', key: 'balance', value: 1 }), 'Done.']
    expect(await hold(testCase, steps)).toMatchObject({ score: 0.75 })
    const more = { as: 'tau2', tools: { ...bank.tools, set: { ...bank.tools!['set'], parameters: undefined } } }
    expect(await hold(testCase, steps, more)).toMatchObject({ score: 0, passed: false })
  })
})

describe('a case overrides its suite', () => {
  it('objects are merged, lists replaced, and a tool that is null is taken away', async () => {
    const testCase = {
      world: { accounts: { a: { balance: 7 } }, queue: [{ id: 9 }] },
      tools: { shout: null, pay: { description: 'Pays.' }, ping: { code: 'return 2' } },
      reference: [],
    }
    const client = play([['ping', {}]], 'Done.')
    const suite = { ...bank, testCases: [{ id: 'c', prompt: 'Go.', ...testCase }] } as SuiteInput
    const result = await runConversation({ suite, client })
    const tools = client.requests[0]!.tools!
    expect(tools.map(({ name }) => name)).not.toContain('shout')
    expect(tools.find(({ name }) => name === 'pay')).toMatchObject({
      description: 'Pays.',
      parameters: { required: ['from', 'to', 'amount'] },
    })
    expect(result.trajectory.steps.flatMap(({ calls }) => calls.map((one) => one.result))).toEqual(['2'])
    expect(result.world).toMatchObject({ accounts: { a: { balance: 7, tags: ['x', 'y'] } }, queue: [{ id: 9 }] })
  })
})

describe('a run', () => {
  const testCase = { id: 'c', prompt: 'Go.', endState: { accounts: { a: { balance: 1 } } } }
  const set = (value: number): Step => call('set', { id: 'a', key: 'balance', value })
  const suite = { ...bank, agent: { systemPrompt: 'Plain.' }, testCases: [testCase] } as SuiteInput

  it('gives each variant its system prompt and its prompt', async () => {
    const variants = [{ name: 'plain' }, { name: 'kind', systemPrompt: 'Be kind.', prompt: '{{prompt}} Please.' }]
    const asked: string[] = []
    const client: ClientDefinition = {
      complete: async ({ messages }) => {
        asked.push(messages.map(({ content }) => content).join(' | '))
        return { response: 'Done.' }
      },
    }
    const run = await executeRun({ suite: { ...suite, variants }, models: ['m'], client })
    expect(run.results.map(({ modelId }) => modelId)).toEqual(['m@plain', 'm@kind'])
    expect(asked).toEqual(['Plain. | Go.', 'Be kind. | Go. Please.'])
  })
  it.each([
    [
      { prompt: '{{user}} hi' },
      { turns: [{ user: 'Hi.', said: ['x'] }] },
      /test case c has none that it could replace/,
    ],
    [
      { messages: [{ role: 'user', content: 'Hi.' }] },
      { prompt: 'Go.', reference: [] },
      /conversations with agents have none/,
    ],
  ])('refuses a variant that would change nothing: %o', async (variant, own, message) => {
    const odd = {
      ...suite,
      variants: [{ name: 'v', ...variant }],
      testCases: [{ id: 'c', vars: { user: 'x' }, ...own }],
    }
    await expect(executeRun({ suite: odd as SuiteInput, models: ['m'], client: play() })).rejects.toThrow(message)
  })
  it('holds a conversation for each wording', async () => {
    const worded = { ...suite, wordings: ['{{prompt}}', 'Please: {{prompt}}'] }
    const client: ClientDefinition = {
      complete: async ({ messages }) => ({
        response: 'Done.',
        toolCalls:
          messages.at(-1)?.content === 'Please: Go.'
            ? [{ name: 'set', arguments: { id: 'a', key: 'balance', value: 1 } }]
            : [],
      }),
    }
    const run = await executeRun({ suite: worded, models: ['m'], client })
    expect(run.results.map(({ testCaseId, score }) => [testCaseId, score?.score])).toEqual([
      ['c ~ wording 1', 0],
      ['c ~ wording 2', 1],
    ])
  })
  it('repeats a conversation anew each time, in the same world', async () => {
    const storage = await openStorage({ file: ':memory:' })
    const scores = []
    for (const value of [1, 2, 1]) {
      const client = play(set(value), 'Done.')
      const run = await executeRun({ suite, models: ['m'], client, storage, seriesId: 's' })
      scores.push(run.results[0]?.score?.score)
    }
    await storage.close()
    expect(scores).toEqual([1, 0, 1])
  })
  it('of several repeats says how much of their variation is at most the user’s, in one line of its report', async () => {
    const storage = await openStorage({ file: ':memory:' })
    const user = { model: 'u', instructions: 'Set it.' }
    const testCases = Array.from({ length: 4 }, (_, index) => ({
      ...testCase,
      id: `c${index}`,
      prompt: undefined,
      user,
    }))
    const talks = { ...suite, agent: { limits: { turns: 2 } }, testCases } as SuiteInput
    const repeat = async (index: number, words: (id: number) => string) => {
      const client = (modelId: string): ClientDefinition => ({
        complete: async ({ messages }) => {
          if (modelId === 'u') return { response: words(index) }
          const value = index === 1 ? 1 : 2
          const isNew = messages.at(-1)?.role === 'user'
          return {
            response: 'Done.',
            toolCalls: isNew ? [{ name: 'set', arguments: { id: 'a', key: 'balance', value } }] : [],
          }
        },
      })
      return executeRun({ suite: talks, models: ['m'], client, storage, seriesId: words.toString() })
    }
    const lineOf = async (words: (index: number) => string) => {
      const runs = []
      for (let index = 0; index < 5; index++) runs.push(await repeat(index, words))
      return buildReport(runs).method.filter((line) => line.includes('user'))
    }
    expect(await lineOf(() => 'Set it.')).toEqual([expect.stringContaining('said the same in all repeats')])
    expect(await lineOf((index) => `Set it, ${index}.`)).toEqual([expect.stringContaining('cannot be told')])
    expect(await lineOf((index) => `Set it, ${index % 2}.`)).toEqual([
      expect.stringMatching(/^Of the variance between repeats of a case, at most \d+(\.\d)? % is the simulated user’s/),
    ])
    await storage.close()
  })
  it('takes another model for the user', async () => {
    const asked: string[] = []
    const client: ClientDefinition = {
      complete: async ({ modelId }) => {
        asked.push(modelId)
        return { response: '###STOP###' }
      },
    }
    const talks = { ...suite, testCases: [{ id: 'c', user: { model: 'u', instructions: 'Hi.' }, reference: [] }] }
    const run = await executeRun({ suite: talks as SuiteInput, models: ['m'], client, userModel: 'other' })
    expect(asked).toEqual(['other'])
    expect(run.testSuiteSnapshot?.testCases[0]?.user?.model).toBe('other')
  })
  it('that its budget stops leaves the cell open, and a resume pays only what is missing', async () => {
    const storage = await openStorage({ file: ':memory:' })
    let sent = 0
    const client: ClientDefinition = {
      complete: async ({ messages }) => {
        sent++
        const place = messages.filter(({ role }) => role === 'assistant').length
        const usage = { promptTokens: 10, completionTokens: 10, cost: 0.01 }
        if (place === 2) return { response: 'Done.', ...usage }
        const toolCalls = [{ name: 'set', arguments: { id: 'a', key: 'balance', value: 2 - place } }]
        return { response: '', toolCalls, ...usage }
      },
    }
    const prices = new Map([['m', { prompt: 1e-6, completion: 1e-6 }]])
    const settings = { suite, models: ['m'], client, storage, prices, parameters: { maxTokens: 10 } }
    const stopped = await executeRun({ ...settings, maxCost: 0.015 })
    expect(stopped.results[0]?.score).toBeUndefined()
    expect(sent).toBeLessThan(3)
    const before = sent
    const { run } = await resumeRun(stopped.id, { client, storage, prices, maxCost: 1 })
    expect(run.results[0]?.score?.score).toBe(1)
    expect(sent).toBe(3)
    expect(before).toBeGreaterThan(0)
    await storage.close()
  })
  it('is scored again from its log, without a request', async () => {
    const storage = await openStorage({ file: ':memory:' })
    const run = await executeRun({ suite, models: ['m'], client: play(set(2), 'Done.'), storage })
    expect(run.results[0]?.score?.score).toBe(0)
    const client = play()
    const other = { ...suite, testCases: [{ ...testCase, endState: { accounts: { a: { balance: 2 } } } }] }
    const again = await rescoreRun(run.id, { client, storage, suite: other as SuiteInput })
    expect(again.run.results[0]?.score?.score).toBe(1)
    expect(client.requests).toHaveLength(0)
    await storage.close()
  })
  it('whose user failed has no score when it is scored again, with its own suite or another', async () => {
    const storage = await openStorage({ file: ':memory:' })
    const own = { ...suite, testCases: [{ id: 'c', user: { model: 'u', instructions: 'Go.' }, reference: [] }] }
    const client = { complete: () => Promise.reject(new Error('down')) }
    const run = await executeRun({ suite: own as SuiteInput, models: ['m'], client, storage })
    const other = { ...own, testCases: [{ ...own.testCases[0]!, reference: undefined, endState: {} }] }
    const runs = [
      run,
      (await rescoreRun(run.id, { client, storage })).run,
      (await rescoreRun(run.id, { client, storage, suite: other as SuiteInput })).run,
    ]
    expect(runs.map(({ results }) => results.map(({ score, unscored }) => [score, unscored?.code]))).toEqual(
      runs.map(() => [[undefined, 'user-error']]),
    )
    await storage.close()
  })
})
