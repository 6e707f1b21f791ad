import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { StoredAudit } from '../../services/index.ts'
import { startRouteServer, type RouteServer } from '../testing/route-server.ts'
import { auditRoutes } from './audit-routes.ts'
import type { Audits, LiveAudit } from './audits.ts'

let server: RouteServer
beforeAll(async () => {
  server = await startRouteServer([auditRoutes])
})
afterAll(() => server.close())

async function send<Reply>(
  path: string,
  body: unknown = {},
  method = 'POST',
): Promise<{ status: number; body: Reply }> {
  const reply = await server.request(path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: reply.status, body: JSON.parse(await reply.text()) }
}

async function read<Reply>(path: string): Promise<Reply> {
  const reply = await server.request(path)
  expect(reply.status).toBe(200)
  return JSON.parse(await reply.text())
}

async function audit(request: object): Promise<StoredAudit> {
  const { status, body } = await send<LiveAudit>('/audits', request)
  expect([status, body]).toEqual([201, expect.anything()])
  await vi.waitUntil(async () => (await read<Audits>('/audits')).live.length === 0, { timeout: 60_000, interval: 10 })
  return read<StoredAudit>(`/audits/${body.id}`)
}

const suite = {
  name: 'Capitals',
  testCases: Array.from({ length: 12 }, (_, index) => ({
    id: `sum-${index}`,
    prompt: `What is ${index} + 10?`,
    expectedOutput: `The sum of both is ${index + 10}`,
    scoringMethod: 'exact-match' as const,
    weight: 1,
  })),
}

describe('audits', () => {
  it('are estimated, run in the background, kept with their cases, listed without, and deleted', async () => {
    const request = { judgeModelId: 'demo/judge-first', only: ['position'] }
    expect((await send<{ requests: number }>('/audits/estimate', request)).body).toMatchObject({ requests: 48 })
    const kept = await audit(request)
    expect(kept).toMatchObject({ judgeModelId: 'demo/judge-first', source: 'built-in answers', asked: 48, failed: 0 })
    expect(kept.findings[0]).toMatchObject({ audit: 'position', status: 'found' })
    expect(kept.findings[0]!.cases).toHaveLength(24)
    const { audits } = await read<Audits>('/audits')
    expect(audits.map(({ id }) => id)).toEqual([kept.id])
    expect(audits[0]!.findings[0]).not.toHaveProperty('cases')
    expect((await send(`/audits/${kept.id}`, {}, 'DELETE')).status).toBe(200)
    expect((await read<Audits>('/audits')).audits).toEqual([])
    for (const [path, method] of [
      [`/audits/${kept.id}`, 'DELETE'],
      [`/audits/${kept.id}/stop`, 'POST'],
    ] as const)
      expect((await send(path, {}, method)).status).toBe(404)
  })

  it('use the stored answers of a run, and its ratings', async () => {
    const [runId] = await server.run({ suite, models: ['demo/good', 'demo/poor'] })
    await server.storage.saveRating({ runId: runId!, testCaseId: 'sum-1', modelId: 'demo/good' }, { rating: 0.5 })
    const kept = await audit({ judgeModelId: 'demo/judge-wordy', runId, only: ['position', 'verbosity'] })
    expect(kept.source).toBe(`24 answers of run ${runId} (Capitals)`)
    expect(kept.runId).toBe(runId)
    const [position, verbosity] = kept.findings
    // Pairs of the same answer by both models are left out.
    expect(position!.planned).toBeGreaterThan(0)
    expect(position!.cases.every(({ shown }) => shown[0]!.text !== shown[1]!.text)).toBe(true)
    expect(verbosity).toMatchObject({ status: 'found', planned: 24 })
    const limited = await audit({ judgeModelId: 'demo/judge', runId, only: ['verbosity'], limit: 7 })
    expect(limited.findings[0]).toMatchObject({ planned: 7 })
  })

  it('of a judge that is being audited are refused; a stopped one keeps what it has', async () => {
    const request = { judgeModelId: 'demo/judge' }
    const { body: live } = await send<LiveAudit>('/audits', request)
    expect(await send('/audits', request)).toMatchObject({ status: 409, body: { error: { code: 'in-progress' } } })
    expect((await send<LiveAudit>(`/audits/${live.id}/stop`)).body).toMatchObject({ isStopping: true })
    await vi.waitUntil(async () => (await read<Audits>('/audits')).live.length === 0, { timeout: 60_000, interval: 10 })
    const kept = await read<StoredAudit>(`/audits/${live.id}`)
    expect(kept.status).toBe('cancelled')
    expect(kept.findings).toHaveLength(5)
    expect(kept.findings.at(-1)).toMatchObject({ status: 'not-tested' })
  })

  it('that cannot be are refused in words, and nothing is kept', async () => {
    const before = (await read<Audits>('/audits')).audits.length
    for (const [request, words] of [
      [{ judgeModelId: 'demo/judge', runId: 'nobody' }, 'there is no run nobody'],
      [{ judgeModelId: 'demo/judge', only: ['everything'] }, 'must be among'],
      [{ judgeModelId: 'demo/judge', limit: 0 }, 'must be at least 1'],
      [{ judgeModelId: '' }, ''],
      [{ judgeModelId: 'demo/nope' }, 'demo/nope: no such model'],
      [{ judgeModelId: 'demo/judge', maxCost: 1 }, 'the price of demo/judge is unknown'],
    ] as const) {
      const { status, body } = await send<{ error?: { message: string }; problem?: string; id?: string }>(
        '/audits',
        request,
      )
      if (status === 201) {
        // The price is looked up only when it starts.
        await vi.waitUntil(async () => (await read<Audits>('/audits')).live[0]?.problem !== undefined, {
          timeout: 60_000,
        })
        expect((await read<Audits>('/audits')).live[0]!.problem).toContain(words)
        expect((await send(`/audits/${body.id}`, {}, 'DELETE')).status).toBe(200)
      } else {
        expect(status).toBe(422)
        expect(body.error!.message).toContain(words)
      }
    }
    expect((await read<Audits>('/audits')).audits).toHaveLength(before)
    expect((await read<Audits>('/audits')).live).toEqual([])
  })
})
