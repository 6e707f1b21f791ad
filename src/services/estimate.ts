import type { ModelRequest, Money } from '../contract/index.ts'
import { priceTokens, type Price } from './asking/price.ts'

/** What chat formats add around each message. */
const TOKENS_PER_MESSAGE = 4

/** Taken for an image of unknown size. */
const TOKENS_PER_IMAGE = 1000

const DEFAULT_MAX_TOKENS = 2048

function countPrompt({ messages, tools }: ModelRequest, countTokens: (text: string) => number): number {
  const texts = messages.reduce((sum, { content }) => {
    if (typeof content === 'string') return sum + TOKENS_PER_MESSAGE + countTokens(content)
    return content.reduce(
      (inner, part) => inner + (part.type === 'text' ? countTokens(part.text) : TOKENS_PER_IMAGE),
      sum + TOKENS_PER_MESSAGE,
    )
  }, 0)
  return texts + (tools ? countTokens(JSON.stringify(tools)) : 0)
}

/** What a request may cost at most: its prompt, and as many tokens as the answer may have. Undefined without a price. */
export function createEstimator(prices: ReadonlyMap<string, Price> | undefined, countTokens: (text: string) => number) {
  return (request: ModelRequest): Money | undefined => {
    const price = prices?.get(request.modelId)
    if (!price) return undefined
    return priceTokens(countPrompt(request, countTokens), request.parameters.maxTokens ?? DEFAULT_MAX_TOKENS, price)
  }
}
