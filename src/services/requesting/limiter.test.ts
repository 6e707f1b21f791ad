import { expect, it } from 'vitest'
import { createLimiter } from './limiter.ts'

/** Lets everything that can continue do so. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

it('admits as many as the limit and queues the others in order', async () => {
  const limiter = createLimiter(2)
  const entered: number[] = []
  const releases: (() => void)[] = []
  for (let index = 0; index < 4; index++)
    void limiter.acquire().then((release) => {
      entered.push(index)
      releases.push(release)
    })
  await settle()
  expect(entered).toEqual([0, 1])
  releases[0]!()
  releases[0]!()
  await settle()
  expect(entered).toEqual([0, 1, 2])
})

it('halves on 429 and grows by one per round of answers, up to the original limit', () => {
  const limiter = createLimiter(8)
  limiter.onRateLimited()
  limiter.onRateLimited()
  expect(limiter.limit()).toBe(2)
  const answersUntil = (limit: number) => {
    let answers = 0
    while (limiter.limit() < limit) {
      limiter.onAnswered()
      answers++
    }
    return answers
  }
  expect(answersUntil(3)).toBe(2)
  expect(answersUntil(4)).toBe(3)
  expect(answersUntil(8)).toBe(4 + 5 + 6 + 7)
  for (let index = 0; index < 50; index++) limiter.onAnswered()
  expect(limiter.limit()).toBe(8)
  for (let index = 0; index < 10; index++) limiter.onRateLimited()
  expect(limiter.limit()).toBe(1)
})

it('lets a waiting request be cancelled without taking a slot', async () => {
  const limiter = createLimiter(1)
  const release = await limiter.acquire()
  const controller = new AbortController()
  const waiting = limiter.acquire(controller.signal)
  controller.abort()
  await expect(waiting).rejects.toMatchObject({ kind: 'cancelled' })
  await expect(limiter.acquire(controller.signal)).rejects.toMatchObject({ kind: 'cancelled' })
  release()
  expect(await limiter.acquire()).toBeTypeOf('function')
})
