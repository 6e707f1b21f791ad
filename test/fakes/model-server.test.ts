import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { startModelServer, type ModelServer, type ModelServerOptions } from './model-server.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function start(options?: ModelServerOptions): Promise<ModelServer> {
  const server = await startModelServer(options)
  closing.push(server.close)
  return server
}

function ask(server: { baseUrl: string }, prompt: string, more: Record<string, unknown> = {}): Promise<Response> {
  const body = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: prompt }], ...more })
  return fetch(`${server.baseUrl}/chat/completions`, { method: 'POST', body, signal: AbortSignal.timeout(5000) })
}

describe('the fake model server', () => {
  it('answers as server-sent events and as JSON, with usage and cost', async () => {
    const server = await start({ answer: ({ prompt }) => `You said ${prompt}`, cost: 0.5 })
    const events = (await (await ask(server, 'hi there')).text()).trim().split('\n\n')
    expect(events.at(-1)).toBe('data: [DONE]')
    expect(events).toHaveLength(7)
    expect(JSON.parse(events.at(-2)!.slice(6)).usage).toEqual({
      prompt_tokens: 2,
      completion_tokens: 4,
      total_tokens: 6,
      cost: 0.5,
    })
    const whole: unknown = await (await ask(server, 'hi there', { stream: false })).json()
    expect(whole).toMatchObject({ choices: [{ message: { content: 'You said hi there' } }] })
  })
  it('says at once that its own answer throws, and again when it is closed', async () => {
    const server = await startModelServer({
      answer: () => {
        throw new RangeError('too long')
      },
    })
    const reply = await ask(server, 'hi')
    expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining('RangeError: too long')])
    await expect(server.close()).rejects.toThrow('too long')
  })
  it('counts requests for answers by path and model, keeps their bodies and times itself', async () => {
    const server = await start({ latencyMs: 20, models: ['a', 'b'] })
    await (await ask(server, 'one')).text()
    await (await ask(server, 'two', { model: 'n' })).text()
    expect(await (await fetch(`${server.baseUrl}/models`)).json()).toMatchObject({ data: [{ id: 'a' }, { id: 'b' }] })
    const stats = server.stats()
    expect(stats).toMatchObject({
      requests: 2,
      answered: 2,
      byPath: { '/v1/chat/completions': 2, '/v1/models': 1 },
      byModel: { m: 1, n: 1 },
    })
    expect(stats.served.map(({ prompt }) => prompt)).toEqual(['one', 'two'])
    for (const { ms } of stats.served) expect(ms).toBeGreaterThanOrEqual(19)
    expect(server.requests[1]!.body).toMatchObject({ model: 'n', stream: true })
    server.reset()
    expect(server.stats()).toMatchObject({ requests: 0, served: [] })
  })
  it('injects the requested fractions of faults, reproducibly for a seed whatever the order', async () => {
    const faults = { rateLimit: 0.2, serverError: 0.2, empty: 0.2, cut: 0.2 }
    const run = async (seed: number, order: number[]): Promise<Map<number, string>> => {
      const server = await start({ faults: { seed, retryAfterSeconds: 3, ...faults } })
      const seen = new Map<number, string>()
      for (const index of order) {
        const response = await ask(server, `question ${index}`)
        const text = await response.text().catch(() => 'cut')
        seen.set(
          index,
          response.status === 200
            ? text === 'cut'
              ? 'cut'
              : text.includes('content')
                ? 'answer'
                : 'empty'
            : String(response.status),
        )
        if (response.status === 429) expect(response.headers.get('retry-after')).toBe('3')
      }
      const { rateLimit, serverError, empty, cut } = server.stats().faults
      for (const count of [rateLimit, serverError, empty, cut]) expect(count / order.length).toBeCloseTo(0.2, 0)
      return seen
    }
    const order = Array.from({ length: 60 }, (_, index) => index)
    const first = await run(1, order)
    expect(await run(1, order.toReversed())).toEqual(new Map([...first].toReversed()))
    expect(await run(2, order)).not.toEqual(first)
    expect(new Set(first.values())).toEqual(new Set(['429', '500', 'empty', 'cut', 'answer']))
  })
  it('hangs until the client gives up, and counts that', async () => {
    const server = await start({ faults: { seed: 1, hang: 1 } })
    const abort = new AbortController()
    const hanging = fetch(`${server.baseUrl}/chat/completions`, {
      method: 'POST',
      body: '{}',
      signal: abort.signal,
    }).catch(() => 'given up')
    await expect.poll(() => server.stats().inFlight).toBe(1)
    abort.abort()
    expect(await hanging).toBe('given up')
    await expect.poll(() => server.stats()).toMatchObject({ inFlight: 0, aborted: 1, answered: 0, faults: { hang: 1 } })
  })
  it('runs as a separate process and reports its statistics', async () => {
    const child = spawn(process.execPath, [
      fileURLToPath(new URL('model-server.ts', import.meta.url)),
      '{"tokenCount": 2}',
    ])
    const [line]: Buffer[] = await once(child.stdout, 'data')
    const baseUrl = line!.toString().trim()
    expect(await (await ask({ baseUrl }, 'hi')).text()).toContain('word2')
    expect(await (await fetch(baseUrl.replace('/v1', '/stats'))).json()).toMatchObject({ requests: 1, answered: 1 })
    child.kill()
  })
})
