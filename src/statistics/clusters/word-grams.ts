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
export function readGrams(texts: readonly string[]): { grams: Uint32Array[]; count: number } {
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
