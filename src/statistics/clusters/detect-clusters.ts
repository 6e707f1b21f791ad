import { createDisjointSets } from './disjoint-sets.ts'
import { joinSimilarSets } from './join-similar-sets.ts'
import { readGrams } from './word-grams.ts'

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
