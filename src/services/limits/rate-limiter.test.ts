import { describe, expect, it } from 'vitest'
import { ClientError, type CancelSignal, type LimitStore, type ProviderLimits } from '../../contract/index.ts'
import type { Clock } from '../requesting/clock.ts'
import { createRateLimiter, type RateLimiter } from './rate-limiter.ts'
import { createLocalLimitStore } from './pacing.ts'

/** Time that passes only when everything waits for it. */
class ManualClock implements Clock {
  time = 1_700_000_000_000
  readonly #sleeping = new Set<{ at: number; wake(): void }>()

  now = () => this.time

  sleep = (milliseconds: number, signal?: CancelSignal): Promise<void> =>
    new Promise((resolve) => {
      const entry = {
        at: this.time + milliseconds,
        wake: () => {
          this.#sleeping.delete(entry)
          resolve()
        },
      }
      this.#sleeping.add(entry)
      signal?.addEventListener('abort', entry.wake, { once: true })
    })

  async advance(milliseconds: number): Promise<void> {
    const end = this.time + milliseconds
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve))
      const [next] = [...this.#sleeping].toSorted((a, b) => a.at - b.at)
      if (!next || next.at > end) break
      this.time = Math.max(this.time, next.at)
      next.wake()
    }
    this.time = end
  }

  countSleeping = () => this.#sleeping.size
}

function setUp(limits: ProviderLimits, limitStore?: (clock: Clock) => LimitStore) {
  const clock = new ManualClock()
  const rateLimiter = createRateLimiter({
    key: 'a',
    limits,
    clock,
    limitStore: (limitStore ?? createLocalLimitStore)(clock),
  })
  return { clock, rateLimiter, start: clock.time }
}

/** Lets requests in, each of which ends at once, and notes when they entered. */
function enterMany(rateLimiter: RateLimiter, count: number, clock: Clock, tokens = 1): number[] {
  const times: number[] = []
  for (let index = 0; index < count; index++)
    void rateLimiter.enter(tokens).then((permit) => {
      times.push(clock.now())
      permit.settle(tokens)
    })
  return times
}

const seconds = (times: readonly number[], start: number) => times.map((time) => Math.round((time - start) / 10) / 100)

describe('a rate limiter', () => {
  it('lets one request after another go, at 97 % of the limit', async () => {
    const { clock, rateLimiter, start } = setUp({ requestsPerMinute: 60 })
    const times = enterMany(rateLimiter, 4, clock)
    await clock.advance(10_000)
    expect(seconds(times, start)).toEqual([0, 1.03, 2.06, 3.09])
  })

  it('lets as many tokens go as the limit allows, by what they really were', async () => {
    const { clock, rateLimiter, start } = setUp({ tokensPerMinute: 6000 })
    // 1,000 tokens are expected, and 100 used: a request a second instead of one in ten.
    const times: number[] = []
    for (let index = 0; index < 5; index++) {
      const permit = rateLimiter.enter(1000)
      await clock.advance(index === 0 ? 0 : 1031)
      ;(await permit).settle(100)
      times.push(clock.now())
    }
    expect(times.at(-1)! - start).toBeLessThan(5000)
    // One that used far more than expected holds up the next.
    const permit = rateLimiter.enter(10)
    await clock.advance(1500)
    ;(await permit).settle(2000)
    const before = clock.now()
    const late = enterMany(rateLimiter, 1, clock, 10)
    await clock.advance(60_000)
    expect(late[0]! - before).toBeGreaterThan(15_000)
  })

  it('without limits lets everything go at once', async () => {
    const { clock, rateLimiter, start } = setUp({})
    const times = enterMany(rateLimiter, 50, clock)
    await clock.advance(0)
    expect(times).toEqual(Array.from({ length: 50 }, () => start))
  })

  it('a pause holds up those that wait, then they go at the usual rate', async () => {
    const { clock, rateLimiter, start } = setUp({ requestsPerMinute: 600 })
    const times = enterMany(rateLimiter, 12, clock)
    await clock.advance(350)
    expect(times).toHaveLength(4)
    rateLimiter.postpone(5000)
    await clock.advance(60_000)
    expect(seconds(times, start).slice(4, 7)).toEqual([5.35, 5.45, 5.56])
    expect(times).toHaveLength(12)
  })

  it('a pause holds up requests of a provider without limits too', async () => {
    const { clock, rateLimiter, start } = setUp({})
    rateLimiter.postpone(2000)
    await clock.advance(0)
    const times = enterMany(rateLimiter, 3, clock)
    await clock.advance(5000)
    expect(seconds(times, start)).toEqual([2, 2, 2])
  })

  it('several refusals at once are one pause', async () => {
    const { clock, rateLimiter, start } = setUp({ requestsPerMinute: 600 })
    for (let refusal = 0; refusal < 5; refusal++) {
      rateLimiter.postpone(1000)
      await clock.advance(20)
    }
    const times = enterMany(rateLimiter, 1, clock)
    await clock.advance(5000)
    expect(seconds(times, start)).toEqual([1])
  })

  it('one that is cancelled leaves its place to the next, and no timer behind', async () => {
    const { clock, rateLimiter, start } = setUp({ requestsPerMinute: 6 })
    const times = enterMany(rateLimiter, 1, clock)
    const controller = new AbortController()
    const cancelled = rateLimiter.enter(1, controller.signal).catch((error: unknown) => error)
    await clock.advance(100)
    expect(clock.countSleeping()).toBe(1)
    controller.abort()
    expect(await cancelled).toBeInstanceOf(ClientError)
    await clock.advance(0)
    expect(clock.countSleeping()).toBe(0)
    times.push(...enterMany(rateLimiter, 1, clock))
    const next = enterMany(rateLimiter, 1, clock)
    await clock.advance(30_000)
    expect(seconds(next, start)[0]).toBeLessThan(21)
  })

  it('a process that was frozen does not send at once what it missed', async () => {
    const { clock, rateLimiter } = setUp({ requestsPerMinute: 600 })
    const times = enterMany(rateLimiter, 10, clock)
    await clock.advance(150)
    clock.time += 20_000
    await clock.advance(120)
    expect(times.length).toBeLessThanOrEqual(5)
    await clock.advance(5000)
    expect(times).toHaveLength(10)
  })

  it('fails those that wait if the limits cannot be read', async () => {
    const { rateLimiter } = setUp({ requestsPerMinute: 600 }, (clock) => ({
      ...createLocalLimitStore(clock),
      reserve: () => Promise.reject(new Error('the database is away')),
    }))
    await expect(rateLimiter.enter(1)).rejects.toThrow('the database is away')
    await expect(rateLimiter.enter(1)).rejects.toThrow('the database is away')
  })
})
