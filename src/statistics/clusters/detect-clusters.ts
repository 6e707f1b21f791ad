import { createDisjointSets, type DisjointSets } from './disjoint-sets.ts'

/** Sets are joined if they share at least 2/5 of what is in either: in whole numbers, so that .4 is .4. */
const isSimilar = (shared: number, sizes: number): boolean => 5 * shared >= 2 * (sizes - shared)
const sharedNeeded = (sizes: number): number => Math.ceil((2 * sizes) / 7)

/** Counts what two ascending lists share; stops at what can no longer reach `needed`. */
function countShared(a: Uint32Array, b: Uint32Array, needed: number): number {
  let shared = 0
  let i = 0
  let j = 0
  while (i < a.length && j < b.length) {
    if (shared + Math.min(a.length - i, b.length - j) < needed) return shared
    const [left, right] = [a[i]!, b[j]!]
    if (left === right) shared++
    if (left <= right) i++
    if (right <= left) j++
  }
  return shared
}

/** Joins each set with the last before it that shares an element: most of what belongs together, in linear time. */
function joinNeighbours(sets: readonly Uint32Array[], count: number, { find, join }: DisjointSets): void {
  const last = new Int32Array(count).fill(-1)
  const triedBy = new Int32Array(sets.length).fill(-1)
  sets.forEach((set, index) => {
    for (const element of set) {
      const other = last[element]!
      last[element] = index
      if (other < 0 || triedBy[other] === index) continue
      triedBy[other] = index
      if (find(other) === find(index)) continue
      const sizes = set.length + sets[other]!.length
      if (isSimilar(countShared(set, sets[other]!, sharedNeeded(sizes)), sizes)) join(index, other)
    }
  })
}

/** The elements of each set that sets of other components have too: no others can join it with one of those. */
function keepOpen(sets: readonly Uint32Array[], count: number, { find }: DisjointSets): Uint32Array[] {
  const component = new Int32Array(count).fill(-1)
  const isOpen = new Uint8Array(count)
  sets.forEach((set, index) => {
    const own = find(index)
    for (const element of set) {
      if (component[element]! < 0) component[element] = own
      else if (component[element] !== own) isOpen[element] = 1
    }
  })
  return sets.map((set) => {
    const own = set.filter((element) => isOpen[element] === 1)
    return isSimilar(own.length, set.length + own.length) ? own : own.subarray(0, 0)
  })
}

/** Where each element occurs: the sets from `starts[element]` to `ends[element]` in `members`, ascending. */
function indexElements(sets: readonly Uint32Array[], count: number) {
  const starts = new Uint32Array(count + 1)
  for (const set of sets) for (const element of set) starts[element + 1]!++
  for (let element = 0; element < count; element++) starts[element + 1]! += starts[element]!
  return { starts, ends: starts.slice(0, count), members: new Uint32Array(starts[count]!) }
}

/**
 * Joins all sets with a Jaccard index of at least .4, by single linkage. Elements are numbers below `count`, ascending in
 * each set. Exact, with memory as long as the sets: what is in one component only is not looked at, and a set of which too
 * little is left has no partner elsewhere (the prefix filter of Bayardo, Ma and Srikant 2007, with the whole set as prefix).
 */
function joinSimilarSets(sets: readonly Uint32Array[], count: number, components: DisjointSets): void {
  joinNeighbours(sets, count, components)
  const open = keepOpen(sets, count, components)
  const { find, join } = components
  const { starts, ends, members } = indexElements(open, count)
  const shared = new Uint32Array(sets.length)
  const touched = new Uint32Array(sets.length)
  for (const [index, own] of open.entries()) {
    let touchedCount = 0
    for (const element of own) {
      const end = ends[element]!
      for (let place = starts[element]!; place < end; place++) {
        const other = members[place]!
        if (shared[other]!++ === 0) touched[touchedCount++] = other
      }
      members[end] = index
      ends[element] = end + 1
    }
    for (let position = 0; position < touchedCount; position++) {
      const other = touched[position]!
      if (isSimilar(shared[other]!, sets[index]!.length + sets[other]!.length) && find(other) !== find(index))
        join(index, other)
      shared[other] = 0
    }
  }
}
const NUMBER = /\p{N}+(?:[.,]\p{N}+)*/gu

/** A word, `#` being a number. In scripts without blanks words are not known: there a character is one. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[[\p{L}\p{M}#]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]]+/gv

const GRAM_LENGTH = 3

/** Gives each different value a number, from 1. */
function createNumbering<Value>(): { numberOf(value: Value): number; count(): number } {
  const numbers = new Map<Value, number>()
  return {
    numberOf: (value) => {
      const known = numbers.get(value)
      if (known !== undefined) return known
      numbers.set(value, numbers.size + 1)
      return numbers.size
    },
    count: () => numbers.size,
  }
}

function readWords(text: string): string[] {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll(NUMBER, '#')
  return plain.match(WORD) ?? []
}

/**
 * The different 3-grams of the words of each text, as numbers from 0: those of fewer texts have lower numbers, and each
 * list ascends. A text of fewer words is one gram; 3-grams in more than half of the texts are left out.
 */
function readGrams(texts: readonly string[]): { grams: Uint32Array[]; count: number } {
  const words = createNumbering<string>()
  const wordsOf = texts.map((text) => readWords(text).map((word) => words.numberOf(word)))
  const size = words.count() + 1
  const pairs = createNumbering<number>()
  const triples = createNumbering<number>()
  const triplesOf = wordsOf.map((own) => {
    const found = new Set<number>()
    // 0 stands for a word that a short text lacks.
    const last = own.length === 0 ? 0 : Math.max(1, own.length - GRAM_LENGTH + 1)
    for (let start = 0; start < last; start++) {
      const pair = pairs.numberOf(own[start]! * size + (own[start + 1] ?? 0))
      found.add(triples.numberOf(pair * size + (own[start + 2] ?? 0)))
    }
    return found
  })
  const frequency = new Uint32Array(triples.count() + 1)
  for (const own of triplesOf) for (const triple of own) frequency[triple]!++
  const kept = Uint32Array.from(frequency.keys()).filter(
    (triple) => triple > 0 && frequency[triple]! * 2 <= texts.length,
  )
  kept.sort((a, b) => frequency[a]! - frequency[b]! || a - b)
  const rank = new Int32Array(frequency.length).fill(-1)
  kept.forEach((triple, index) => (rank[triple] = index))
  const grams = triplesOf.map((own) =>
    Uint32Array.from(Array.from(own, (triple) => rank[triple]!).filter((gram) => gram >= 0)).sort(),
  )
  return { grams, count: kept.length }
}

/**
 * Prompts that look like variants of one template, by their 3-grams of words with numbers left open: a cluster number for
 * each prompt, in order of first appearance. A template of more than half of the prompts is the suite's form, not a cluster;
 * the same prompt twice always is one. Paraphrases are not found.
 */
export function detectClusters(prompts: readonly string[]): number[] {
  prompts.forEach((prompt: unknown, index) => {
    if (typeof prompt !== 'string') throw new RangeError(`prompts[${index}] is ${typeof prompt}: it must be a text.`)
  })
  const components = createDisjointSets(prompts.length)
  const seen = new Map<string, number>()
  prompts.forEach((prompt, index) => {
    const text = prompt.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()
    if (text === '') return
    const earlier = seen.get(text)
    if (earlier === undefined) seen.set(text, index)
    else components.join(earlier, index)
  })
  const { grams, count } = readGrams(prompts)
  joinSimilarSets(grams, count, components)
  const numbers = new Map<number, number>()
  return prompts.map((_, index) => {
    const root = components.find(index)
    if (!numbers.has(root)) numbers.set(root, numbers.size)
    return numbers.get(root)!
  })
}
