import { describe, expect, it } from 'vitest'
import { compareTrajectories } from './compare-trajectories.ts'
import { findEmptyClaims } from './claims.ts'
import { gradeTrajectory } from './grade-trajectory.ts'
import { agent, call, makeTrajectory, user } from './testing/make-trajectory.ts'
import { countTrajectory, type RecordedCall } from './trajectory.ts'

describe('grading by a key', () => {
  const key = {
    calls: [{ name: 'cancel_order', arguments: { id: 7 } }],
    said: ['54.04'],
    forbidden: [{ name: 'refund' }],
  }
  const good = makeTrajectory([
    user('cancel 7'),
    agent('', call('cancel_order', { id: 7 })),
    agent('You get $54.04 back.'),
  ])

  it('passes who did and said all of it', () => {
    expect(gradeTrajectory(good, key)).toMatchObject({ score: 1, passed: true, losses: [], firstLoss: null })
    expect(gradeTrajectory(good, { t: key })).toMatchObject({ passed: true })
  })

  it('names the first turn that lost credit, and why', () => {
    const bad = makeTrajectory([
      user('cancel 7'),
      agent('', call('cancel_order', { id: 7 })),
      user('and then?'),
      agent('', call('refund', { amount: 3 })),
    ])
    const { score, passed, losses, firstLoss } = gradeTrajectory(bad, key)
    expect(passed).toBe(false)
    expect(score).toBeCloseTo(1 / 3, 12)
    expect(firstLoss).toBe(2)
    expect(losses.map(({ kind, name }) => [kind, name])).toEqual([
      ['extra', 'refund'],
      ['forbidden', 'refund'],
      ['unsaid', '54.04'],
    ])
  })

  it('checks a part of the world at the end, if the file has it', () => {
    const wanted = { calls: [], endState: { orders: { 7: { status: 'cancelled' } } } }
    expect(gradeTrajectory(makeTrajectory([]), wanted).unscored).toMatch(/does not record the world/)
    const world = (status: string) => makeTrajectory([], { endState: { orders: { 7: { status, total: 5 } } } })
    expect(gradeTrajectory(world('cancelled'), wanted).passed).toBe(true)
    expect(gradeTrajectory(world('open'), wanted)).toMatchObject({
      passed: false,
      endState: [{ path: 'orders.7.status', expected: 'cancelled', actual: 'open' }],
    })
  })

  it('leaves unscored what cannot be graded, with the reason', () => {
    expect(gradeTrajectory(makeTrajectory([]), { other: key })).toMatchObject({
      score: null,
      unscored: 'the key has no task "t"',
    })
    expect(gradeTrajectory(makeTrajectory([], { task: null }), { t: key }).unscored).toMatch(/--task-from/)
    expect(gradeTrajectory(makeTrajectory([], { outcome: 'infrastructure_error' }), key)).toMatchObject({
      score: null,
      passed: null,
    })
    expect(
      gradeTrajectory(makeTrajectory([agent('<tool_call>{"name": "cancel_order"}</tool_call>')]), key).unscored,
    ).toMatch(/as text/)
    expect(gradeTrajectory(makeTrajectory([])).unscored).toMatch(/no key/)
    expect(() => gradeTrajectory(good, key, { credit: 'nonsense' })).toThrow(/must be one of effects, calls/)
  })

  it('takes the four switches, all of them or over those of a name', () => {
    const other = makeTrajectory([user('x'), agent('', call('find_order', {}), call('cancel_order', { id: 8 }))])
    const calls = { calls: key.calls }
    const scoreOf = (options: Parameters<typeof gradeTrajectory>[2]) => gradeTrajectory(other, calls, options).score
    expect(scoreOf({})).toBeCloseTo(0.4, 12)
    expect(scoreOf({ args: 'names', align: 'one-to-one', extra: 'cost', scope: 'all' })).toBe(0.5)
    expect(scoreOf({ args: { ignore: ['id'] } })).toBe(1)
    expect(scoreOf({ credit: { args: 'exact' } })).toBe(0)
    expect(scoreOf({ credit: 'tool-call-f1', extra: 'forbid' })).toBe(0)
    expect(() => scoreOf({ args: 'nearly' as 'exact' })).toThrow(
      /^args is "nearly"; the switches are args: similar, exact/,
    )
    expect(() => scoreOf({ credit: { order: 'any' } as object })).toThrow(/^order is "any"; the switches/)
    expect(() => scoreOf({ strict: true } as object)).toThrow(/^strict is true; the switches/)
  })

  it('does not count the calls of a simulated user against the agent', () => {
    const helped = makeTrajectory([user('x'), { ...user(''), calls: [{ ...call('reset_phone'), requestor: 'user' }] }])
    expect(countTrajectory(helped).calls).toBe(0)
    expect(gradeTrajectory(helped, { calls: [] })).toMatchObject({ score: 1, extraCalls: [] })
  })
})

describe('comparing without a key', () => {
  const tasks = Array.from({ length: 12 }, (_, index) => `task-${index}`)
  const busy = (task: string, count: number, model: string) =>
    makeTrajectory([agent('', ...Array.from({ length: count }, (_, index) => call('look', { page: index })))], {
      task,
      model,
    })

  it('finds a real difference task by task, and calls it no score', () => {
    const { models, comparisons } = compareTrajectories([
      ...tasks.map((task, index) => busy(task, 3 + (index % 2), 'a')),
      ...tasks.map((task, index) => busy(task, 6 + (index % 3), 'b')),
    ])
    expect(
      models.map(({ model, trajectories, tasks: count, means }) => [model, trajectories, count, means.calls]),
    ).toEqual([
      ['a', 12, 12, 3.5],
      ['b', 12, 12, 7],
    ])
    const calls = comparisons.find(({ measure }) => measure === 'calls')?.paired
    expect(calls).toMatchObject({ n: 12, meanDiff: -3.5, isSignificant: true })
    expect(comparisons.find(({ measure }) => measure === 'cost')?.paired).toBeNull()
  })

  it('measures errors, repeats, unknown tools and refused arguments', () => {
    const schema = { type: 'object', properties: { page: { type: 'integer' } }, required: ['page'] }
    const { models } = compareTrajectories([
      makeTrajectory(
        [
          agent('', call('look', { page: 1 }), call('look', { page: 1 })),
          agent('', call('look', { page: 'two' }, 'Error: no such page'), { name: 'jump', arguments: {} }),
        ],
        { tools: [{ name: 'look', parameters: schema }] },
      ),
    ])
    expect(models[0]?.means).toMatchObject({
      calls: 4,
      errors: 1,
      errorRate: 1 / 3,
      repeats: 1,
      unknownTools: 1,
      refusedBySchema: 1,
      unanswered: 1,
    })
  })
})

describe('claims of an action that was never called', () => {
  const tools = [{ name: 'cancel_order' }]
  it.each([
    ['I have cancelled your order.', [], 1],
    ['I’ve successfully canceled order 7.', [call('cancel_order')], 0],
    ['I have cancelled your order.', [call('cancel_order', {}, 'Error: not found')], 1],
    ['Shall I cancel it? I can say I have cancelled it when it is done?', [], 0],
    ['I have refunded you.', [], 0],
    ['I have cancelled it.', [call('bash', { command: 'cancel' })], 0],
  ] satisfies [string, RecordedCall[], number][])('%s', (text, calls, count) => {
    expect(findEmptyClaims(makeTrajectory([agent('', ...calls), agent(text)], { tools }))).toHaveLength(count)
  })
})
