/**
 * How many pairs of `models` models can be equal at once, in all ways to share them out into groups of equal ones: 3
 * models have 3 equal pairs, 1 or none, never 2.
 */
function countEqualPairs(models: number): ReadonlySet<number> {
  const possible: Set<number>[] = [new Set([0])]
  for (let count = 1; count <= models; count++) {
    const sums = new Set<number>()
    for (let group = 1; group <= count; group++)
      for (const others of possible[count - group]!) sums.add((group * (group - 1)) / 2 + others)
    possible.push(sums)
  }
  return possible[models]!
}

/**
 * The most pairs that can still be equal when all but `undecided` pairs are known to differ: the number by which alpha
 * is shared for the next decision (Shaffer, JASA 81, 1986). Holm's procedure would take `undecided` itself.
 */
export function createPairLimit(models: number): (undecided: number) => number {
  const possible = [...countEqualPairs(models)].toSorted((a, b) => b - a)
  return (undecided) => possible.find((pairs) => pairs <= undecided) ?? 0
}
