import { readFileSync } from 'node:fs'
import { calcPrice } from '@pydantic/genai-prices'
import { describe, expect, it } from 'vitest'
import { toDollars } from '../contract/index.ts'
import { priceUsage } from '../services/requesting/price.ts'
import { findTablePrice, priceTable } from './price-table.ts'

const at = new Date('2026-11-01T12:00:00Z')

describe('the price table', () => {
  it('is the installed one: with another version, write its date too (npm view @pydantic/genai-prices time)', () => {
    const file = new URL('../../node_modules/@pydantic/genai-prices/package.json', import.meta.url)
    expect(JSON.parse(readFileSync(file, 'utf8')).version).toBe(priceTable.version)
  })
  // The package's own calculation is the source of truth: cached, tiered and dated prices, one request at a time.
  it.each([
    ['openai', 'gpt-4o', 2006, 300, 1920],
    ['anthropic', 'claude-sonnet-4-5', 1000, 200, 0],
    ['anthropic', 'claude-sonnet-4-5', 250_000, 200, 100_000],
    ['google', 'gemini-2.5-pro', 200_000, 1000, 0],
    ['google', 'gemini-2.5-pro', 200_001, 1000, 50_000],
    ['xai', 'grok-4', 1200, 80, 100],
    ['deepseek', 'deepseek-chat', 1200, 80, 100],
    ['groq', 'llama-3.3-70b-versatile', 1200, 80, 0],
    ['mistral', 'mistral-large-latest', 1200, 80, 0],
    ['bedrock', 'anthropic.claude-sonnet-4-5-20250929-v1:0', 1200, 80, 100],
  ])('prices a request to %s/%s with %i and %i tokens, %i of them cached', (vendor, model, input, output, cached) => {
    const price = findTablePrice(model, { vendor }, at)
    expect(price?.from).toContain(priceTable.date)
    const usage = { promptTokens: input, completionTokens: output, tokenDetails: { cachedPrompt: cached } }
    const providerId = { bedrock: 'aws', xai: 'x-ai' }[vendor] ?? vendor
    const expected = calcPrice({ input_tokens: input, output_tokens: output, cache_read_tokens: cached }, model, {
      providerId,
      timestamp: at,
    })
    expect(toDollars(priceUsage(usage, price!))).toBeCloseTo(expected!.total_price, 10)
  })
  it('knows a vendor by its address, and nothing of other servers, whatever their models are called', () => {
    expect(findTablePrice('gpt-4o', { address: 'https://api.openai.com/v1' }, at)).toMatchObject({ prompt: 2.5e-6 })
    expect(findTablePrice('gpt-4o', { address: 'http://127.0.0.1:8000/v1' }, at)).toBeUndefined()
    expect(findTablePrice('gpt-4o', {}, at)).toBeUndefined()
    expect(findTablePrice('no-such-model', { vendor: 'openai' }, at)).toBeUndefined()
  })
})
