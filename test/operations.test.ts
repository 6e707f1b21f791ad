import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, it } from 'vitest'
import { DURATION_BUCKETS, TOKEN_BUCKETS } from '../src/operations/telemetry.ts'
import { startCollector } from './fakes/collector.ts'
import { startModelServer, type ChatRequest } from './fakes/model-server.ts'
import { killServers, startProgram } from './fakes/server-process.ts'

const KEY = 'sk-canary-key-0123456789'
const folder = mkdtempSync(join(tmpdir(), 'benchmaker-operations-'))
const suite = {
  name: 'Canaries',
  testCases: ['answered', 'refused'].map((id) => ({
    id,
    prompt: `canary-prompt ${id}`,
    scoringMethod: 'exact-match',
    expectedOutput: 'canary-answer',
  })),
}
const suiteFile = join(folder, 'suite.json')
writeFileSync(suiteFile, JSON.stringify(suite))

/** Refuses one case, and echoes the key and the prompt like a careless provider. */
const models = await startModelServer({
  answer: () => 'canary-answer',
  cost: 0.001,
  reply: ({ prompt, headers }: ChatRequest) =>
    prompt.includes('refused')
      ? {
          status: 400,
          headers: { 'content-type': 'application/json' },
          pieces: [JSON.stringify({ error: { message: `bad prompt "${prompt}" of ${headers['authorization']}` } })],
        }
      : undefined,
})
const collector = await startCollector()
afterEach(killServers)
afterAll(async () => {
  await Promise.all([models.close(), collector.close()])
  rmSync(folder, { recursive: true, force: true })
})

const env = {
  BENCHMAKER_API_KEY: KEY,
  BENCHMAKER_LOG: 'json',
  BENCHMAKER_LOG_LEVEL: 'debug',
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer canary-collector-token',
  OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
}

const data = join(folder, 'data')

function run(args: string[], more: NodeJS.ProcessEnv = {}) {
  const all = ['run', suiteFile, '--models', 'm', '--base-url', models.baseUrl, '--data', data, ...args]
  return startProgram(all, { ...env, ...more })
}

const parseLog = (text: string): Record<string, unknown>[] =>
  text.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))

it('a run in the terminal is logged and traced by the conventions for generative AI, without its texts', async () => {
  const program = run(['--temperature', '0.5'])
  expect(await program.ended).toBe(3)

  const log = parseLog(program.err())
  expect(log.map(({ event }) => event)).toEqual(
    expect.arrayContaining(['run started', 'request ended', 'request failed', 'run finished']),
  )
  expect(log.at(-1)).toMatchObject({
    level: 'info',
    event: 'run finished',
    status: 'completed',
    scored: 1,
    failed: 1,
    requests: 2,
    failedRequests: 1,
    cost: 0.001,
  })

  const spans = collector.spans()
  const root = spans.find(({ name }) => name === 'run')!
  expect(root).toMatchObject({
    kind: 1,
    attributes: { 'benchmaker.run.status': 'completed', 'benchmaker.run.cells': 2 },
  })
  expect(root.parentSpanId).toBeUndefined()
  expect(spans.every(({ traceId }) => traceId === root.traceId)).toBe(true)
  const cells = spans.filter(({ name }) => name === 'cell')
  expect(cells.map(({ parentSpanId }) => parentSpanId)).toEqual([root.spanId, root.spanId])
  const calls = spans.filter(({ name }) => name === 'chat m')
  const cellOf = (outcome: string) =>
    cells.find(({ attributes }) => attributes['benchmaker.cell.outcome'] === outcome)?.spanId
  const answered = calls.find(({ attributes }) => attributes['error.type'] === undefined)!
  const { 'gen_ai.provider.name': provider } = answered.attributes
  expect(provider).toEqual(expect.any(String))
  // Kind 3 is CLIENT.
  expect(answered).toMatchObject({ kind: 3, parentSpanId: cellOf('scored') })
  expect(answered.attributes).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.system': provider,
    'gen_ai.request.model': 'm',
    'gen_ai.response.model': 'm',
    'server.address': '127.0.0.1',
    'server.port': expect.any(Number),
    'gen_ai.request.temperature': 0.5,
    'gen_ai.request.max_tokens': 2048,
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.usage.input_tokens': expect.any(Number),
    'gen_ai.usage.output_tokens': expect.any(Number),
    'benchmaker.call.purpose': 'answer',
  })
  expect(calls.find((call) => call !== answered)).toMatchObject({
    status: { code: 2 },
    attributes: { 'error.type': '400', 'gen_ai.request.model': 'm' },
    parentSpanId: cellOf('failed'),
  })

  const points = collector.points()
  const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': provider, 'gen_ai.request.model': 'm' }
  expect(points).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        metric: 'gen_ai.client.operation.duration',
        unit: 's',
        bounds: DURATION_BUCKETS,
        count: 1,
        attributes: expect.objectContaining({ ...attributes, 'error.type': '400' }),
      }),
      ...['input', 'output'].map((type) =>
        expect.objectContaining({
          metric: 'gen_ai.client.token.usage',
          unit: '{token}',
          bounds: TOKEN_BUCKETS,
          count: 1,
          sum: answered.attributes[`gen_ai.usage.${type}_tokens`],
          attributes: expect.objectContaining({ ...attributes, 'gen_ai.token.type': type }),
        }),
      ),
    ]),
  )
  expect(collector.resources()).toContainEqual(
    expect.objectContaining({ 'service.name': 'benchmaker', 'deployment.environment.name': 'test' }),
  )
  expect(new Set(collector.bodies.map(({ path }) => path))).toEqual(new Set(['/v1/traces', '/v1/metrics']))
  // The table for people shows the error of the provider; log and telemetry do not.
  const logLines = log.map((line) => JSON.stringify(line)).join('\n')
  expect(logLines + JSON.stringify(collector.bodies.map(({ text }) => text))).not.toContain('canary-')
  expect(collector.bodies[0]?.headers['authorization']).toBe('Bearer canary-collector-token')
})

it('prompts and answers are sent only to those who ask for them', async () => {
  const before = collector.bodies.length
  const program = run(['--filter', 'answered'], {
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_SERVICE_NAME: 'bench-team',
  })
  expect(await program.ended).toBe(0)
  const call = collector.spans().findLast(({ name }) => name === 'chat m')!
  expect(JSON.parse(String(call.attributes['gen_ai.input.messages']))).toEqual([
    { role: 'user', parts: [{ type: 'text', content: 'canary-prompt answered' }] },
  ])
  expect(JSON.parse(String(call.attributes['gen_ai.output.messages']))).toEqual([
    { role: 'assistant', parts: [{ type: 'text', content: 'canary-answer' }], finish_reason: 'stop' },
  ])
  expect(collector.bodies.slice(before).map(({ path }) => path)).toEqual(['/v1/traces'])
  expect(collector.resources().at(-1)).toMatchObject({ 'service.name': 'bench-team' })
})

it('a collector that cannot be reached changes nothing; another protocol is refused with words', async () => {
  const deaf = run(['--filter', 'answered'], { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
  const grpc = run(['--dry-run'], { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })
  expect(await deaf.ended).toBe(0)
  expect(await grpc.ended).toBe(2)
  expect(grpc.err()).toContain(
    'OTEL_EXPORTER_OTLP_PROTOCOL is grpc: Benchmaker sends http/json, which collectors accept on port 4318',
  )
})

it('a server logs each request by its pattern, and never keys, sessions, prompts, answers or what a provider says', async () => {
  const server = startProgram(['serve', '--port', '0', '--no-open', '--data', data], env)
  const web = await server.enter()
  expect((await web.ask('/api/app')).headers.get('x-request-id')).toMatch(/^[0-9a-f]{16}$/)
  const { id } = await web.read<{ id: string }>('/api/suites', { suite })
  // The terminal was given the key for this address, so the server may use it too.
  const asked = { suiteId: id, models: ['m'], endpoint: models.baseUrl }
  const { runId } = await web.read<{ runId: string }>('/api/runs', asked)
  await expect.poll(() => server.err()).toContain('"event":"run finished"')
  await web.ask(`/api/runs/${runId}/label?token=canary-token-in-a-query`)
  await web.ask('/api/runs/canary-unknown/label')
  const named = await fetch(`${web.origin}/api/app`, {
    headers: { 'x-request-id': 'proxy-request-77', authorization: 'Bearer canary-bearer', cookie: 'x=canary-cookie' },
  })
  expect(named.headers.get('x-request-id')).toBe('proxy-request-77')
  await fetch(`${web.origin}/api/runs`, { method: 'POST', body: 'canary-body' })
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)

  const log = parseLog(server.err())
  const requests = log.filter(({ event }) => event === 'request')
  expect(requests).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ method: 'POST', route: '/api/suites', status: 201, level: 'info' }),
      expect.objectContaining({ method: 'GET', route: '/api/runs/:id/label', status: 200, ms: expect.any(Number) }),
      expect.objectContaining({ method: 'GET', route: '/api/runs/:id/label', status: 404 }),
      expect.objectContaining({ id: 'proxy-request-77', status: 401 }),
    ]),
  )
  expect(log).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ event: 'server started', storage: 'sqlite' }),
      expect.objectContaining({ event: 'run started', run: runId, cells: 2 }),
      expect.objectContaining({ event: 'run finished', run: runId, status: 'completed', failed: 1 }),
      expect.objectContaining({ event: 'request refused', status: 415, code: 'content-type' }),
      expect.objectContaining({ event: 'server stopped' }),
    ]),
  )
  // Every line of stderr is one of the log.
  expect(log).toHaveLength(server.err().trimEnd().split('\n').length)
  expect(server.err()).not.toContain('canary-')
  expect(server.err()).not.toContain(new URL(/http\S+/.exec(server.out())![0]).searchParams.get('token'))
})

it('without the variables nothing is logged', async () => {
  const server = startProgram(['serve', '--port', '0', '--no-open', '--data', join(folder, 'quiet')], {})
  const web = await server.enter()
  expect((await web.ask('/api/app')).status).toBe(200)
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  expect(server.err()).toBe('')
})
