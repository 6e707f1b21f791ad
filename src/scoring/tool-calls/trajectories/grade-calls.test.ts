import { describe, expect, it } from 'vitest'
import type { ActualCall, ExpectedCall } from '../calls.ts'
import { giveCallsCredit } from '../credit/calls-credit.ts'
import { giveEffectsCredit } from '../credit/effects-credit.ts'
import { gradeCalls } from './grade-calls.ts'
import { findGradeSetting, gradeSettings, type GradeName, type GradeSetting } from './grade-settings.ts'

const call = (name: string, given: Record<string, unknown> = {}): ActualCall & ExpectedCall => ({
  name,
  arguments: given,
})
const grade = (expected: ExpectedCall[], calls: ActualCall[], credit: GradeName | GradeSetting) =>
  gradeCalls(expected, calls, typeof credit === 'string' ? gradeSettings[credit] : credit).score

const paris = call('weather', { city: 'Paris' })
const rome = call('weather', { city: 'Rome' })
const time = call('time', { zone: 'UTC' })

describe('the four switches', () => {
  const plain: GradeSetting = { args: 'exact', align: 'one-to-one', extra: 'free', scope: 'all' }

  it('compares arguments by the chosen rule', () => {
    const wanted = [call('pay', { to: 'ann', amount: 5 })]
    const close = [call('pay', { to: 'ann', amount: 5, note: 'hi' })]
    expect(grade(wanted, close, plain)).toBe(0)
    expect(grade(wanted, close, { ...plain, args: 'part' })).toBe(1)
    expect(grade(wanted, close, { ...plain, args: { ignore: ['note'] } })).toBe(1)
    expect(grade(wanted, [call('pay', { amount: 9 })], { ...plain, args: 'names' })).toBe(1)
    expect(grade(wanted, [call('pay', { amount: 5 })], { ...plain, args: 'given' })).toBe(1)
    expect(grade(wanted, [call('pay', { to: 'ann', amount: 6 })], { ...plain, args: 'similar' })).toBeCloseTo(0.7, 12)
  })

  it.each<[string, unknown, unknown]>([
    ['in what is expected', { order: '{"items": [1, 2], "to": "ann"}' }, { order: { to: 'ann', items: [1, 2] } }],
    ['in the call', { order: { to: 'ann', items: [1, 2] } }, { order: '{"items": [1, 2], "to": "ann"}' }],
    ['in both', { order: '{"to":"ann"}' }, { order: '{ "to": "ann" }' }],
    ['twice', { order: { to: 'ann' } }, { order: JSON.stringify(JSON.stringify({ to: 'ann' })) }],
    ['inside JSON text', { order: '{"lines":"[1]"}' }, { order: { lines: [1] } }],
  ])('reads JSON text as its value: %s', (_where, given, made) => {
    const sides: [ExpectedCall[], ActualCall[]] = [
      [{ name: 'pay', arguments: given }],
      [{ name: 'pay', arguments: made }],
    ]
    expect(grade(...sides, plain)).toBe(1)
    expect(grade(...sides, { ...plain, args: 'part' })).toBe(1)
    expect(grade(...sides, { ...plain, args: { ignore: ['note'] } })).toBe(1)
    expect(grade(...sides, 'tau2')).toBe(1)
    expect(grade(...sides, 'effects')).toBe(1)
    const [[wanted]] = sides
    expect(grade([wanted!], [{ name: 'pay', arguments: { order: '{"to":"bob","lines":[2]}' } }], plain)).toBe(0)
    expect(grade([wanted!], [{ name: 'pay', arguments: { order: '{"to":' } }], plain)).toBe(0)
  })

  it('aligns calls by the chosen rule', () => {
    const twice = [paris, paris]
    expect(grade(twice, [paris], { ...plain, align: 'reuse' })).toBe(1)
    expect(grade(twice, [paris], plain)).toBe(0.5)
    expect(grade([paris, time], [time, paris], plain)).toBe(1)
    expect(grade([paris, time], [time, paris], { ...plain, align: 'in-order' })).toBe(0.5)
    expect(grade([paris, time], [rome, paris, rome, time], { ...plain, align: 'in-order' })).toBe(1)
    expect(grade([paris, time], [rome, paris, time], { ...plain, align: 'positional' })).toBe(0)
    expect(grade([paris, time], [paris, rome, time], { ...plain, align: 'positional' })).toBe(0.5)
  })

  it('divides by the chosen size', () => {
    const calls = [paris, rome, time]
    expect(grade([paris], calls, plain)).toBe(1)
    expect(grade([paris], calls, { ...plain, extra: 'cost' })).toBeCloseTo(1 / 3, 12)
    expect(grade([paris], calls, { ...plain, extra: 'f1' })).toBe(0.5)
    expect(grade([paris], calls, { ...plain, extra: 'forbid' })).toBe(0)
    expect(grade([paris], [paris], { ...plain, extra: 'forbid' })).toBe(1)
    expect(grade([paris, rome], [paris], { ...plain, extra: 'only' })).toBe(1)
    expect(grade([], [], { ...plain, extra: 'cost' })).toBe(1)
    expect(grade([], [paris], { ...plain, extra: 'cost' })).toBe(0)
  })

  it('counts only what changed something', () => {
    const wanted = [call('get_user', { id: 1 }), call('cancel_order', { id: 7 })]
    const calls = [call('cancel_order', { id: 7 })]
    expect(grade(wanted, calls, { ...plain, scope: 'writes' })).toBe(1)
    expect(grade(wanted, [{ ...call('cancel_order', { id: 7 }), isError: true }], { ...plain, scope: 'writes' })).toBe(
      0,
    )
  })
})

describe('named settings', () => {
  const sets: [ExpectedCall[], ActualCall[]][] = [
    [
      [paris, time],
      [time, rome],
    ],
    [[paris], []],
    [[], []],
    [[], [paris]],
    [[call('cancel_order', { id: 1 })], [call('cancel_order', { id: 2 }), call('send_mail', { to: 'x' })]],
  ]

  it.each(sets)('give calls and effects credit: %j, %j', (expected, calls) => {
    expect(grade(expected, calls, 'calls')).toBe(giveCallsCredit(expected, calls).score)
    expect(grade(expected, calls, 'effects')).toBe(giveEffectsCredit(expected, calls).score)
  })

  // In scope `turn` without turns, the general definition grades what the seed's own code grades in scope `all`.
  it.each(sets.filter(([expected]) => expected.length > 0))('are one definition: %j, %j', (expected, calls) => {
    expect(grade(expected, calls, { ...gradeSettings.calls, scope: 'turn' })).toBeCloseTo(
      giveCallsCredit(expected, calls).score,
      12,
    )
  })

  it('agree with promptfoo’s tool-call-f1: sets of names, however often they are called', () => {
    // Precision 2/3 and recall 1 of its example: F1 0.8.
    expect(grade([paris, time], [rome, rome, time, call('mail')], 'tool-call-f1')).toBeCloseTo(0.8, 12)
    expect(grade([paris], [time], 'tool-call-f1')).toBe(0)
    expect(grade([paris], [], 'tool-call-f1')).toBe(0)
  })

  it('agree with promptfoo’s trajectory:*', () => {
    const of = (name: string, expected: ExpectedCall[], calls: ActualCall[]) =>
      grade(expected, calls, findGradeSetting(name)!.setting)
    // Every tool was used, whatever else was and in whatever order.
    expect(of('trajectory:tool-used', [time, paris], [rome, call('mail'), time])).toBe(1)
    expect(of('trajectory:tool-used', [time, paris], [rome])).toBe(0)
    // `in_order` lets others stand between, `exact` does not.
    expect(of('trajectory:tool-sequence', [paris, time], [rome, call('mail'), time])).toBe(1)
    expect(of('trajectory:tool-sequence', [paris, time], [time, rome])).toBe(0)
    expect(of('trajectory:tool-sequence-exact', [paris, time], [rome, time])).toBe(1)
    expect(of('trajectory:tool-sequence-exact', [paris, time], [rome, call('mail'), time])).toBe(0)
    // `partial` at any depth; lists item by item.
    const wanted = call('book', { seat: { row: 4 }, legs: [{ to: 'Rome' }] })
    const made = call('book', { seat: { row: 4, side: 'A' }, legs: [{ to: 'Rome', day: 1 }], note: 'hi' })
    expect(of('trajectory:tool-args-match', [wanted], [made])).toBe(1)
    expect(of('trajectory:tool-args-match', [made], [wanted])).toBe(0)
    expect(of('trajectory:tool-args-match', [call('book', { legs: [] })], [made])).toBe(0)
  })

  it('agree with the modes of agentevals', () => {
    const modes = (expected: ExpectedCall[], calls: ActualCall[]) =>
      (['superset', 'subset', 'unordered', 'strict'] as const).map((mode) => grade(expected, calls, mode))
    expect(modes([paris, time], [paris, time])).toEqual([1, 1, 1, 1])
    expect(modes([paris, time], [time, paris])).toEqual([1, 1, 1, 0])
    expect(modes([paris], [paris, time])).toEqual([1, 0, 0, 0])
    expect(modes([paris, time], [paris])).toEqual([0, 1, 0, 0])
    expect(modes([paris], [rome])).toEqual([0, 0, 0, 0])
    // Each expected call needs one of its own.
    expect(modes([paris, paris], [paris])).toEqual([0, 1, 0, 0])
    expect(modes([], [paris])).toEqual([1, 0, 0, 0])
    expect(modes([paris], [])).toEqual([0, 1, 0, 0])
  })

  it('agree with ADK’s tool_trajectory_avg_score: the mean over turns of all or nothing', () => {
    const turns = { expected: [0, 0, 1], actual: [0, 0, 1], count: 2 }
    const adk = (calls: ActualCall[], name: 'adk' | 'adk-in-order' | 'adk-any-order' = 'adk') =>
      gradeCalls([paris, rome, time], calls, gradeSettings[name], { turns }).score
    expect(adk([paris, rome, time])).toBe(1)
    expect(adk([rome, paris, time])).toBe(0.5)
    expect(adk([rome, paris, time], 'adk-any-order')).toBe(1)
    expect(adk([rome, paris, time], 'adk-in-order')).toBe(0.5)
  })

  it('agree with tau2-bench’s action checks', () => {
    const wanted: ExpectedCall = call('book', { seat: 4, meal: 'none' })
    // Without compare_args, the arguments that the call gives are compared.
    expect(grade([wanted], [call('book', { seat: 4 })], 'tau2')).toBe(1)
    expect(grade([wanted], [call('book', { seat: 4, bag: 1 })], 'tau2')).toBe(0)
    expect(grade([{ ...wanted, compared: ['seat'] }], [call('book', { seat: 4, meal: 'all' })], 'tau2')).toBe(1)
    expect(grade([{ ...wanted, compared: [] }], [call('book')], 'tau2')).toBe(1)
    // The mean over actions, and one call may serve two.
    expect(grade([wanted, wanted, time], [call('book', { seat: 4, meal: 'none' })], 'tau2')).toBeCloseTo(2 / 3, 12)
  })
})
