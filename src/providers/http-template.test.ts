import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { requestTemplateSchema, type ModelRequest } from '../contract/index.ts'
import { createClient } from './create-client.ts'
import { createConnectGuard } from './http/connect-guard.ts'
import { createClients } from './resolve-client.ts'

const KEY = 'secret-of-the-lab-0123456789'
const reply = { output: { parts: [{ text: 'Canberra' }] }, meter: { in: 7, out: '2' } }
const template = requestTemplateSchema.parse({
  headers: { 'X-Api-Key': '{{key}}' },
  body: '{"question": "Q: {{prompt}}", "rules": "{{system}}", "cfg": {"t": {{temperature}}, "n": {{ maxTokens }}}, "m": "{{model}}"}',
  answer: 'output.parts[0].text',
  promptTokens: 'meter.in',
  completionTokens: 'meter.out',
})
const request: ModelRequest = {
  modelId: 'large',
  messages: [
    { role: 'system', content: 'Be "brief".' },
    { role: 'user', content: 'Say "hi"\n{{model}} \\ $& ü' },
  ],
  parameters: { temperature: 0, maxTokens: 64 },
}

let url = ''
let arrived: { method: string; url: string; headers: IncomingHttpHeaders; body: string }[] = []
let answer: (response: ServerResponse) => void
const server = createServer((incoming, response) => {
  let body = ''
  incoming.on('data', (chunk) => (body += String(chunk)))
  incoming.on('end', () => {
    arrived.push({ method: incoming.method!, url: incoming.url!, headers: incoming.headers, body })
    answer(response)
  })
})
const send = (text: string, status = 200) => {
  answer = (response) => void response.writeHead(status).end(text)
}

beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
})
afterAll(() => void server.close())
beforeEach(() => {
  arrived = []
  send(JSON.stringify(reply))
})

function open(changes: Record<string, unknown> = {}, path = '/ask?v=1', options = {}) {
  const read = requestTemplateSchema.parse({ ...template, ...changes })
  return createClient({ provider: 'lab', baseUrl: `${url}${path}`, apiKey: KEY, template: read, ...options })
}

const bodyOf = (index = 0): unknown => JSON.parse(arrived[index]!.body)

describe('an endpoint with a template', () => {
  it('gets the question escaped as JSON, parameters as numbers, and the key in its header', async () => {
    const got = await open().complete(request)
    expect(arrived).toMatchObject([
      { method: 'POST', url: '/ask?v=1', headers: { 'x-api-key': KEY, 'content-type': 'application/json' } },
    ])
    expect(arrived[0]!.headers).not.toHaveProperty('authorization')
    expect(bodyOf()).toEqual({
      question: 'Q: Say "hi"\n{{model}} \\ $& ü',
      rules: 'Be "brief".',
      cfg: { t: 0, n: 64 },
      m: 'large',
    })
    expect(got).toMatchObject({
      outcome: 'ok',
      response: 'Canberra',
      promptTokens: 7,
      completionTokens: 2,
      sent: { temperature: 0, maxTokens: 64 },
    })
    expect(got.latencyMs).toBeGreaterThan(0)
  })
  it('leaves out fields without a value, and says which parameters have no place', async () => {
    const messages = [{ role: 'user' as const, content: 'hi' }]
    const got = await open().complete({ ...request, messages, parameters: { topP: 0.5 } })
    expect(bodyOf()).toEqual({ question: 'Q: hi', cfg: {}, m: 'large' })
    expect(got.leftOut).toEqual(['topP'])
  })
  it('puts the system prompt before the question if it has no other place', async () => {
    await open({ body: '{"q": "{{prompt}}"}' }).complete(request)
    expect(bodyOf()).toMatchObject({ q: expect.stringMatching(/^Be "brief"\.\n\nSay "hi"/) })
  })
  it('takes whole conversations as messages; one that would lose its beginning is not sent', async () => {
    const turns = [...request.messages, { role: 'assistant' as const, content: 'hi' }, request.messages[1]!]
    await open({ body: '{"messages": {{messages}}}' }).complete({ ...request, messages: turns })
    expect(bodyOf()).toEqual({ messages: turns })
    await open({ body: '{"messages": "{{messages}}", "system": "{{system}}"}' }).complete({
      ...request,
      messages: turns,
    })
    expect(bodyOf(1)).toEqual({ messages: turns.slice(1), system: 'Be "brief".' })
    await expect(open().complete({ ...request, messages: turns })).rejects.toThrow('no {{messages}}')
    expect(arrived).toHaveLength(2)
  })
  it('can be asked by address, with the values encoded', async () => {
    const get = { method: 'GET', body: undefined, headers: undefined, answer: undefined }
    send('plain text')
    const messages = [{ role: 'user' as const, content: 'a&b=c d' }]
    const client = open(get, '/models/{{model}}/run?q={{prompt}}')
    expect(await client.complete({ ...request, modelId: 'org/large', messages })).toMatchObject({
      response: 'plain text',
    })
    expect(arrived).toMatchObject([
      {
        method: 'GET',
        url: '/models/org/large/run?q=a%26b%3Dc%20d',
        body: '',
        headers: { authorization: `Bearer ${KEY}` },
      },
    ])
    await expect(client.complete({ ...request, modelId: '../admin', messages })).rejects.toThrow('another address')
    expect(arrived).toHaveLength(1)
  })
  it.each([
    [{ a: ['x'] }, 'a[0]', 'x'],
    [{ a: ['x', 'y'] }, '$.a.1', 'y'],
    [{ 'a.b': { 'c d': 1.5 } }, '[\'a.b\']["c d"]', '1.5'],
    [{ a: { label: 'spam' } }, 'a', '{"label":"spam"}'],
    [
      {
        a: [
          { type: 'text', text: 'x' },
          { type: 'text', text: 'y' },
        ],
      },
      'a',
      'xy',
    ],
    [{ a: false }, 'a', 'false'],
    [{ a: null }, 'a', ''],
  ])('reads %j at %s', async (body, path, response) => {
    send(JSON.stringify(body))
    expect(await open({ answer: path }).complete(request)).toMatchObject({
      response,
      outcome: response === '' ? 'empty' : 'ok',
    })
  })
  it('names the fields of a reply that has no answer at the path, and does not retry it', async () => {
    send(JSON.stringify({ ...reply, [KEY]: 1 }))
    const error = await open({ answer: 'choices[0].text' })
      .complete(request)
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ kind: 'broken', retryable: false })
    expect(String(error)).toContain(
      'The reply of lab has no choices[0].text: it has output.parts[0].text, meter.in, meter.out',
    )
    expect(String(error)).not.toContain(KEY)
    // Fields that every object inherits are no answers.
    await expect(open({ answer: 'constructor.name' }).complete(request)).rejects.toThrow('has no constructor.name')
  })
  it.each([
    ['<html><title>Login</title></html>', 200, 'returned a web page instead of JSON'],
    ['oops', 200, 'did not return JSON: oops'],
    ['', 200, 'did not return JSON: the reply is empty'],
    ['{"error": {"message": "out of memory"}}', 200, 'lab returned error: out of memory'],
    [`{"error": {"message": "bad key ${KEY}"}}`, 401, 'lab returned error 401: bad key [key]. Check the API key.'],
    ['boom', 500, 'lab returned error 500: boom'],
  ])('reports %j with status %d', async (text, status, message) => {
    send(text, status)
    const error = await open()
      .complete(request)
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'ClientError', ...(status !== 200 && { status }) })
    expect(String(error)).toContain(message)
  })
  it('removes its key from answers, and follows no redirect', async () => {
    send(JSON.stringify({ output: { parts: [{ text: `your key is ${KEY}` }] } }))
    expect(await open().complete(request)).toMatchObject({ response: 'your key is [key]' })
    answer = (response) => void response.writeHead(307, { location: `${url}/other` }).end()
    await expect(open().complete(request)).rejects.toThrow(`it redirects to ${url}/other`)
    expect(arrived).toHaveLength(2)
  })
  it('ends a reply that is too large', async () => {
    const piece = 'x'.repeat(1024 * 1024)
    answer = (response) => {
      response.write('{"output": "')
      const more = () => {
        while (!response.destroyed && response.write(piece));
      }
      response.on('drain', more)
      more()
    }
    await expect(open().complete(request)).rejects.toThrow('more than 32 MiB')
  })
  it('is refused inside the network like any other', async () => {
    await expect(open({}, '/ask', { guard: createConnectGuard() }).complete(request)).rejects.toThrow(
      'belongs to this machine',
    )
    expect(arrived).toEqual([])
  })
  it('is not sent without the key that a header needs, nor with tools', async () => {
    await expect(open({}, '/ask', { apiKey: undefined }).complete(request)).rejects.toThrow(
      'its header X-Api-Key needs',
    )
    const tools = [{ name: 'f', parameters: {} }]
    await expect(open().complete({ ...request, tools })).rejects.toThrow('cannot be sent tools')
    expect(arrived).toEqual([])
  })
  it('is found by its name, lists one model unless it names them, and has no embeddings', async () => {
    const one = requestTemplateSchema.parse({ body: '{"q": "{{prompt}}"}', answer: 'output.parts[0].text' })
    const clients = createClients({ env: {}, endpoints: [{ name: 'bot', baseUrl: `${url}/ask`, template: one }] })
    const client = clients.clientFor('bot/default')
    expect(await client.listModels()).toEqual([{ id: 'bot/default' }])
    expect(await client.complete({ ...request, modelId: 'bot/default' })).toMatchObject({ response: 'Canberra' })
    expect(() => client.checkModel?.('bot/default', 'embeddings')).toThrow('no embeddings')
    expect(await open().listModels()).toEqual([])
    expect(open().address).not.toBe(open({ answer: 'other' }).address)
    await clients.close()
  })
})

describe('a template', () => {
  it.each([
    [{ body: '{"q": {{question}}}' }, 'unknown variable {{question}}'],
    [{ body: '{"q": {{prompt}}' }, 'is not JSON'],
    [{ body: '{"q": "{{prompt}}"}', method: 'GET' }, 'is not sent with GET'],
    [{ headers: { 'x-api-key': 'abc' } }, 'x-api-key may hold a key'],
    [{ headers: { 'x-trace': 'sk-abcdefghijklmnop' } }, 'x-trace may hold a key'],
    [{ headers: { 'x-user': '{{prompt}}' } }, 'headers may have {{key}} only'],
    [{ answer: 'a..b[' }, 'is no path'],
  ])('%j is refused', (value, message) => {
    const { error } = requestTemplateSchema.safeParse(value)
    expect(error?.issues.map((issue) => issue.message).join()).toContain(message)
  })
})
