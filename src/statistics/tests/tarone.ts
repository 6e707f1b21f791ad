/**
 * How many tests count in a Bonferroni correction if each test has a smallest p that it can reach (Tarone 1990): those that
 * could never be significant do not. At least 1.
 */
export function countTestable(smallestPs: readonly number[], level: number): number {
  for (let count = 1; count < smallestPs.length; count += 1)
    if (smallestPs.filter((p) => p <= level / count).length <= count) return count
  return Math.max(1, smallestPs.length)
}
