import { diffLines, diffWordsWithSpace, type Change } from 'diff'

interface DiffPart {
  kind: 'same' | 'added' | 'removed'
  text: string
}

export type TextDiff =
  | { kind: 'words' | 'lines'; parts: DiffPart[] }
  | { kind: 'same' }
  | { kind: 'too-long' }
  | { kind: 'too-different' }

/** Beyond this, both together, a diff would hold the page for longer than it is worth. */
export const LONGEST_DIFFED = 200_000
/** By words only up to here; longer texts go by lines. */
const LONGEST_BY_WORDS = 40_000
const MOST_EDITS = 4_000
/** The page stands still for so long at most. */
const PATIENCE_MS = 150

function toParts(changes: Change[]): DiffPart[] {
  return changes.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value,
  }))
}

/** How an answer differs from what was expected: by words, by lines where that is too much, or not at all. */
export function diffTexts(expected: string, answer: string, timeout = PATIENCE_MS): TextDiff {
  const limits = { maxEditLength: MOST_EDITS, timeout }
  if (expected === answer) return { kind: 'same' }
  const length = expected.length + answer.length
  if (length > LONGEST_DIFFED) return { kind: 'too-long' }
  const byWords = length <= LONGEST_BY_WORDS ? diffWordsWithSpace(expected, answer, limits) : undefined
  if (byWords) return { kind: 'words', parts: toParts(byWords) }
  const byLines = diffLines(expected, answer, limits)
  return byLines ? { kind: 'lines', parts: toParts(byLines) } : { kind: 'too-different' }
}
