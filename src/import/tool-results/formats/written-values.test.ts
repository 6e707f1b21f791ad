import { describe, expect, it } from 'vitest'
import { bfcl } from './bfcl.ts'
import { tau2Bench } from './tau2-bench.ts'
import { tauBench } from './tau-bench.ts'

describe('what the tools and the agents write', () => {
  const call = (name: string, given: unknown, id = 'c') => ({
    role: 'assistant',
    tool_calls: [{ id, function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) } }],
  })
  const reply = (content: unknown, id = 'c') => ({ role: 'tool', tool_call_id: id, content: JSON.stringify(content) })
  const record = (actions: object[], traj: object[]) => ({
    task_id: 1,
    reward: 1,
    info: { task: { actions, outputs: [] } },
    traj,
  })
  const context = { fields: {}, index: 0, readTyped: () => ({}) }

  it.each([
    [10, 1],
    [500, 0],
  ])('leaves out an exchange that a gift card of %s dollars does not cover', (balance, count) => {
    const exchange = {
      name: 'exchange_delivered_order_items',
      kwargs: { order_id: '#W1', item_ids: ['1'], new_item_ids: ['2'], payment_method_id: 'gift_card_7' },
    }
    const { expected } = tauBench.read(
      record(
        [exchange],
        [
          call('get_user_details', { user_id: 'ann' }),
          reply({ payment_methods: { gift_card_7: { source: 'gift_card', balance } } }),
          call('get_order_details', { order_id: '#W1' }),
          reply({ order_id: '#W1', status: 'delivered', items: [{ item_id: '1', price: 100 }] }),
          call('get_product_details', { product_id: '9' }),
          reply({ variants: { 2: { item_id: '2', price: 150 } } }),
        ],
      ),
      context,
    )
    expect(expected?.filter(({ refused }) => refused?.includes('gift card'))).toHaveLength(count)
  })

  const order = (status: string) => [
    call('get_order_details', { order_id: '#W1' }),
    reply({
      order_id: '#W1',
      status,
      items: [{ item_id: '1', price: 100 }],
      payment_history: [{ payment_method_id: 'credit_card_1' }],
    }),
    call('get_product_details', { product_id: '9' }),
    reply({
      variants: { 2: { item_id: '2', price: 90, available: false }, 3: { item_id: '3', price: 90, available: true } },
    }),
  ]
  const modify = (to: string) => ({
    name: 'modify_pending_order_items',
    kwargs: { order_id: '#W1', item_ids: ['1'], new_item_ids: [to], payment_method_id: 'credit_card_1' },
  })
  const pay = (name: string, method: string) => ({ name, kwargs: { order_id: '#W1', payment_method_id: method } })

  it.each([
    [modify('2'), 'pending', /not available/],
    [modify('3'), 'pending', undefined],
    // tau-bench does not mind that.
    [modify('1'), 'pending', undefined],
    [pay('modify_pending_order_payment', 'credit_card_1'), 'pending', /already/],
    [pay('modify_pending_order_payment', 'paypal_2'), 'pending', undefined],
    [pay('return_delivered_order_items', 'paypal_2'), 'delivered', /original/],
    [pay('return_delivered_order_items', 'gift_card_2'), 'delivered', undefined],
    [pay('return_delivered_order_items', 'credit_card_1'), 'delivered', undefined],
  ])('knows what the retail tools refuse: %j of an order that is %s', (action, status, why) => {
    const { expected } = tauBench.read(record([action], order(status)), context)
    if (why) expect(expected?.[0]?.refused).toMatch(why)
    else expect(expected?.[0]?.refused).toBeUndefined()
  })

  it('knows that tau2-bench modifies no item to itself', () => {
    const { name, kwargs } = modify('1')
    const action_checks = [{ action: { name, arguments: kwargs, action_id: '0' } }]
    const { expected } = tau2Bench.read({ task_id: '1', messages: [], reward_info: { action_checks } }, context)
    expect(expected?.[0]?.refused).toMatch(/to itself/)
  })

  it('reads arguments in Python’s spelling for effects credit, and not for calls credit', () => {
    const cancel = { name: 'cancel_order', kwargs: { order_id: '#W1', items: ['1'] } }
    const { calls, effectCalls } = tauBench.read(
      record([cancel], [call('cancel_order', "{'order_id': '#W1', 'items': ['1']}")]),
      context,
    )
    expect(calls[0]?.arguments).toEqual({})
    expect(effectCalls?.[0]?.arguments).toEqual({ order_id: '#W1', items: ['1'] })
    const nested = tauBench.read(record([cancel], [call('cancel_order', { order_id: '#W1', items: "['1']" })]), context)
    expect(nested.effectCalls?.[0]?.arguments).toEqual({ order_id: '#W1', items: ['1'] })
  })

  it('takes "No actions to evaluate" for an empty key, whatever task has the same number', () => {
    const { expected } = tau2Bench.read(
      {
        task_id: '1',
        messages: [],
        reward_info: { action_checks: null, info: { action: { note: 'No actions to evaluate' } } },
      },
      {
        ...context,
        fields: { tasks: [{ id: '1', evaluation_criteria: { actions: [{ name: 'pay', arguments: {} }] } }] },
      },
    )
    expect(expected).toEqual([])
  })

  it('reads BFCL answers in tags, and leaves unscored what looks like a call and is none', () => {
    const read = (result: unknown) =>
      bfcl.read(
        { id: 'simple_1', result, ground_truth: [{ add: { a: [1] } }] },
        { ...context, readTyped: () => ({ result }) },
      )
    const add = { name: 'add', arguments: { a: 1 } }
    expect(read('<tool_call>{"name": "add", "arguments": {"a": 1}}</tool_call>').calls).toEqual([add])
    expect(read('<function_call>{"name": "add", "arguments": {"a": 1}}</function_call>').calls).toEqual([add])
    expect(read(['add(a=1)']).calls).toMatchObject([add])
    expect(read('<tool_call>{"name": "add", "argu')).toMatchObject({
      expected: null,
      unscored: expect.stringMatching(/not known/),
    })
    expect(read('I cannot do that.')).toMatchObject({ calls: [] })
  })
})
