import { describe, expect, it } from 'vitest'
import { gradeTrajectory } from './grade-trajectory.ts'
import { summariseGrades } from './grade-summary.ts'
import { gradeTrajectories } from './shared-failures.ts'
import { agent, call, makeTrajectory, user } from './testing/make-trajectory.ts'
import type { RecordedCall, TaskKey, Trajectory, TrajectoryStep } from './trajectory.ts'

const run = (steps: TrajectoryStep[], more: Partial<Trajectory> = {}): Trajectory =>
  makeTrajectory(steps, {
    userInstructions: 'You are Mia. You want to cancel order W77 and fly to Seattle.',
    ...more,
  })

const cancel: TaskKey = { calls: [{ name: 'cancel_order', arguments: { order_id: 'W77' } }] }
const faultOf = (trajectory: Trajectory, key: TaskKey | undefined = cancel) => {
  const { losses, excused } = gradeTrajectory(trajectory, key)
  return { rules: losses.map(({ fault }) => fault.rule), causes: losses.map(({ fault }) => fault.cause), excused }
}
const agents = { rules: [null], causes: ['agent'], excused: false }

describe('H1: the harness', () => {
  it.each([
    'infrastructure_error',
    'unexpected_error',
    'timeout',
    'AgentTimeoutError',
    'error: litellm.BadRequestError',
    'exit_environment_error',
  ])('%s is no failure of the agent, and never 0', (outcome) => {
    expect(gradeTrajectory(run([], { outcome }), cancel)).toMatchObject({
      score: null,
      passed: null,
      excused: true,
      fault: { cause: 'harness', rule: 'H1' },
    })
  })

  it.each(['max_steps', 'too_many_errors', 'agent_error', 'submitted (exit_cost)'])('%s is the agent’s', (outcome) => {
    const grade = gradeTrajectory(run([], { outcome }), cancel)
    expect(grade).toMatchObject({ score: 0, excused: false, fault: null, endedBy: outcome })
  })
})

it('H3: a file whose task is another one than it was judged by', () => {
  const mixedUp = run([user('hi')], { expected: cancel, foreignTask: 'judged by a, but its task says b' })
  expect(gradeTrajectory(mixedUp)).toMatchObject({ excused: true, fault: { cause: 'file', rule: 'H3' } })
  expect(faultOf(mixedUp)).toMatchObject({ rules: [null], excused: false })
})

describe('the user', () => {
  it('U1: leaves its script, before any tool failed', () => {
    const left = [user('cancel'), agent('which?'), user('###OUT-OF-SCOPE###')]
    expect(faultOf(run(left))).toEqual({ rules: ['U1'], causes: ['user'], excused: true })
    const after = [user('cancel'), agent('', call('get_order', {}, 'Error: not found')), user('###OUT-OF-SCOPE###')]
    expect(faultOf(run(after))).toEqual(agents)
  })

  it('U3: ends in the very message that confirms', () => {
    const ends = (question: string, answer: string, ...calls: RecordedCall[]) =>
      faultOf(run([user('cancel'), agent('', ...calls), agent(question), user(answer)]))
    const question = 'Shall I cancel order W77? Please confirm (yes).'
    expect(ends(question, 'Yes, go ahead. ###STOP###')).toEqual({ rules: ['U3'], causes: ['user'], excused: true })
    expect(ends('Shall I cancel it?', 'Yes, go ahead. ###STOP###')).toEqual(agents)
    expect(ends(question, 'Yes, go ahead.')).toEqual(agents)
    expect(ends(question, 'I would rather not. Wait. ###STOP###')).toEqual(agents)
    expect(ends('Order W77 stays as it is.', 'Thank you! ###STOP###')).toEqual(agents)
    expect(ends(question, 'Yes. ###STOP###', call('delete_user')).excused).toBe(false)
  })

  const book: TaskKey = { calls: [{ name: 'book_flight', arguments: { to: 'Seattle', bags: 0, date: '2024-05-20' } }] }
  const books = (said: string, given: Record<string, unknown>, more: TrajectoryStep[] = []) =>
    faultOf(run([...more, user(said), agent('', call('book_flight', { to: 'Seattle', bags: 0, ...given }))]), book)

  it('U4: says a wrong value that it was not told and nobody showed it', () => {
    expect(books('on May 21 please', { date: '2024-05-21' })).toEqual({
      rules: ['U4'],
      causes: ['user'],
      excused: true,
    })
    expect(books('to Seattle', { date: '2024-05-21' })).toEqual(agents)
    expect(books('May 21 then', { date: '2024-05-21' }, [agent('There is one on May 21.')])).toEqual(agents)
    // A second difference that the user did not cause.
    expect(books('on May 21 please', { date: '2024-05-21', bags: 2 })).toEqual(agents)
    const told = run([user('to Boston'), agent('', call('book_flight', { to: 'Boston' }))], {
      userInstructions: 'Fly to Boston.',
    })
    expect(faultOf(told, { calls: [{ name: 'book_flight', arguments: { to: 'Seattle' } }] })).toEqual(agents)
  })

  it('K5: says one value of two that its instructions leave open', () => {
    const shown = agent('', call('get_flights', {}, '{"dates": ["2024-05-20", "2024-05-21"]}'))
    expect(books('May 21', { date: '2024-05-21' }, [shown])).toEqual({
      rules: ['K5'],
      causes: ['key or user'],
      excused: true,
    })
    expect(books('May 20. No, May 21', { date: '2024-05-21' }, [shown])).toEqual(agents)
  })
})

describe('the key', () => {
  const refused = call('cancel_order', { order_id: 'W77' }, 'Error: delivered orders cannot be cancelled')

  it('K1: expects what the tool refuses, though nothing was changed before', () => {
    expect(faultOf(run([agent('', refused)]))).toEqual({ rules: ['K1'], causes: ['key'], excused: true })
    const spoilt = run([agent('', call('modify_order', { order_id: 'W77' })), agent('', refused)])
    expect(faultOf(spoilt)).toMatchObject({ excused: false })
    const passing = run([agent('', { ...refused, result: 'Error: timed out, try again' })])
    expect(faultOf(passing)).toEqual(agents)
  })

  it('K4: expects a write that changes nothing', () => {
    const swap = { order_id: 'W77', item_ids: ['1', '2'], new_item_ids: ['2', '1'] }
    expect(faultOf(run([]), { calls: [{ name: 'exchange_items', arguments: swap }] })).toMatchObject({ rules: ['K4'] })
    const other = { ...swap, new_item_ids: ['2', '3'] }
    expect(faultOf(run([]), { calls: [{ name: 'exchange_items', arguments: other }] })).toEqual(agents)

    const key: TaskKey = { calls: [{ name: 'modify_address', arguments: { order_id: 'W77', city: 'Bern' } }] }
    const look = (city: string) =>
      run([agent('', call('get_order', { order_id: 'W77' }, `{"address":{"city":"${city}"}}`))])
    expect(faultOf(look('Bern'), key)).toMatchObject({ rules: ['K4'], excused: true })
    expect(faultOf(look('Rome'), key)).toEqual(agents)
  })

  const fails = (model: string, given: Record<string, unknown> = { order_id: 'W78' }) =>
    run([agent('', call('cancel_order', given))], { model })
  const passes = (model: string) => fails(model, { order_id: 'W77' })

  it('K6: at least three models fail with the same effects', () => {
    const excused = (list: Trajectory[]) => gradeTrajectories(list, cancel).map((grade) => grade.excused)
    expect(excused([fails('a'), fails('b'), fails('c')])).toEqual([true, true, true])
    expect(excused([fails('a'), fails('b'), fails('b')])).toEqual([false, false, false])
    expect(excused([fails('a'), fails('b'), fails('c', { order_id: 'W79' })])).toEqual([false, false, false])
    // Others reach what the key expects.
    expect(excused([fails('a'), fails('b'), fails('c'), passes('d'), passes('e'), passes('f')])).not.toContain(true)
    const idle = (model: string) => run([agent('no')], { model })
    expect(excused([idle('a'), idle('b'), idle('c')])).not.toContain(true)
  })

  it('shows both figures', () => {
    const list = [passes('a'), fails('a', { order_id: 'W70' }), run([agent('', refused)], { model: 'a' })]
    const crashed = run([], { model: 'a', outcome: 'infrastructure_error' })
    const grades = gradeTrajectories([...list, crashed], cancel)
    expect(summariseGrades(grades.map((grade) => ({ grade, calls: 1 }))).models).toMatchObject([
      {
        passed: 1,
        graded: 3,
        unscored: 1,
        withoutExcused: { passed: 1, graded: 2 },
        excused: { key: 1, harness: 1 },
      },
    ])
  })
})
