import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { Suite } from '../src/contract/index.ts'
import { createOpenAICompatibleClient } from '../src/providers/openai-compatible.ts'
import { createScoring } from '../src/scoring/index.ts'
import { executeRun, type EngineTools } from '../src/services/run-with-client.ts'
import type { RunEvent } from '../src/services/index.ts'
import { openStorage } from '../src/storage/index.ts'
import { startModelServer, type ChatRequest, type ScriptedReply } from './fakes/model-server.ts'

const CASES = 40
const suite: Suite = {
  name: 'Absent',
  testCases: Array.from({ length: CASES }, (_, index) => ({
    id: `c${index}`,
    prompt: `Question ${index}`,
    scoringMethod: 'exact-match',
    expectedOutput: 'yes',
    weight: 1,
  })),
}

const cleanUp: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const undo of cleanUp.splice(0).toReversed()) await undo()
})

async function createTools(): Promise<EngineTools> {
  let ids = 0
  let time = 1000
  const storage = await openStorage({ file: ':memory:' })
  cleanUp.push(() => storage.close())
  return {
    storage,
    scoring: createScoring({ scoreInWorker: () => Promise.reject(new Error('not here')), random: Math.random }),
    // Long enough that other cells fail meanwhile, as in a real wait.
    clock: { now: () => ++time, sleep: () => new Promise((resolve) => setTimeout(resolve, 20)) },
    random: () => 0.5,
    createId: () => `run-${++ids}`,
    countTokens: (text) => text.length,
    versions: {},
  }
}

/** Runs the model "odd" beside "good", and counts what each was sent. */
async function runBeside(reply: (request: ChatRequest) => ScriptedReply | undefined, concurrency = 5) {
  const sent: ChatRequest[] = []
  const server = await startModelServer({
    answer: () => 'yes',
    reply(request) {
      sent.push(request)
      return request.model === 'odd' ? reply(request) : undefined
    },
  })
  cleanUp.push(() => server.close())
  const client = createOpenAICompatibleClient({ provider: 'lab', baseUrl: server.baseUrl, apiKey: 'sk-1' })
  cleanUp.push(() => client.close())
  const events: RunEvent[] = []
  const tools = await createTools()
  const run = await executeRun(
    { suite, models: ['good', 'odd'], client, concurrency, onEvent: (event) => events.push(event) },
    tools,
  )
  const scored = (model: string) => run.results.filter(({ modelId, score }) => modelId === model && score).length
  return {
    run,
    scored,
    requests: sent.filter(({ model }) => model === 'odd').length,
    refused: events.find((event) => event.type === 'provider-refused'),
    open: (await tools.storage.loadOpenCells('run-1')).length,
  }
}

const json = (status: number, body: unknown): ScriptedReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  pieces: [JSON.stringify(body)],
})
const text = (body: string, type = 'text/plain'): ScriptedReply => ({
  headers: { 'content-type': type },
  pieces: [body],
})
const missing = (status: number, message: string) => json(status, { error: { message } })

describe('a model that is clearly not there', () => {
  it.each([
    ['OpenAI', missing(404, 'The model `odd` does not exist or you do not have access to it.')],
    ['Ollama', missing(404, 'model "odd" not found, try pulling it first')],
    ['Anthropic', json(404, { type: 'error', error: { type: 'not_found_error', message: 'model: odd' } }), 12],
    ['Google', missing(404, 'models/odd is not found for API version v1beta, or is not supported for generateContent')],
    ['OpenRouter', missing(400, 'odd is not a valid model ID')],
    ['Mistral', missing(400, 'Invalid model: odd')],
    ['DeepSeek', missing(400, 'Model Not Exist')],
    ['Perplexity', missing(400, "Invalid model 'odd'. Permitted models can be found in the documentation")],
    ['LiteLLM', missing(400, 'Invalid model name passed in model=odd')],
    ['Bedrock', json(400, { message: 'The provided model identifier is invalid.' })],
    ['Groq', missing(400, 'The model `odd` has been decommissioned and is no longer supported.')],
    ['Hugging Face', missing(400, "The requested model 'odd' is not supported by any provider you have enabled.")],
    ['an error within 200', json(200, { error: { message: 'model odd not found' } })],
    ['a server error', missing(500, 'could not load model: model "odd" not found')],
    ['a wrong address', { status: 404, pieces: ['<html><title>Not Found</title></html>'] }, 12],
    ['a redirect', { status: 302, headers: { location: 'https://example.com/' }, pieces: [] }],
  ])('gets a few requests in the whole run: %s', async (_vendor, reply, most = 8) => {
    const { run, scored, requests, refused, open } = await runBeside(() => reply)
    expect(scored('good')).toBe(CASES)
    expect(requests).toBeLessThanOrEqual(most)
    expect(refused).toMatchObject({ models: ['odd'] })
    expect(run).toMatchObject({ status: 'failed', stopReason: 'provider' })
    expect(open).toBeGreaterThanOrEqual(CASES - most)
  })
})

describe('an endpoint that does not speak the protocol', () => {
  it.each([
    ['HTML', text('<!doctype html><title>Welcome</title>', 'text/html')],
    ['plain text', text('It works!')],
    ['JSON without choices', json(200, { ok: true })],
    ['a list', json(200, [1, 2])],
    ['cut JSON', text('{"choices":[{"message":{"content":"ye', 'application/json')],
    ['NaN', text('{"choices":[{"message":{"content":NaN}}]}', 'application/json')],
    // It may be only streams that it cannot send, so each cell that has begun is tried without one.
    ['nothing', { pieces: [] }, 20],
  ])('gets a few requests in the whole run: %s', async (_kind, reply, most = 13) => {
    for (const concurrency of [1, 5]) {
      const { run, scored, requests, refused } = await runBeside(() => reply, concurrency)
      expect(scored('good')).toBe(CASES)
      expect(requests).toBeLessThanOrEqual(most)
      expect(refused).toMatchObject({ models: ['odd'] })
      expect(run).toMatchObject({ status: 'failed', stopReason: 'provider' })
    }
  })

  it('goes on with a model that answers, whatever else it sends in between', async () => {
    const asked = new Set<string>()
    const html = text('<html></html>', 'text/html')
    const { run, scored } = await runBeside(({ prompt }) => {
      const isFirst = !asked.has(prompt)
      asked.add(prompt)
      return isFirst && Number(prompt.replace(/\D+/, '')) % 3 === 1 ? html : undefined
    })
    expect(run.status).toBe('completed')
    expect(scored('odd')).toBe(CASES)
  })

  it('goes on with a server that sends whole answers and cuts streams', async () => {
    const { run, scored } = await runBeside(({ stream }) =>
      stream ? text('data: {"choices":[{"delta":{"content":"y"}}]}\n\n', 'text/event-stream') : undefined,
    )
    expect(run.status).toBe('completed')
    expect(scored('odd')).toBe(CASES)
  })

  it('goes on when one case alone is refused, such as by a filter of prompts', async () => {
    const page = text('<html>blocked</html>', 'text/html')
    const { run, scored } = await runBeside(({ prompt }) => (prompt === 'Question 0' ? page : undefined), 1)
    expect(run.status).toBe('completed')
    expect(scored('odd')).toBe(CASES - 1)
  })
})

describe('an address where nothing listens', () => {
  /** A server on a port of its own that can be stopped and started again. */
  async function serveOn(port: number) {
    const server = createServer((request, response) => {
      request
        .resume()
        .once('end', () =>
          response
            .writeHead(200, { 'content-type': 'application/json', connection: 'close' })
            .end('{"choices":[{"message":{"content":"yes"},"finish_reason":"stop"}]}'),
        )
    }).listen(port, '127.0.0.1')
    await once(server, 'listening')
    const close = async () => {
      server.closeAllConnections()
      if (server.listening) await new Promise((resolve) => server.close(resolve))
    }
    cleanUp.push(close)
    return { port: (server.address() as AddressInfo).port, close }
  }

  async function run(port: number, onEvent: (event: RunEvent) => void = () => {}) {
    const client = createOpenAICompatibleClient({ provider: 'lab', baseUrl: `http://127.0.0.1:${port}/v1` })
    cleanUp.push(() => client.close())
    const events: RunEvent[] = []
    const result = await executeRun(
      {
        suite,
        models: ['m'],
        client,
        concurrency: 5,
        onEvent(event) {
          events.push(event)
          onEvent(event)
        },
      },
      await createTools(),
    )
    return { result, failed: events.filter(({ type }) => /^(?:attempt|cell)-failed$/.test(type)).length }
  }

  it('gets a few requests in the whole run', async () => {
    const { port, close } = await serveOn(0)
    await close()
    const { result, failed } = await run(port)
    expect(result).toMatchObject({ status: 'failed', stopReason: 'provider' })
    expect(failed).toBeLessThanOrEqual(20)
  })

  it('is tried again after it had answered, as when a server restarts', async () => {
    const first = await serveOn(0)
    let failures = 0
    let restarted: Promise<unknown> | undefined
    const { result, failed } = await run(first.port, (event) => {
      if (event.type === 'cell-scored') void first.close()
      if (event.type === 'attempt-failed' && ++failures === 5) restarted = serveOn(first.port)
    })
    await restarted
    expect(failed).toBeGreaterThanOrEqual(5)
    expect(result.status).toBe('completed')
    expect(result.results.filter(({ score }) => score).length).toBe(CASES)
  })
})
