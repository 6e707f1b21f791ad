import { indexClusters, type Clusters } from '../clusters/clustered-moments.ts'
import { checkNumbers, checkWhole } from '../numbers/check-arguments.ts'
import { createRandom } from '../numbers/random.ts'
import { relativeWeights } from '../numbers/relative-weights.ts'
import { sameScoreTolerance } from '../numbers/weighted-moments.ts'

export interface SignFlipOptions {
  weights?: readonly number[]
  /** Signs are flipped by whole clusters. */
  clusters?: Clusters | undefined
  random?: () => number
  permutations?: number
  exactUpTo?: number
}

export interface SignFlipTest {
  pValue: number
  /** Flips that tie with the observed sum count half; 1 if the sum is 0. */
  midP: number
  exact: boolean
  permutations: number
}

/** Signs per table look-up, and signs per draw. */
const tableBits = 8
const tableSize = 1 << tableBits
const bitsDrawn = 32
const tablesDrawn = bitsDrawn / tableBits
const fixedSeed = 20_100_101
const maxExact = 30

/**
 * The two-sided sign-flip permutation test of a mean difference of 0, with the statistic |Σwds|/Σw over signs s
 * (Fisher, The Design of Experiments, 1935, § 21). Tries all 2ⁿ sign vectors up to `exactUpTo` differences or clusters of
 * them; above that, random ones with p = (b+1)/(B+1) (Phipson & Smyth, 2010), and for the mid-p with ½ of ties and of the
 * observed signs themselves. Without `random` the seed is fixed: same data, same p.
 */
export function signFlipTest(differences: readonly number[], options: SignFlipOptions = {}): SignFlipTest {
  const { weights, clusters, random, permutations = 10_000, exactUpTo = 15 } = options
  checkNumbers(differences, 'differences')
  checkWhole(permutations, 1, 'permutations')
  checkWhole(exactUpTo, 0, 'exactUpTo')
  if (exactUpTo > maxExact) throw new RangeError(`exactUpTo is ${exactUpTo}: at most ${maxExact} can be enumerated.`)

  const relative = relativeWeights(differences.length, weights)
  const total = relative.reduce((sum, weight) => sum + weight, 0)
  const { indices, count: n } = indexClusters(differences.length, clusters)
  const terms = new Float64Array(n)
  for (const [i, weight] of relative.entries()) terms[indices[i]!]! += (weight * differences[i]!) / total
  const tables = tabulateSignedSums(terms)
  const largest = differences.reduce((max, difference) => Math.max(max, Math.abs(difference)), 1)
  // Flips that tie with the observed sum in exact arithmetic must count as ties, however their sums round.
  const tolerance = sameScoreTolerance * largest
  const observed = Math.abs(terms.reduce((sum, term) => sum + term, 0))
  const limits: Limits = { atLeast: observed - tolerance, above: observed + tolerance }

  if (n <= exactUpTo) {
    const { atLeast, above } = countExactly(tables, n, limits)
    const midP = observed <= tolerance ? 1 : (atLeast + above) / 2 ** (n + 1)
    return { pValue: atLeast / 2 ** n, midP, exact: true, permutations: 2 ** n }
  }
  const { atLeast, above } = countRandomly({ tables, random, permutations, limits })
  return {
    pValue: (atLeast + 1) / (permutations + 1),
    midP: observed <= tolerance ? 1 : ((atLeast + above) / 2 + 0.5) / (permutations + 1),
    exact: false,
    permutations,
  }
}

/** The observed sum with its rounding; and how many sums reach and pass it. */
interface Limits {
  atLeast: number
  above: number
}

/**
 * One table of 256 signed sums for every 8 terms, padded to whole draws: flipping 1,000 signs then takes 125 look-ups
 * instead of 1,000 additions.
 */
function tabulateSignedSums(terms: Float64Array): Float64Array {
  const tables = new Float64Array(Math.ceil(terms.length / bitsDrawn) * tablesDrawn * tableSize)
  for (let group = 0; group * tableBits < terms.length; group++) {
    const table = tables.subarray(group * tableSize, (group + 1) * tableSize)
    const members = terms.subarray(group * tableBits, (group + 1) * tableBits)
    // Built from the sums of the previous terms, so that each sum is added up term by term from the first.
    for (let bit = 0; bit < tableBits; bit++) {
      const term = members[bit] ?? 0
      for (let signs = (1 << bit) - 1; signs >= 0; signs--) {
        table[signs | (1 << bit)] = table[signs]! + term
        table[signs] = table[signs]! - term
      }
    }
  }
  return tables
}

function countExactly(tables: Float64Array, n: number, limits: Limits): Limits {
  const groups = Math.ceil(n / tableBits)
  const count: Limits = { atLeast: 0, above: 0 }
  // The last sign is fixed: flipping all signs gives the same statistic, so each vector counts twice.
  for (let signs = 0; signs < 2 ** (n - 1); signs++) {
    let sum = 0
    for (let i = 0; i < groups; i++) sum += tables[i * tableSize + ((signs >>> (i * tableBits)) & 255)]!
    if (Math.abs(sum) >= limits.atLeast) count.atLeast += 2
    if (Math.abs(sum) > limits.above) count.above += 2
  }
  return count
}

interface RandomCount {
  tables: Float64Array
  /** If undefined, the seed is fixed. */
  random: (() => number) | undefined
  permutations: number
  limits: Limits
}

/** Sign vectors summed at a time. */
const blockSize = 1000

/**
 * Goes table by table within each block: going vector by vector would fetch every table from memory for every vector.
 * The signs and the order of additions are the same as vector by vector, so p is too.
 */
function countRandomly({ tables, random, permutations, limits }: RandomCount): Limits {
  const words = tables.length / (tablesDrawn * tableSize)
  const drawBlock = random ? createDrawing(random, words) : cachedDrawing(words, permutations)
  const sums = new Float64Array(blockSize)
  const count: Limits = { atLeast: 0, above: 0 }
  for (let start = 0; start < permutations; start += blockSize) {
    const size = Math.min(blockSize, permutations - start)
    const signs = drawBlock(start, size)
    sums.fill(0)
    for (let word = 0; word < words; word++)
      addSignedSums(
        sums,
        signs.subarray(word * size, (word + 1) * size),
        tables.subarray(word * 1024, (word + 1) * 1024),
      )
    for (let vector = 0; vector < size; vector++) {
      const sum = Math.abs(sums[vector]!)
      if (sum >= limits.atLeast) count.atLeast++
      if (sum > limits.above) count.above++
    }
  }
  return count
}

/** Adds the next 32 signed terms to the sum of each sign vector, using the next four tables. */
function addSignedSums(sums: Float64Array, signs: Uint32Array, tables: Float64Array): void {
  for (let vector = 0; vector < signs.length; vector++) {
    const bits = signs[vector]!
    sums[vector] =
      sums[vector]! +
      tables[bits & 255]! +
      tables[256 | ((bits >>> 8) & 255)]! +
      tables[512 | ((bits >>> 16) & 255)]! +
      tables[768 | (bits >>> 24)]!
  }
}

/** The signs of `size` vectors from `start`: the first 32 of each, then the next 32 of each. */
type Drawing = (start: number, size: number) => Uint32Array

function createDrawing(random: () => number, words: number): Drawing {
  const signs = new Uint32Array(words * blockSize)
  return (_start, size) => {
    for (let vector = 0; vector < size; vector++)
      for (let word = 0; word < words; word++) signs[word * size + vector] = random() * 4_294_967_296
    return signs
  }
}

/** 16 MB: enough for 13,000 differences. */
const maxCachedWords = 1 << 22
let cached: { words: number; permutations: number; signs: Uint32Array } | undefined

/** The signs of the fixed seed, cached for tests of the same size: drawing takes longer than summing. */
function cachedDrawing(words: number, permutations: number): Drawing {
  const draw = createDrawing(createRandom(fixedSeed), words)
  if (words * permutations > maxCachedWords) return draw
  if (cached?.words !== words || cached.permutations !== permutations) {
    const signs = new Uint32Array(words * permutations)
    for (let start = 0; start < permutations; start += blockSize) {
      const size = Math.min(blockSize, permutations - start)
      signs.set(draw(start, size).subarray(0, words * size), start * words)
    }
    cached = { words, permutations, signs }
  }
  const { signs } = cached
  return (start, size) => signs.subarray(start * words, (start + size) * words)
}
