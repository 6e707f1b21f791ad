import type { ModelAnswer, TokenDetails } from '../../contract/index.ts'
import { get, numberOf } from '../http/json-values.ts'

type Tokens = Pick<ModelAnswer, 'promptTokens' | 'completionTokens' | 'tokenDetails'>

/**
 * Reads the usage of a chat completion. Cached and reasoning tokens are details of the counts, not additions, with one
 * exception: xAI's `completion_tokens` leaves the reasoning out, which shows in its `total_tokens`.
 */
export function readTokens(usage: unknown): Tokens {
  const promptTokens = numberOf(get(usage, 'prompt_tokens'))
  const completion = numberOf(get(usage, 'completion_tokens'))
  const total = numberOf(get(usage, 'total_tokens'))
  const promptDetails = get(usage, 'prompt_tokens_details')
  // DeepSeek has `prompt_cache_hit_tokens`.
  const cachedPrompt =
    numberOf(get(promptDetails, 'cached_tokens')) ?? numberOf(get(usage, 'prompt_cache_hit_tokens')) ?? 0
  // OpenRouter reports what it wrote to a vendor's cache.
  const cacheWrite = numberOf(get(promptDetails, 'cache_write_tokens')) ?? 0
  const reasoning = numberOf(get(get(usage, 'completion_tokens_details'), 'reasoning_tokens')) ?? 0
  const isReasoningApart =
    reasoning > 0 &&
    promptTokens !== undefined &&
    completion !== undefined &&
    total === promptTokens + completion + reasoning
  const completionTokens = isReasoningApart ? completion + reasoning : completion
  const details = withoutZeros({ cachedPrompt, cacheWrite, reasoning })
  return {
    ...(promptTokens !== undefined && { promptTokens }),
    ...(completionTokens !== undefined && { completionTokens }),
    ...(details && { tokenDetails: details }),
  }
}

/** Undefined if every count is 0. */
export function withoutZeros(details: TokenDetails): TokenDetails | undefined {
  const counts = Object.entries(details).filter(([, tokens]) => tokens !== undefined && tokens !== 0)
  return counts.length === 0 ? undefined : Object.fromEntries(counts)
}
