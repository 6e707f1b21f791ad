import { checkNumbers, checkWhole } from './checks.ts'
import { createRandom } from './random.ts'
import { relativeWeights } from './relative-weights.ts'
import { sameScoreTolerance } from './tolerance.ts'

export interface SignFlipOptions {
  weights?: number[]
  random?: () => number
  permutations?: number
  exactUpTo?: number
}

export interface SignFlipTest {
  pValue: number
  exact: boolean
  permutations: number
}

/** Signs summed per table look-up. */
const tableBits = 8
const mostExact = 30

/**
 * The two-sided sign-flip permutation test of a mean difference of 0, with the statistic |Σwds|/Σw over signs s
 * (Fisher, The Design of Experiments, 1935, § 21). All 2ⁿ sign vectors up to `exactUpTo` differences; beyond, random
 * ones with p = (b+1)/(B+1) (Phipson & Smyth, 2010). Without `random` the seed is fixed: same data, same p.
 */
export function signFlipTest(differences: number[], options: SignFlipOptions = {}): SignFlipTest {
  const { weights, random = createRandom(20_100_101), permutations = 10_000, exactUpTo = 15 } = options
  checkNumbers(differences, 'differences')
  checkWhole(permutations, 1, 'permutations')
  checkWhole(exactUpTo, 0, 'exactUpTo')
  if (exactUpTo > mostExact) throw new RangeError(`exactUpTo is ${exactUpTo}: at most ${mostExact} can be enumerated.`)

  const n = differences.length
  const relative = relativeWeights(n, weights)
  const total = relative.reduce((sum, weight) => sum + weight, 0)
  const terms = relative.map((weight, i) => (weight * differences[i]!) / total)
  const tables = tabulateSignedSums(terms)
  const largest = differences.reduce((most, difference) => Math.max(most, Math.abs(difference)), 1)
  // Flips that tie with the observed in exact arithmetic must count, whichever way their sums round.
  const threshold = Math.abs(terms.reduce((sum, term) => sum + term, 0)) - sameScoreTolerance * largest

  if (n <= exactUpTo) {
    const count = countExactly(tables, n, threshold)
    return { pValue: count / 2 ** n, exact: true, permutations: 2 ** n }
  }
  const count = countRandomly({ tables, random, permutations, threshold })
  return { pValue: (count + 1) / (permutations + 1), exact: false, permutations }
}

/** For every 8 terms, their 256 signed sums: a flip of 1,000 signs then takes 125 look-ups, not 1,000 additions. */
function tabulateSignedSums(terms: Float64Array): Float64Array[] {
  const tables: Float64Array[] = []
  for (let start = 0; start < terms.length; start += tableBits) {
    const group = terms.subarray(start, start + tableBits)
    const table = new Float64Array(1 << tableBits)
    for (let signs = 0; signs < table.length; signs++) {
      let sum = 0
      for (let bit = 0; bit < group.length; bit++) sum += (signs >> bit) & 1 ? group[bit]! : -group[bit]!
      table[signs] = sum
    }
    tables.push(table)
  }
  return tables
}

function countExactly(tables: Float64Array[], n: number, threshold: number): number {
  let count = 0
  // The last sign stays put: turning all signs round gives the same statistic, so half of them count twice.
  for (let signs = 0; signs < 2 ** (n - 1); signs++) {
    let sum = 0
    for (let i = 0; i < tables.length; i++) sum += tables[i]![(signs >>> (i * tableBits)) & 255]!
    if (Math.abs(sum) >= threshold) count += 2
  }
  return count
}

interface RandomCount {
  tables: Float64Array[]
  random: () => number
  permutations: number
  threshold: number
}

function countRandomly({ tables, random, permutations, threshold }: RandomCount): number {
  let count = 0
  for (let permutation = 0; permutation < permutations; permutation++) {
    let sum = 0
    let bits = 0
    for (let i = 0; i < tables.length; i++) {
      bits = i % 4 === 0 ? (random() * 4_294_967_296) >>> 0 : bits >>> tableBits
      sum += tables[i]![bits & 255]!
    }
    if (Math.abs(sum) >= threshold) count++
  }
  return count
}
