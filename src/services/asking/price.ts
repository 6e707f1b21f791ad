import { toMoney, type Money, type TokenPrice } from '../../contract/index.ts'

export type Price = TokenPrice

/** (prompt tokens × prompt price) + (completion tokens × completion price). */
export function priceTokens(promptTokens: number, completionTokens: number, price: Price): Money {
  return BigInt(promptTokens) * toMoney(price.prompt) + BigInt(completionTokens) * toMoney(price.completion)
}
