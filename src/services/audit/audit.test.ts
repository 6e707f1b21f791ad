import { describe, expect, it } from 'vitest'
import { ClientError, defaultConcurrency, InputError, type Client, type ModelRequest } from '../../contract/index.ts'
import { createRandom } from '../../statistics/index.ts'
import { openStorage } from '../../storage/index.ts'
import { systemClock } from '../requesting/clock.ts'
import { auditJudge, type AuditProgress, type AuditSettings } from './audit.ts'
import { estimateAudit } from './estimate-audit.ts'
import { deleteAudit, findAudit, listAudits, saveAudit } from './stored-audits.ts'

const PRICE = { prompt: 1e-6, completion: 1e-5 }
const countTokens = (text: string) => Math.ceil(text.length / 3)

interface FakeJudge {
  reply?: (request: ModelRequest, nth: number) => string
  cost?: number
  price?: typeof PRICE
}

function startJudge({
  reply = () => '{"score": 5, "winner": "tie", "reasoning": "x"}',
  cost = 0.001,
  price = PRICE,
}: FakeJudge = {}) {
  const state = { asked: 0, atOnce: 0, maxAtOnce: 0 }
  const client: Client = {
    provider: 'fake',
    async complete(request) {
      state.maxAtOnce = Math.max(state.maxAtOnce, ++state.atOnce)
      await new Promise((resolve) => setImmediate(resolve))
      state.atOnce--
      return { outcome: 'ok', response: reply(request, state.asked++), latencyMs: 1, cost }
    },
    listModels: async () => [],
    close: async () => {},
  }
  const tools = {
    connections: { clientOf: () => client, readPrices: async () => new Map([['judge', price]]) },
    clock: { ...systemClock, sleep: async () => {} },
    random: createRandom(7),
    loadTokenCounter: async () => countTokens,
  }
  const audit = (settings: Partial<AuditSettings> = {}, options?: Parameters<typeof auditJudge>[2]) =>
    auditJudge({ judgeModelId: 'judge', ...settings }, tools, options)
  return { state, client, tools, audit }
}

describe('an audit', () => {
  it('asks as many questions as it was estimated to, at most as many at once as a run, and counts their cost', async () => {
    const { state, audit } = startJudge()
    const estimate = await estimateAudit({ judgeModelId: 'judge' }, PRICE, countTokens)
    const seen: AuditProgress[] = []
    const result = await audit({}, { onProgress: (progress) => seen.push(progress) })
    expect(result).toMatchObject({ status: 'completed', asked: estimate.requests - 48, failed: 0, seed: 1 })
    // Its own words are not an answer: a judge that always replies with a grade has none.
    expect(result.findings.map(({ status }) => status)).toEqual([
      'not-found',
      'not-found',
      'not-found',
      'not-tested',
      'not-found',
    ])
    expect(state.maxAtOnce).toBe(defaultConcurrency)
    expect(result.cost).toBeCloseTo(state.asked * 0.001, 10)
    expect(seen[0]).toMatchObject({ done: 0, total: estimate.requests, findings: [] })
    expect(seen.at(-1)).toMatchObject({ done: estimate.requests - 48 })
    expect(seen.every(({ done }, index) => index === 0 || done >= seen[index - 1]!.done)).toBe(true)
    expect(estimate.mostRequests).toBeGreaterThan(estimate.requests)
    expect(estimate.likelyCost).toBeLessThan(estimate.cost!)
  })

  it('counts a retry as the same question', async () => {
    const { audit } = startJudge({ reply: (_request, nth) => (nth % 2 === 0 ? '?' : '{"score": 5, "winner": "tie"}') })
    const result = await audit({ only: ['verbosity'] })
    expect(result.asked).toBe(96)
  })

  it('sends nothing that could exceed the budget; what was not run is not tested', async () => {
    const { state, audit } = startJudge({ cost: 0.02 })
    const result = await audit({ maxCost: 1 })
    expect(result.cost).toBeLessThanOrEqual(1)
    expect(state.asked).toBeLessThanOrEqual(50)
    expect(state.asked).toBeGreaterThan(40)
    expect(result.findings.at(-1)).toMatchObject({ status: 'not-tested' })
    expect(result.findings.at(-1)!.sentence).toContain('the budget of 1 dollars')
  })

  it('with a budget but without a price is refused before anything is sent', async () => {
    const { state, tools } = startJudge()
    const connections = { ...tools.connections, readPrices: async () => new Map() }
    const settings = { judgeModelId: 'judge', maxCost: 1 }
    await expect(auditJudge(settings, { ...tools, connections })).rejects.toBeInstanceOf(InputError)
    expect(state.asked).toBe(0)
  })

  it('refuses settings that make no sense, before anything is sent', async () => {
    const { state, audit } = startJudge()
    const answers = [{ prompt: 'p', response: 'r', expectedScore: 7 }]
    await expect(audit({ limit: 0 })).rejects.toThrow('limit: must be at least 1')
    await expect(audit({ maxCost: -1 })).rejects.toThrow('maxCost: must be more than 0 dollars')
    await expect(audit({ only: [] })).rejects.toThrow('only: names no audit')
    await expect(audit({ answers })).rejects.toThrow('answers[0]: expectedScore is 7')
    expect(state.asked).toBe(0)
  })

  it('that is stopped keeps what is finished, and says that the rest is not tested', async () => {
    const controller = new AbortController()
    const { state, audit } = startJudge()
    const result = await audit(
      {},
      {
        signal: controller.signal,
        onProgress: ({ findings }) => {
          if (findings.length === 2) controller.abort()
        },
      },
    )
    expect(result.status).toBe('cancelled')
    expect(result.findings.map(({ status }) => status)).toEqual([
      'not-found',
      'not-found',
      'not-tested',
      'not-tested',
      'not-tested',
    ])
    expect(result.findings[2]!.sentence).toContain('it was stopped')
    expect(result).toMatchObject({ asked: 120, failed: 0 })
    expect(state.asked).toBeLessThan(150)
  })

  it('gives up on a judge that no longer answers, instead of asking hundreds of times', async () => {
    let asked = 0
    const { tools } = startJudge()
    const client: Client = {
      provider: 'gone',
      complete: async () => {
        asked++
        throw new ClientError('refused', 'no such model', { status: 404 })
      },
      listModels: async () => [],
      close: async () => {},
    }
    const connections = { ...tools.connections, clientOf: () => client }
    const result = await auditJudge({ judgeModelId: 'judge' }, { ...tools, connections })
    expect(asked).toBeLessThan(40)
    expect(result.asked).toBe(result.failed)
    for (const { status, sentence } of result.findings) {
      expect(status).toBe('not-tested')
      expect(sentence).toContain('no such model')
    }
  })
})

describe('a kept audit', () => {
  it('is read back as it was, newest first, with long texts cut', async () => {
    const storage = await openStorage({ file: ':memory:' })
    try {
      const { audit } = startJudge({ reply: () => `{"score": 5, "reasoning": "${'x'.repeat(10_000)}"}` })
      const result = await audit({ only: ['verbosity'] })
      const first = await saveAudit(storage, { ...result, id: 'one', source: 'built-in answers' })
      const second = await saveAudit(storage, { ...result, id: 'two', source: '3 answers of run r', runId: 'r' })
      expect(await listAudits(storage)).toEqual([second, first])
      expect(await findAudit(storage, 'two')).toEqual(second)
      expect(second.findings[0]!.figure).toEqual(result.findings[0]!.figure)
      expect(second.findings[0]!.cases[0]!.replies[0]!.reasoning!.length).toBeLessThan(5000)
      expect(await deleteAudit(storage, 'one')).toBe(true)
      expect(await deleteAudit(storage, 'one')).toBe(false)
      await storage.saveDocument({ kind: 'audit', id: 'newer', content: { from: 'a later version' } })
      expect((await listAudits(storage)).map(({ id }) => id)).toEqual(['two'])
    } finally {
      await storage.close()
    }
  })
})
