import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rangeOf } from './score-ranges.ts'
import { scoreCalls, scoreToolCalls } from './score-tool-calls.ts'

const book = { name: 'book_reservation', kwargs: { user_id: 'mia', insurance: 'no' } }
const read = { name: 'get_user_details', kwargs: { user_id: 'mia' } }
const call = (name: string, given: unknown, result?: string) => ({
  name,
  arguments: given,
  ...(result !== undefined && { result }),
})

describe('calls credit (SPEC section 5)', () => {
  const score = (...input: Parameters<typeof scoreToolCalls>) => scoreToolCalls(...input).score

  it('is the default, and is also called `seed`', () => {
    const calls = [call('book_reservation', { user_id: 'mia' }), call('cancel_reservation', {})]
    const result = scoreToolCalls([book], calls, { credit: 'calls' })
    expect(result.reasons.credit).toBe('calls')
    expect(scoreToolCalls([book], calls)).toEqual(result)
    expect(scoreToolCalls([book], calls, { credit: 'seed' })).toEqual(result)
  })

  it('gives 0.4 for the tool and 0.6 for its arguments, and nothing without the tool', () => {
    expect(score([book], [call('book_reservation', { user_id: 'mia', insurance: 'no' })])).toBe(1)
    expect(score([book], [call('book_reservation', { user_id: 'mia' })])).toBeCloseTo(0.7, 12)
    expect(score([book], [call('book_reservation', {})])).toBe(0.4)
    expect(score([book], [call('cancel_reservation', { user_id: 'mia', insurance: 'no' })])).toBe(0)
  })

  it('matches one call with two actions, and extra calls are free', () => {
    expect(score([read, read], [call('get_user_details', { user_id: 'mia' }), call('think', {})])).toBe(1)
  })

  it('is 1 if no calls were expected or made, and 0 if only made', () => {
    expect(score([], [])).toBe(1)
    expect(score([], [call('think', {})])).toBe(0)
  })

  it('reads arguments from JSON text, and counts text that is not JSON as {}', () => {
    expect(score([book], [call('book_reservation', '{"user_id":"mia","insurance":"no"}')])).toBe(1)
    expect(score([book], [call('book_reservation', '{"user_id":')])).toBe(0.4)
  })

  it('accepts both arguments and kwargs in an expected action', () => {
    expect(score([{ name: 'f', arguments: { a: 1 } }], [call('f', { a: 1 })])).toBe(1)
  })
})

describe('effects credit (SPEC section 5)', () => {
  const score = (expected: Parameters<typeof scoreToolCalls>[0], calls: Parameters<typeof scoreToolCalls>[1]) =>
    scoreToolCalls(expected, calls, { credit: 'effects' }).score
  const done = { user_id: 'mia', insurance: 'no' }

  it('counts only what changes something', () => {
    expect(score([read, book], [call('book_reservation', done)])).toBe(1)
    expect(score([read], [call('search_direct_flight', {})])).toBe(1)
    expect(score([], [])).toBe(1)
    expect(score([], [call('cancel_reservation', { reservation_id: 'A' })])).toBe(0)
  })

  it('assigns one to one, so the same call cannot serve twice, and an extra effect costs', () => {
    expect(score([book, book], [call('book_reservation', done)])).toBe(0.5)
    expect(score([book], [call('book_reservation', done), call('cancel_reservation', {})])).toBe(0.5)
  })

  it('ignores calls that failed', () => {
    const refused = call('book_reservation', { user_id: 'mia' }, 'Error: payment amount does not add up')
    expect(score([book], [refused, call('book_reservation', done, '{"reservation_id": "HATHAT"}')])).toBe(1)
    expect(score([book], [refused])).toBe(0)
  })

  it('ignores setting the same state again, but not making the same booking again', () => {
    const set = call('update_reservation_baggages', { reservation_id: 'A', total_baggages: 1 })
    const expected = { name: 'update_reservation_baggages', kwargs: { reservation_id: 'A', total_baggages: 1 } }
    expect(score([expected], [set, set])).toBe(1)
    expect(score([book], [call('book_reservation', done), call('book_reservation', done)])).toBe(0.5)
  })

  it('needs two calls for two identical actions, also of a tool that sets a state', () => {
    const given = { reservation_id: 'A', total_baggages: 1 }
    const set = call('update_reservation_baggages', given)
    const expected = { name: 'update_reservation_baggages', kwargs: given }
    expect(score([expected, expected], [set, set])).toBe(1)
    expect(score([expected, expected], [set])).toBe(0.5)
    expect(score([book, book, book], [call('book_reservation', done), call('book_reservation', done)])).toBeCloseTo(
      2 / 3,
    )
  })

  it('counts only the last of several values that replace each other', () => {
    const expected = [{ name: 'set_volume', kwargs: { device_id: 'd', level: 3 } }]
    expect(
      score(expected, [
        call('set_volume', { device_id: 'd', level: 9 }),
        call('set_volume', { device_id: 'd', level: 3 }),
      ]),
    ).toBe(1)
    expect(
      score(expected, [
        call('set_volume', { device_id: 'd', level: 3 }),
        call('set_volume', { device_id: 'e', level: 3 }),
      ]),
    ).toBe(0.5)
  })

  it('counts a toggle that was toggled back as nothing', () => {
    const toggle = call('toggle_wifi', {})
    const expected = [{ name: 'toggle_wifi', kwargs: {} }]
    expect(score(expected, [toggle, toggle])).toBe(0)
    expect(score(expected, [toggle, toggle, toggle])).toBe(1)
    expect(score([...expected, ...expected], [toggle, toggle])).toBe(1)
    expect(score([], [toggle, toggle])).toBe(1)
  })

  it('does not count a call that got no reply where another of its message did', () => {
    const ignored = { ...call('book_reservation', done), isIgnored: true }
    expect(scoreCalls([{ name: book.name, arguments: done }], [ignored], { credit: 'effects' }).score).toBe(0)
  })

  it('gives nothing for the expected call if the tool says that it failed', () => {
    for (const reply of ['{"status": "failed"}', '{"success": false}', 'Error: no'])
      expect(score([book], [call('book_reservation', done, reply)])).toBe(0)
  })

  it('ignores the order of lists, and treats "5" as 5 and null as omitted', () => {
    const expected = [{ name: 'buy', arguments: { items: ['a', 'b'], amount: 5 } }]
    expect(score(expected, [call('buy', { items: ['b', 'a'], amount: '5', note: null })])).toBe(1)
    expect(score([{ name: 'buy', arguments: { id: '007' } }], [call('buy', { id: 7 })])).toBe(0.4)
  })

  it('counts extra list items and extra arguments, but not details inside one', () => {
    const expected = [{ name: 'buy', arguments: { items: [{ id: 'a' }] } }]
    expect(score(expected, [call('buy', { items: [{ id: 'a', colour: 'red' }] })])).toBe(1)
    expect(score(expected, [call('buy', { items: [{ id: 'a' }, { id: 'b' }] })])).toBeCloseTo(0.7, 12)
    expect(score(expected, [call('buy', { items: [{ id: 'a' }], gift: true })])).toBeCloseTo(0.7, 12)
  })

  it('lets a call by the user match an action but never cost', () => {
    const toggle = { name: 'toggle_airplane_mode', arguments: {}, requestor: 'user' as const }
    expect(score([toggle], [toggle, toggle, toggle])).toBe(1)
    expect(score([], [{ ...toggle, requestor: 'assistant' as const }])).toBe(0)
  })

  it('compares only the arguments that the task compares (tau2-bench compare_args)', () => {
    const expected = [{ name: 'suspend_line', arguments: { line: 'L1', reason: 'lost' }, compared: ['line'] }]
    expect(score(expected, [call('suspend_line', { line: 'L1', reason: 'stolen' })])).toBe(1)
  })

  it('accepts a list of tools that count', () => {
    const options = { credit: 'effects', effectfulTools: ['get_user_details'] } as const
    expect(scoreToolCalls([read, book], [call('get_user_details', { user_id: 'mia' })], options).score).toBe(1)
  })

  it('treats extra and missing effects alike, and is between 0 and 1', () => {
    const calls = fc.array(
      fc.record({
        name: fc.constantFrom('book', 'send', 'get_x'),
        arguments: fc.dictionary(fc.constantFrom('a', 'b'), fc.integer({ max: 2, min: 0 })),
      }),
      { maxLength: 5 },
    )
    fc.assert(
      fc.property(calls, calls, (a, b) => {
        const forward = score(a, b)
        expect(forward).toBeGreaterThanOrEqual(0)
        expect(forward).toBeLessThanOrEqual(1 + 1e-12)
        expect(score(b, a)).toBeCloseTo(forward, 9)
        expect(score(a, a)).toBeCloseTo(1, 12)
      }),
    )
  })

  it('finds each of 100 calls among 100 in reverse order', () => {
    const many = Array.from({ length: 100 }, (_, index) => call('send', { to: `user${index}`, amount: index % 7 }))
    expect(score(many, [...many].reverse())).toBe(1)
  })
})

describe('what the user must be told', () => {
  const tell = (expected: string[], ...said: string[]) =>
    scoreToolCalls([], [], { credit: 'effects', outputs: { expected, said } })

  it.each([
    ['54.04', 'The total is $54.04.'],
    ['54.04', 'That makes 54.0400 in all'],
    ['1234.5', 'You get **$1,234.50** back'],
    ['1,234.50', 'You get 1234.5 USD'],
    ['$1234.50', '1.234,50 €'],
    ['10', 'Sizes 8,9,10 are left'],
    ['1000', 'It costs 1\u202f000 kronor'],
    ['-12', 'a refund of $12'],
    ['2024-05-20', 'on May 20, 2024'],
    ['2024-05-20', 'on the 20th of May'],
    ['May 20', 'Your flight is on 2024-05-20 at 8am'],
    ['2024-05-20', '5/20/2024 it is'],
    ['2024-05-20', '20/05/2024 it is'],
    ['Desk Lamp', 'two desk   lamps'],
    ['#W123', 'Your order #W123 is on its way'],
    ["it's", 'it’s fine'],
    ['gift card', 'a *gift card*'],
  ])('%j is said by %j', (output, message) => {
    expect(tell([output], 'Hello.', message)).toMatchObject({
      score: 1,
      reasons: { outputs: [{ text: output, isSaid: true }] },
    })
  })

  it.each([
    ['54.04', 'The total is $154.04'],
    ['54.04', 'The total is $54.05'],
    ['4', 'It is 2024, room 14 or 40'],
    ['10', '$1,100 or 10.5'],
    ['234', 'that is 1,234'],
    ['5', 'order W5'],
    ['2024-05-20', 'on May 21, 2024'],
    ['2024-05-20', 'on May 20, 2023'],
    ['red', 'by credit card'],
  ])('%j is not said by %j', (output, message) => {
    expect(tell([output], message).score).toBe(0)
  })

  it('counts like one more effect each, and is named in the notes', () => {
    const options = { credit: 'effects', outputs: { expected: ['5', '7'], said: ['It is 5.'] } } as const
    const result = scoreToolCalls([book], [call('book_reservation', { user_id: 'mia', insurance: 'no' })], options)
    expect(result.score).toBeCloseTo(2 / 3, 12)
    expect(result.notes).toBe('partial success: 2 of 3 expected effects right; not told the user: 7')
  })

  it('is nothing to calls credit', () => {
    const outputs = { expected: ['5'], said: [] }
    expect(scoreToolCalls([], [], { credit: 'calls', outputs })).toEqual(scoreToolCalls([], [], { credit: 'calls' }))
  })
})

describe('reason tree', () => {
  it('shows which call matched, which argument differed, what was missing and what did not count', () => {
    const { reasons, notes } = scoreToolCalls(
      [
        read,
        { name: 'buy', kwargs: { items: [{ id: 'a', size: 1 }], card: 'x' } },
        { name: 'send_certificate', kwargs: {} },
      ],
      [
        call('buy', { items: [{ id: 'a', size: 2 }] }, 'Error: no'),
        call('buy', { items: [{ id: 'a', size: 2 }] }),
        call('cancel', {}),
      ],
      { credit: 'effects' },
    )
    expect(reasons.actions).toMatchObject([
      {
        index: 1,
        kind: 'arguments differ',
        call: { index: 1, name: 'buy' },
        differences: [
          { path: 'items[0].size', kind: 'changed', expected: 1, actual: 2 },
          { path: 'card', kind: 'missing', expected: 'x' },
        ],
      },
      { index: 2, kind: 'tool not called', call: null },
    ])
    expect(reasons.extraCalls).toMatchObject([{ index: 2, name: 'cancel' }])
    expect(reasons.leftOut).toMatchObject([
      { side: 'expected', index: 0, why: 'changes nothing' },
      { side: 'actual', index: 0, why: 'the tool replied with an error' },
    ])
    expect(notes).toBe(
      'wrong approach: 0 of 2 expected effects right; arguments differ in buy; missing send_certificate; extra cancel',
    )
  })
})

describe('names of score ranges', () => {
  it.each([
    [1, 'perfect'],
    [0.999, 'near miss'],
    [0.9, 'near miss'],
    [0.899, 'partial success'],
    [0.4, 'partial success'],
    [0.399, 'wrong approach'],
    [0, 'wrong approach'],
  ])('%d is %s', (score, range) => {
    expect(rangeOf(score)).toBe(range)
  })
})

it('rejects an unknown credit, also from plain JavaScript', () => {
  expect(() => Reflect.apply(scoreToolCalls, undefined, [[book], [], { credit: 'x' }])).toThrow(
    expect.objectContaining({ code: 'invalid-options', message: 'credit is "x"; it must be "calls" or "effects"' }),
  )
})
