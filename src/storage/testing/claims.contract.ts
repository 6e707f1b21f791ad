import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ClaimLost, type Claim, type RunRequest, type Storage } from '../../contract/index.ts'
import { createSample } from './samples.ts'
import type { TestedDriver } from './tested-drivers.ts'

const claim = (change: Partial<Claim> = {}): Claim => ({
  id: 'run',
  host: 'h\u0000st',
  pid: 42,
  token: 'first',
  since: 1000,
  renewedAt: 1000,
  ...change,
})

const request: RunRequest = {
  suiteId: 'capitals',
  models: ['good', 'poor'],
  parameters: {},
  judgeModelIds: ['judge,with comma'],
  combineJudges: 'median',
  repeat: 3,
  concurrency: 5,
  maxTimeSeconds: 600,
  cache: false,
  maxCost: 1.5,
}

/** Rules for run requests and for claims on runs (src/contract/ports/storage.ts). */
export function describeClaims(driver: TestedDriver): void {
  describe('requests and claims', () => {
    let storage: Storage
    beforeEach(async () => {
      storage = await (await driver.createDatabase()).open()
    })
    afterEach(() => storage.close())

    it('a request is stored whole; changing it affects all runs of the series and no others', async () => {
      await createSample(storage, 'one', { request, seriesId: 'series' })
      await createSample(storage, 'two', { request, seriesId: 'series' })
      await createSample(storage, 'alone', { request })
      expect((await storage.loadRun('one'))?.request).toEqual(request)
      await storage.saveRequest('two', { ...request, maxCost: 9 })
      const costs = new Map((await storage.listRuns()).map(({ id, maxCost }) => [id, maxCost]))
      expect(costs).toEqual(
        new Map([
          ['one', 9],
          ['two', 9],
          ['alone', 1.5],
        ]),
      )
      await storage.saveRequest('alone', { ...request, repeat: 7 })
      expect((await storage.loadRun('one'))?.request?.repeat).toBe(3)
      const repeats = (await storage.listRuns()).map(({ id, repeat }) => [id, repeat])
      expect(Object.fromEntries(repeats)).toEqual({ one: 3, two: 3, alone: 7 })
      await expect(storage.saveRequest('missing', request)).rejects.toThrow(/There is no run "missing"/)
    })

    it('an attempt under a claim that another process has taken is refused, and nothing is written', async () => {
      await createSample(storage, 'one')
      const { testCaseId, modelId } = (await storage.loadOpenCells('one'))[0]!.cell
      const start = { runId: 'one', testCaseId, modelId, purpose: 'answer' as const, askedModel: modelId, startedAt: 1 }
      await storage.claim(claim({ id: 'one' }))
      expect(await storage.startAttempt({ ...start, claim: 'first' })).toEqual(expect.any(Number))
      await storage.claim(claim({ id: 'one', token: 'second' }), { replace: 'first' })
      await expect(storage.startAttempt({ ...start, claim: 'first' })).rejects.toThrow(ClaimLost)
      expect(await storage.startAttempt({ ...start, claim: 'second' })).toEqual(expect.any(Number))
      await expect(storage.startAttempt({ ...start, testCaseId: 'none', claim: 'second' })).rejects.toThrow('none')
    })

    it('the reason a run stopped is kept until its status is set again', async () => {
      await createSample(storage, 'one')
      await storage.setRunStatus('one', 'cancelled', { completedAt: 5, stopReason: 'budget' })
      expect([await storage.loadRun('one'), (await storage.listRuns())[0]]).toMatchObject([
        { stopReason: 'budget' },
        { stopReason: 'budget' },
      ])
      await storage.setRunStatus('one', 'running')
      expect(await storage.loadRun('one')).not.toHaveProperty('stopReason')
    })

    it('the first claim holds until it is released or explicitly replaced', async () => {
      expect(await storage.claim(claim())).toBeUndefined()
      expect(await storage.claim(claim({ token: 'second' }))).toEqual(claim())
      expect(await storage.claim(claim({ token: 'second' }), { replace: 'other' })).toEqual(claim())
      expect(await storage.claim(claim({ token: 'second' }), { replace: 'first' })).toBeUndefined()
      expect(await storage.listClaims()).toEqual([claim({ token: 'second' })])
      await storage.releaseClaim('run', 'first')
      expect(await storage.listClaims()).toHaveLength(1)
      await storage.releaseClaim('run', 'second')
      expect(await storage.listClaims()).toEqual([])
    })

    it('only its holder can renew a claim', async () => {
      await storage.claim(claim())
      expect(await storage.renewClaim('run', 'first', 5000)).toBe(true)
      expect(await storage.renewClaim('run', 'second', 9000)).toBe(false)
      expect(await storage.renewClaim('other', 'first', 9000)).toBe(false)
      expect((await storage.listClaims()).map(({ renewedAt }) => renewedAt)).toEqual([5000])
    })

    it('of many simultaneous claims, exactly one succeeds', async () => {
      const tokens = Array.from({ length: 20 }, (_, index) => `token ${index}`)
      const held = await Promise.all(tokens.map((token) => storage.claim(claim({ token }))))
      expect(held.filter((holder) => holder === undefined)).toHaveLength(1)
      const [winner] = await storage.listClaims()
      expect(tokens[held.indexOf(undefined)]).toBe(winner?.token)
    })
  })
}
