/**
 * An exact amount of money in units of 1e-12 dollars, so that a sum does not depend on its order. Smaller fractions are
 * rounded: the cheapest token costs about 100,000 units.
 */
export type Money = bigint

/** Above this, a double lacks digits and `toFixed` eventually returns exponents. */
const MAX_DOLLARS = 1e15

export function toMoney(dollars: number): Money {
  if (!(dollars >= 0 && dollars < MAX_DOLLARS)) throw new RangeError(`${dollars} is not a valid amount of dollars.`)
  // oxlint-disable-next-line house/no-number-format -- Digits for a calculation; nobody sees them.
  return BigInt(dollars.toFixed(12).replace('.', ''))
}

/** The nearest number. Goes through decimal digits, because a sum may exceed 2^53. */
export function toDollars(money: Money): number {
  const digits = money.toString().padStart(13, '0')
  return Number(`${digits.slice(0, -12)}.${digits.slice(-12)}`)
}

/** Exact: 0.1 + 0.2 is 0.3. */
export function sumDollars(amounts: Iterable<number>): number {
  let total = 0n
  for (const amount of amounts) total += toMoney(amount)
  return toDollars(total)
}

/** The price of one token, from that of a million. 0.15 / 1e6 is 1.5000000000000002e-7. */
export function perToken(dollarsPerMillion: number): number {
  // oxlint-disable-next-line house/no-number-format -- Rounds a number; nobody sees the text.
  return Number((dollarsPerMillion / 1_000_000).toPrecision(15))
}
