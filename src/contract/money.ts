/**
 * An exact amount of money: whole numbers of 1e-12 dollars, so that a sum does not depend on its order. The twelfth decimal
 * is a hundred-thousandth of the price of the cheapest token there is; what is finer is rounded.
 */
export type Money = bigint

/** Beyond this, digits run out and `toFixed` turns to exponents; nobody pays so much. */
const MOST_DOLLARS = 1e15

export function toMoney(dollars: number): Money {
  if (!(dollars >= 0 && dollars < MOST_DOLLARS))
    throw new RangeError(`${dollars} is no amount of dollars that can be counted.`)
  return BigInt(dollars.toFixed(12).replace('.', ''))
}

/** The nearest number: by way of decimal digits, because a sum may pass 2^53. */
export function toDollars(money: Money): number {
  const digits = money.toString().padStart(13, '0')
  return Number(`${digits.slice(0, -12)}.${digits.slice(-12)}`)
}

/** 0.1 + 0.2 is 0.3. */
export function sumDollars(amounts: Iterable<number>): number {
  let total = 0n
  for (const amount of amounts) total += toMoney(amount)
  return toDollars(total)
}
