import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { hostname } from 'node:os'
import { describe, expect, it } from 'vitest'
import type { Claim, Storage } from '../contract/index.ts'
import { openStorage } from '../storage/index.ts'
import { systemClock } from './requesting/clock.ts'
import { findActivity, RunClaimed, withClaim } from './claim.ts'

const open = () => openStorage({ file: ':memory:' })
const claiming = (storage: Storage) => ({ storage, clock: systemClock })

async function placeClaim(storage: Storage, change: Partial<Claim>): Promise<void> {
  const now = Date.now()
  const claim = { id: 'run', host: 'another-machine', pid: 1, token: 'theirs', since: now, renewedAt: now, ...change }
  expect(await storage.claim(claim)).toBeUndefined()
}

/** The id of a process that has ended. */
async function findDeadProcess(): Promise<number> {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  return child.pid!
}

describe('a claim', () => {
  it('keeps everyone else out during the work, and ends with it', async () => {
    const storage = await open()
    const first = withClaim('run', claiming(storage), async () => {
      await expect(withClaim('run', claiming(storage), async () => 'second')).rejects.toThrow(RunClaimed)
      const activity = await findActivity(
        [
          { id: 'run', status: 'running' },
          { id: 'its run', seriesId: 'run', status: 'running' },
          { id: 'its finished run', seriesId: 'run', status: 'completed' },
          { id: 'another', status: 'running' },
          { id: 'cancelled', status: 'cancelled' },
        ],
        { storage, now: Date.now() },
      )
      const workedOnBy = { host: hostname(), pid: process.pid, since: expect.any(Number) }
      expect([...activity.values()]).toEqual([
        { state: 'running', workedOnBy },
        { state: 'running', workedOnBy },
        { state: 'done' },
        { state: 'interrupted' },
        { state: 'stopped' },
      ])
      return 'first'
    })
    expect(await first).toBe('first')
    expect(await withClaim('run', claiming(storage), async () => 'third')).toBe('third')
    expect(await storage.listClaims()).toEqual([])
  })

  it('says who holds it, since when, and what to do', async () => {
    const storage = await open()
    await placeClaim(storage, { since: Date.UTC(2026, 10, 16, 2, 3, 4) })
    await expect(withClaim('run', claiming(storage), async () => 1)).rejects.toThrow(
      'run run is running in another process (process 1 on host another-machine since 2026-11-16 02:03:04 UTC); wait for it, or use --take-over when you know that it is dead',
    )
  })

  it('from another machine expires after 30 seconds without a renewal', async () => {
    const storage = await open()
    await placeClaim(storage, { renewedAt: Date.now() - 31_000 })
    expect(await withClaim('run', claiming(storage), async () => 'done')).toBe('done')
  })

  it('of a dead process on this machine expires at once', async () => {
    const storage = await open()
    await placeClaim(storage, { host: hostname(), pid: await findDeadProcess() })
    expect(await withClaim('run', claiming(storage), async () => 'done')).toBe('done')
  })

  it('of a live process on this machine holds', async () => {
    const storage = await open()
    await placeClaim(storage, { host: hostname(), pid: process.ppid })
    await expect(withClaim('run', claiming(storage), async () => 1)).rejects.toThrow(RunClaimed)
  })

  it.runIf(process.platform === 'linux')(
    'of a process on this machine that was suspended holds, unless its id is another program’s by now (only Linux tells)',
    async () => {
      const storage = await open()
      const renewedAt = Date.now() - 60_000
      await placeClaim(storage, { host: hostname(), pid: process.ppid, since: Date.now(), renewedAt })
      await expect(withClaim('run', claiming(storage), async () => 1)).rejects.toThrow(RunClaimed)
      await placeClaim(storage, { id: 'old', host: hostname(), pid: process.ppid, since: 1000, renewedAt })
      expect(await withClaim('old', claiming(storage), async () => 'done')).toBe('done')
    },
  )

  it('can be taken over on request, which stops the other work', async () => {
    const storage = await open()
    let stop = () => {}
    const stopped = new Promise<void>((resolve) => (stop = resolve))
    const first = withClaim('run', { ...claiming(storage), renewEveryMs: 5 }, async ({ signal }) => {
      signal.addEventListener('abort', stop)
      await stopped
      return signal.aborted
    })
    await new Promise((resolve) => setImmediate(resolve))
    const second = await withClaim('run', { ...claiming(storage), takeOver: true }, async () => {
      await expect(first).rejects.toThrow(
        new RegExp(`^run run was taken over by process ${process.pid} on host .*; this process stopped working on it`),
      )
      return 'mine now'
    })
    expect(second).toBe('mine now')
    expect(await storage.listClaims()).toEqual([])
  })

  it('is released even when the work fails', async () => {
    const storage = await open()
    await expect(withClaim('run', claiming(storage), () => Promise.reject(new Error('broken')))).rejects.toThrow(
      'broken',
    )
    expect(await storage.listClaims()).toEqual([])
  })
})
