import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { untilIdle } from './idle.ts'

function work(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

/** Work in every turn of the loop. */
async function workUntil(isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    work(2)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

it('waits while there is work, and not for long when there is none', async () => {
  let isIdle = false
  const idle = untilIdle().then(() => (isIdle = true))
  let turns = 0
  await workUntil(() => ++turns > 25)
  expect(isIdle).toBe(false)
  await idle
})

it('waits no longer than it takes to see that the work does not end', async () => {
  let isIdle = false
  void untilIdle().then(() => (isIdle = true))
  const giveUp = performance.now() + 20_000
  await workUntil(() => isIdle || performance.now() > giveUp)
  expect(isIdle).toBe(true)
})

it('settles when nothing is done', async () => {
  const timer = pause(20_000, 'too late', { ref: false })
  expect(await Promise.race([untilIdle().then(() => 'idle'), timer])).toBe('idle')
})
