/**
 * Dollars as whole numbers of 1e-12, so that sums are exact. The twelfth decimal is a hundred-thousandth of the price
 * of the cheapest token there is; what is finer is rounded.
 */
export function toPicodollars(dollars: number): bigint {
  return BigInt(dollars.toFixed(12).replace('.', ''))
}

/** The nearest number: by way of decimal digits, because a sum may pass 2^53. */
export function fromPicodollars(picodollars: bigint): number {
  const digits = picodollars.toString().padStart(13, '0')
  return Number(`${digits.slice(0, -12)}.${digits.slice(-12)}`)
}
