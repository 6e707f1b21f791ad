/**
 * Holm's step-down adjustment: the i-th smallest of m p-values times m − i + 1, never below the previous one, at most 1
 * (Holm, Scandinavian Journal of Statistics 6, 1979). Keeps the order; NaN stays NaN and does not count as a test.
 */
export function adjustHolm(pValues: number[]): number[] {
  const adjusted = pValues.map(() => NaN)
  const order = [...pValues.keys()].filter((index) => !Number.isNaN(pValues[index]))
  order.sort((a, b) => pValues[a]! - pValues[b]!)
  let floor = 0
  for (const [step, index] of order.entries()) {
    const pValue = pValues[index]!
    if (pValue < 0 || pValue > 1) throw new RangeError(`pValues[${index}] is ${pValue}: it must be between 0 and 1.`)
    floor = Math.max(floor, Math.min(1, pValue * (order.length - step)))
    adjusted[index] = floor
  }
  return adjusted
}
