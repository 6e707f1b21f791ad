import { toMoney, type ModelAnswer, type Money, type TokenPrice } from '../../contract/index.ts'

export type Price = TokenPrice

/**
 * What writing to a prompt cache costs, as multiples of the prompt price, unless a price is known. Anthropic, "Prompt
 * caching", pricing: 1.25 × for five minutes, 2 × for an hour.
 */
const CACHE_WRITE = 1.25
const CACHE_WRITE_HOUR = 2

/** The prices for a request of this length: vendors price the whole request by the tier that its prompt reaches. */
function tierOf({ tiers = [], ...base }: Price, promptTokens: number): Price {
  return tiers.findLast(({ above }) => promptTokens > above) ?? base
}

/** (prompt tokens × prompt price) + (completion tokens × completion price). */
export function priceTokens(promptTokens: number, completionTokens: number, given: Price): Money {
  const price = tierOf(given, promptTokens)
  return BigInt(promptTokens) * toMoney(price.prompt) + BigInt(completionTokens) * toMoney(price.completion)
}

type Usage = Required<Pick<ModelAnswer, 'promptTokens' | 'completionTokens'>> & Pick<ModelAnswer, 'tokenDetails'>

/**
 * Prices the tokens as vendors do: those read from or written to the vendor's cache are part of the prompt tokens and
 * have prices of their own; reasoning tokens are part of the completion tokens and mostly cost the same.
 */
export function priceUsage({ promptTokens, completionTokens, tokenDetails = {} }: Usage, given: Price): Money {
  const { cachedPrompt = 0, cacheWrite = 0, cacheWriteHour = 0, reasoning = 0 } = tokenDetails
  const price = tierOf(given, promptTokens)
  const { prompt, cachedPrompt: readPrice = prompt, cacheWrite: writePrice = prompt * CACHE_WRITE } = price
  const { completion, reasoning: reasoningPrice = completion } = price
  const apart =
    BigInt(cachedPrompt) * toMoney(readPrice) +
    BigInt(cacheWrite) * toMoney(writePrice) +
    // Only the price of five minutes can be set; both are multiples of the same price.
    BigInt(cacheWriteHour) * toMoney((writePrice / CACHE_WRITE) * CACHE_WRITE_HOUR)
  const plainPrompt = BigInt(promptTokens - cachedPrompt - cacheWrite - cacheWriteHour) * toMoney(prompt)
  const answer =
    BigInt(completionTokens - reasoning) * toMoney(completion) + BigInt(reasoning) * toMoney(reasoningPrice)
  return apart + plainPrompt + answer
}
