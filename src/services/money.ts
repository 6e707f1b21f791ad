/** Prices go down to fractions of a millionth of a dollar; 1e-12 dollars keeps every one of them whole. */
const UNITS_PER_DOLLAR = 1e12

/** An exact amount of money: whole units, so that a sum does not depend on its order. */
export type Money = bigint

export function toMoney(dollars: number): Money {
  return BigInt(Math.round(dollars * UNITS_PER_DOLLAR))
}

export function toDollars(money: Money): number {
  return Number(money) / UNITS_PER_DOLLAR
}

export interface Price {
  /** US dollars for one token. */
  prompt: number
  completion: number
}

/** (prompt tokens × prompt price) + (completion tokens × completion price). */
export function priceTokens(promptTokens: number, completionTokens: number, price: Price): Money {
  return BigInt(promptTokens) * toMoney(price.prompt) + BigInt(completionTokens) * toMoney(price.completion)
}
