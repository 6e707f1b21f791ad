import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { Client, ModelAnswer, RequestMessage } from '../contract/index.ts'
import { createAnthropicClient } from './anthropic.ts'
import { createBedrockClient } from './bedrock.ts'
import { createGoogleClient } from './google.ts'
import { createOpenAICompatibleClient } from './openai-compatible.ts'

const cleanUp: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const undo of cleanUp.splice(0).toReversed()) await undo()
})

const apiKey = 'vendor-key-0123456789'
const clients = {
  openai: (baseUrl: string) => createOpenAICompatibleClient({ provider: 'endpoint', baseUrl, apiKey }),
  anthropic: (baseUrl: string) => createAnthropicClient({ apiKey, baseUrl }),
  google: (baseUrl: string) => createGoogleClient({ apiKey, baseUrl }),
  bedrock: (baseUrl: string) => createBedrockClient({ apiKey, region: 'us-east-1', baseUrl }),
} satisfies Record<string, (baseUrl: string) => Client>

const tools = [
  {
    name: 'get_order',
    description: 'Read an order.',
    parameters: { type: 'object', properties: { order_id: { type: 'string' } }, required: ['order_id'] },
  },
]
const question: RequestMessage[] = [
  { role: 'system', content: 'You work for a shop.' },
  { role: 'user', content: 'Where is my order?' },
]

/** Asks twice: with the tools, and then with the answer and the replies of its calls. Returns what was sent the second time. */
async function talk(vendor: keyof typeof clients, fixture: string): Promise<{ answer: ModelAnswer; sent: string }> {
  const body = readFileSync(new URL(`fixtures/${fixture}`, import.meta.url))
  const isWhole = fixture.endsWith('.json')
  const bodies: string[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (piece) => (text += String(piece)))
    request.on('end', () => {
      bodies.push(text)
      response.writeHead(200, { 'content-type': isWhole ? 'application/json' : 'text/event-stream' }).end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = clients[vendor](`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  cleanUp.push(() => client.close().then(() => server.close()))
  const request = { modelId: 'm', parameters: {}, tools, stream: !isWhole }
  const answer = await client.complete({ ...request, messages: question })
  const { response: content, toolCalls = [], opaque } = answer
  const replies = toolCalls.map(({ id, name }, index): RequestMessage => ({
    role: 'tool',
    content: `reply ${index}`,
    name,
    ...(id !== undefined && { toolCallId: id }),
    isError: index === 1,
  }))
  // What is stored is JSON.
  const kept: unknown = JSON.parse(JSON.stringify(opaque ?? null))
  await client.complete({
    ...request,
    messages: [...question, { role: 'assistant', content, toolCalls, opaque: kept }, ...replies],
  })
  return { answer, sent: bodies[1]! }
}

const call = (id: string, order: string) => ({ id, name: 'get_order', arguments: { order_id: order } })

// The formats are those of each vendor's reference, November 2026.
describe.each<[keyof typeof clients, string, object, readonly string[]]>([
  [
    'openai',
    'openai-tool-calls.txt',
    {
      toolCalls: [
        { id: 'call_a1', name: 'get_weather', arguments: { city: 'Oslo' } },
        { id: 'call_b2', name: 'get_time', arguments: '{"zone": CET' },
      ],
    },
    [
      '{"role":"assistant","content":null,"tool_calls":[{"id":"call_a1","type":"function","function":{"name":"get_weather","arguments":"{\\"city\\":\\"Oslo\\"}"}},{"id":"call_b2","type":"function","function":{"name":"get_time","arguments":"{\\"zone\\": CET"}}]}',
      '{"role":"tool","tool_call_id":"call_a1","content":"reply 0"},{"role":"tool","tool_call_id":"call_b2","content":"reply 1"}',
    ],
  ],
  [
    'openai',
    'openrouter-reasoning-tools.txt',
    {
      response: 'I will look it up.',
      reasoning: 'The user wants the order.',
      toolCalls: [call('toolu_01A', 'W1')],
    },
    [
      '"content":"I will look it up.","reasoning_details":[{"format":"anthropic-claude-v1","index":0,"type":"reasoning.text","text":"The user wants the order.","signature":"ErUBCkYIBxgCIkD4aGVsbG8="},{"format":"openai-responses-v1","index":1,"id":"rs_0a1","type":"reasoning.encrypted","data":"gAAAAABo-opaque"}]',
    ],
  ],
  [
    'openai',
    'deepseek-reasoning-tools.json',
    { reasoning: 'I need the order first.', toolCalls: [call('call_00_x', 'W1')] },
    ['"reasoning_content":"I need the order first.","tool_calls":[{"id":"call_00_x"'],
  ],
  [
    'openai',
    'gemini-openai-signature.txt',
    { toolCalls: [call('function-call-1', 'W1')] },
    ['{"extra_content":{"google":{"thought_signature":"CrcBAXLI2nw="}},"id":"function-call-1"'],
  ],
  [
    'anthropic',
    'anthropic-parallel-tools.txt',
    {
      response: 'Let me look.',
      reasoning: 'Both can be read at once.',
      toolCalls: [call('toolu_01', 'W1'), call('toolu_02', 'W2')],
    },
    [
      '{"type":"thinking","thinking":"Both can be read at once.","signature":"EqoBCkgIBxABGAIiQ="},{"type":"redacted_thinking","data":"EmwKAhgBEgy3va3="},{"type":"text","text":"Let me look."},{"type":"tool_use","id":"toolu_01","name":"get_order","input":{"order_id":"W1"}}',
      '{"type":"tool_result","tool_use_id":"toolu_01","content":"reply 0"},{"type":"tool_result","tool_use_id":"toolu_02","content":"reply 1","is_error":true}',
    ],
  ],
  [
    'google',
    'google-signature-tools.txt',
    {
      reasoning: 'Reading the order first.',
      toolCalls: [
        { name: 'get_order', arguments: { order_id: 'W1' } },
        { name: 'get_order', arguments: { order_id: 'W2' } },
      ],
    },
    ['"thoughtSignature":"CtoBAXLI2nxh"', '"functionResponse"', '"reply 0"'],
  ],
  [
    'bedrock',
    'bedrock-tool-use.json',
    { response: 'One moment.', reasoning: 'The order decides.', toolCalls: [call('tooluse_kZJM', 'W1')] },
    [
      '{"reasoningContent":{"reasoningText":{"text":"The order decides.","signature":"YmVkcm9jay1zaWc="}}},{"text":"One moment."},{"toolUse":{"toolUseId":"tooluse_kZJM"',
      '"toolResult":{"toolUseId":"tooluse_kZJM"',
    ],
  ],
])('a conversation with tools through %s (%s)', (vendor, fixture, expected, echoed) => {
  it('has its calls read, and sends what the vendor wants back unchanged', async () => {
    const { answer, sent } = await talk(vendor, fixture)
    expect(answer).toMatchObject({ outcome: 'ok', ...expected })
    for (const part of echoed) expect(sent).toContain(part)
  })
})

describe('a message of an assistant', () => {
  it.each(['anthropic', 'google', 'bedrock'] as const)('may come first, for %s too', async (vendor) => {
    const body = { candidates: [], content: [], type: 'error', error: { type: 'invalid_request_error', message: 'x' } }
    let text = ''
    const server = createServer((request, response) => {
      request.on('data', (piece) => (text += String(piece)))
      request.on('end', () => response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(body)))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const client = clients[vendor](`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    cleanUp.push(() => client.close().then(() => server.close()))
    const messages: RequestMessage[] = [
      { role: 'assistant', content: 'Hi! How can I help you?' },
      { role: 'user', content: 'Cancel it.' },
    ]
    await client.complete({ modelId: 'm', messages, parameters: {}, stream: false }).catch(() => undefined)
    const first = text.indexOf('(The conversation begins.)')
    expect(first).toBeGreaterThan(0)
    expect(text.indexOf('How can I help')).toBeGreaterThan(first)
  })
})
