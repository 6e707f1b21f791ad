import { createHash } from 'node:crypto'
import { LETTERS } from './options.ts'

/**
 * The right option among the wrong ones, in an order that depends on the texts alone: datasets that list the right one
 * first would give it away, and another order at each import would make two suites of one.
 */
export function mixOptions(right: string, wrong: readonly string[]): { texts: string[]; letter: string } {
  const rank = (text: string) => createHash('sha256').update(`${right}\n${text}`).digest('hex')
  const texts = [...new Set([right, ...wrong])]
    .map((text) => ({ text, rank: rank(text) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ text }) => text)
  return { texts, letter: LETTERS[texts.indexOf(right)]! }
}
