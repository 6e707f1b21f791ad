import { describe, expect, it } from 'vitest'
import { createClient, executeRun, type RunResult, type Suite } from '../src/index.ts'
import { startModelServer, type ModelServerOptions } from './fakes/model-server.ts'

const CELLS = 1000
const suite: Suite = {
  name: 'Faults',
  testCases: Array.from({ length: CELLS }, (_, index) => ({
    id: `case-${index}`,
    prompt: `Question ${index}`,
    scoringMethod: 'exact-match',
    expectedOutput: `answer ${index}`,
    weight: 1,
  })),
}
const answer = ({ prompt }: { prompt: string }) => {
  const number = Number(/\d+/.exec(prompt)![0])
  return number % 3 === 0 ? `no idea ${number}` : `answer ${number}`
}

async function runAgainst(
  options: ModelServerOptions,
): Promise<{ run: RunResult; stats: ReturnType<Awaited<ReturnType<typeof startModelServer>>['stats']> }> {
  const server = await startModelServer({ answer, ...options })
  const client = createClient({ baseUrl: server.baseUrl })
  try {
    const run = await executeRun({ suite, models: ['fake'], client, concurrency: 60, timeoutMs: 400 })
    return { run, stats: server.stats() }
  } finally {
    await client.close()
    await server.close()
  }
}

describe('a provider on a bad day', () => {
  it('with 5 % each of 429, 500, empty and cut streams and 1 % hanging, at most 2 of 1,000 cells end in error and the others score as usual', async () => {
    const calm = await runAgainst({})
    const stormy = await runAgainst({
      faults: {
        seed: 7,
        rateLimit: 0.05,
        serverError: 0.05,
        empty: 0.05,
        cut: 0.05,
        hang: 0.01,
        retryAfterSeconds: 0.02,
      },
    })
    const { faults } = stormy.stats
    for (const fault of ['rateLimit', 'serverError', 'empty', 'cut'] as const)
      expect(faults[fault]).toBeGreaterThan(CELLS * 0.03)
    expect(faults.hang).toBeGreaterThan(2)

    const errors = stormy.run.results.filter(({ error }) => error !== undefined)
    expect(errors.length).toBeLessThanOrEqual(2)
    const scoreOf = ({ results }: RunResult) =>
      new Map(results.map(({ testCaseId, score }) => [testCaseId, score?.score]))
    const expected = scoreOf(calm.run)
    for (const [testCaseId, score] of scoreOf(stormy.run))
      if (score !== undefined) expect([testCaseId, score]).toEqual([testCaseId, expected.get(testCaseId)])
    expect(stormy.run.results).toHaveLength(CELLS)
  })

  const piece = 'data: {"choices": [{"index": 0, "delta": {"content": "ans"}}]}\n\n'
  it.each([
    ['cuts every stream', { pieces: [piece], ending: 'destroy' }],
    ['cuts every stream before its first token', { pieces: [': hello\n\n'], ending: 'destroy' }],
    ['ends every stream with an error', { pieces: [piece, 'data: {"error": {"message": "worker lost"}}\n\n'] }],
    ['stops sending in every stream', { pieces: [piece], ending: 'hang' }],
  ] as const)('a server that %s but answers without streaming is asked twice', async (_fault, { pieces, ...more }) => {
    const server = await startModelServer({
      answer,
      reply: ({ stream }) => (stream ? { pieces: [...pieces], ...more } : undefined),
    })
    const client = createClient({ baseUrl: server.baseUrl })
    const impatient = {
      ...client,
      complete: (...[request, options]: Parameters<typeof client.complete>) =>
        client.complete({ ...request, idleTimeoutMs: 50 }, options),
    }
    const run = await executeRun({
      suite: { ...suite, testCases: suite.testCases.slice(1, 2) },
      models: ['fake'],
      client: impatient,
    })
    expect(server.requests.map(({ stream }) => stream)).toEqual([true, false])
    expect(run.results[0]).toMatchObject({ outcome: 'ok', response: 'answer 1', attempts: 2 })
    await client.close()
    await server.close()
  })

  it('waits as long as Retry-After says before a retry', async () => {
    const arrivals: number[] = []
    const server = await startModelServer({
      answer,
      reply: () => {
        arrivals.push(performance.now())
        return arrivals.length === 1
          ? { status: 429, headers: { 'retry-after': '1' }, pieces: ['{"error": {"message": "slow down"}}'] }
          : undefined
      },
    })
    const client = createClient({ baseUrl: server.baseUrl })
    const run = await executeRun({
      suite: { ...suite, testCases: suite.testCases.slice(0, 1) },
      models: ['fake'],
      client,
    })
    expect(run.results[0]).toMatchObject({ outcome: 'ok', attempts: 2 })
    expect(arrivals[1]! - arrivals[0]!).toBeGreaterThanOrEqual(995)
    await client.close()
    await server.close()
  })
})
