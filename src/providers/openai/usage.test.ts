import { expect, it } from 'vitest'
import { readTokens } from './usage.ts'

it('OpenAI: cached and reasoning tokens are parts of the counts', () => {
  const usage = {
    prompt_tokens: 2006,
    completion_tokens: 300,
    total_tokens: 2306,
    prompt_tokens_details: { cached_tokens: 1920 },
    completion_tokens_details: { reasoning_tokens: 256 },
  }
  expect(readTokens(usage)).toEqual({
    promptTokens: 2006,
    completionTokens: 300,
    tokenDetails: { cachedPrompt: 1920, reasoning: 256 },
  })
})
it('xAI: reasoning tokens come on top of the completion, as its total says', () => {
  const usage = {
    prompt_tokens: 32,
    completion_tokens: 9,
    total_tokens: 135,
    completion_tokens_details: { reasoning_tokens: 94 },
  }
  expect(readTokens(usage)).toEqual({ promptTokens: 32, completionTokens: 103, tokenDetails: { reasoning: 94 } })
})
it('DeepSeek: tokens from its cache have a field of their own', () => {
  const usage = { prompt_tokens: 100, completion_tokens: 5, prompt_cache_hit_tokens: 64, prompt_cache_miss_tokens: 36 }
  expect(readTokens(usage).tokenDetails).toEqual({ cachedPrompt: 64 })
})
it('says nothing of details that are 0 or absent', () => {
  const usage = { prompt_tokens: 3, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 0 } }
  expect(readTokens(usage)).toEqual({ promptTokens: 3, completionTokens: 1 })
  expect(readTokens(undefined)).toEqual({})
})
