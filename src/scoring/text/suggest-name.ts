import { distance } from 'fastest-levenshtein'

/** More than this many typos, or a third of the word, is another word. */
const MAX_TYPOS = 2

/** More names that are equally near are a guess. */
const MAX_MEANT = 3

const sortLetters = (word: string) => [...word].toSorted().join('')

/** Two letters in the wrong order are one typo. */
function countTypos(word: string, other: string): number {
  const typos = distance(word, other)
  return typos === 2 && sortLetters(word) === sortLetters(other) ? 1 : typos
}

/** The names nearest to a misspelt one, if it is near enough to be meant: `run or resume`; undefined otherwise. */
export function suggestName(word: string, names: Iterable<string>): string | undefined {
  const lower = word.toLowerCase()
  const near = [...new Set(names)]
    .filter((name) => name !== word && Math.abs(name.length - word.length) <= MAX_TYPOS)
    .map((name) => ({ name, typos: countTypos(name.toLowerCase(), lower) }))
    .filter(({ typos }) => typos <= Math.min(MAX_TYPOS, Math.max(1, Math.round(word.length / 3))))
  const least = Math.min(...near.map(({ typos }) => typos))
  const meant = near.filter(({ typos }) => typos === least).map(({ name }) => name)
  return meant.length === 0 || meant.length > MAX_MEANT ? undefined : meant.join(' or ')
}

/** ` Did you mean run?`, to follow a sentence; nothing if no name is near. */
export function askIfMeant(word: string, names: Iterable<string>): string {
  const meant = suggestName(word, names)
  return meant === undefined ? '' : `\nDid you mean ${meant}?`
}
