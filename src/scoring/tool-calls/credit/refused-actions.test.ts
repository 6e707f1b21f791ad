import { describe, expect, it } from 'vitest'
import type { ActualCall } from '../calls.ts'
import { giveEffectsCredit } from './effects-credit.ts'

interface Ids {
  a: Record<string, unknown>
  b: Record<string, unknown>
}

function score({ a, b }: Ids, reply: string, before: ActualCall[] = []): number {
  const expected = [
    { name: 'update_a', arguments: a },
    { name: 'cancel_b', arguments: b },
  ]
  const calls = [
    ...before,
    { name: 'update_a', arguments: a, result: 'ok' },
    { name: 'cancel_b', arguments: b, result: reply },
  ]
  return giveEffectsCredit(expected, calls, { isReplayed: true }).score
}

const texts: Ids = { a: { id: 'order-1' }, b: { id: 'order-2' } }

describe('an expected action that the tools refuse', () => {
  it.each<Ids>([
    texts,
    { a: { id: 10001 }, b: { id: 10002 } },
    { a: { order: 10001 }, b: { order: 10002 } },
    { a: { order_id: 1 }, b: { order_id: 2 } },
    { a: { orderIds: [1] }, b: { orderIds: [2] } },
    { a: { id: 'A1' }, b: { id: 'B2' } },
    { a: { order: 'A1' }, b: { order: 'B2' } },
    { a: { id: 'a' }, b: { id: 'b' } },
  ])('is left out whatever its ids look like: %j', (ids) => {
    expect(score(ids, 'Error: it cannot be cancelled')).toBe(1)
  })

  it.each([
    '{"status": "failed"}',
    '{"error": "already cancelled"}',
    'Failed to cancel: it was shipped',
    'Order not found',
    '{"code": 403, "message": "permission denied"}',
  ])('is left out for every error that lasts: %s', (reply) => {
    expect(score(texts, reply)).toBe(1)
  })

  it.each([
    'Error: timeout',
    '{"status": "timed_out"}',
    '{"status": "unavailable"}',
    '{"status": "deadline_exceeded"}',
    '{"status": "resource_exhausted"}',
    '{"status": 503}',
    '{"code": 429, "message": "slow down"}',
    'HTTP 500',
    '502 Bad Gateway',
    'Too many requests',
    'Quota exceeded',
    'Deadlock detected',
    '{"error": "try again later"}',
    'ok',
  ])('is expected if the error may pass or is none: %s', (reply) => {
    expect(score(texts, reply)).toBe(reply === 'ok' ? 1 : 0.5)
  })

  it('is expected if the agent made it impossible itself', () => {
    for (const ids of [texts, { a: { id: 10001 }, b: { id: 10002 } }, { a: { id: 'A1' }, b: { id: 'B2' } }]) {
      const own = [{ name: 'delete_b', arguments: ids.b, result: 'ok' }]
      expect(score(ids, 'Order not found', own)).toBeLessThan(1)
    }
  })

  it('is about its ids, not about amounts that others share', () => {
    const expected = [
      { name: 'update_a', arguments: { id: 10001, count: 2 } },
      { name: 'cancel_b', arguments: { id: 10002, count: 2 } },
    ]
    const calls = [
      { name: 'update_a', arguments: { id: 10001, count: 3 }, result: 'ok' },
      { name: 'cancel_b', arguments: { id: 10002, count: 2 }, result: 'Order not found' },
    ]
    expect(giveEffectsCredit(expected, calls, { isReplayed: true }).score).toBeCloseTo(0.7, 12)
  })
})
