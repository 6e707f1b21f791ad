import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { createOpenRouterClient } from './openrouter.ts'

const fixture = (name: string): string => readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8')

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

it('lists models with prices in dollars per token, and applies the list to requests', async () => {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    if (request.url === '/api/v1/models') return response.end(fixture('openrouter-models.json'))
    let body = ''
    request.on('data', (piece: Buffer) => (body += piece.toString()))
    request.on('end', () => {
      bodies.push(body)
      response.end(fixture('openrouter-stream.txt'))
    })
    return undefined
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const client = createOpenRouterClient({
    apiKey: 'sk-or-v1-0123456789',
    baseUrl: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/api/v1`,
  })
  closing.push(client.close, async () => void server.close())
  const models = await client.listModels()
  expect(models).toMatchObject([
    {
      id: 'openai/gpt-4o-mini',
      name: 'OpenAI: GPT-4o-mini',
      contextLength: 128_000,
      promptPrice: 1.5e-7,
      completionPrice: 6e-7,
      cachedPromptPrice: 7.5e-8,
      takesImages: true,
    },
    { id: 'openai/o4-mini', promptPrice: 1.1e-6, takesImages: false },
    { id: 'openrouter/auto' },
    { id: 'meta-llama/llama-3.2-3b-instruct:free', promptPrice: 0, completionPrice: 0 },
  ])
  expect(models[2]).not.toHaveProperty('promptPrice')
  const answer = await client.complete({
    modelId: 'openai/o4-mini',
    messages: [{ role: 'user', content: 'Hello?' }],
    parameters: { temperature: 0, maxTokens: 9 },
    responseSchema: { name: 'x', schema: {} },
  })
  expect(answer).toMatchObject({ response: 'Canberra', cost: 0.0001342, leftOut: ['temperature'] })
  expect(JSON.parse(bodies.find((body) => body !== '')!)).toMatchObject({
    max_completion_tokens: 9,
    response_format: { type: 'json_schema' },
    usage: { include: true },
  })
})
