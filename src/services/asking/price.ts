import { toMoney, type Money } from '../../contract/index.ts'

export interface Price {
  /** US dollars per token. */
  prompt: number
  completion: number
}

/** (prompt tokens × prompt price) + (completion tokens × completion price). */
export function priceTokens(promptTokens: number, completionTokens: number, price: Price): Money {
  return BigInt(promptTokens) * toMoney(price.prompt) + BigInt(completionTokens) * toMoney(price.completion)
}
