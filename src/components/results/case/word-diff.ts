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

/** For both texts together. A longer diff would block the page for too long. */
export const MAX_DIFF_LENGTH = 200_000
/** Longer texts are compared by line instead of by word. */
const MAX_WORD_DIFF_LENGTH = 40_000
const MAX_EDITS = 4_000
/** The page is blocked for at most this long. */
const TIMEOUT_MS = 150

function toParts(changes: Change[]): DiffPart[] {
  return changes.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value,
  }))
}

/** With less in common, marks would hide both texts. */
const LEAST_SHARED = 0.3

/** How much of both texts is the same, 0 to 1. Spaces are in every text. */
function sharedPart(parts: readonly DiffPart[]): number {
  let [same, all] = [0, 0]
  for (const { kind, text } of parts) {
    const length = text.replaceAll(/\s+/g, '').length * (kind === 'same' ? 2 : 1)
    all += length
    if (kind === 'same') same += length
  }
  return all === 0 ? 1 : same / all
}

function judgeDiff(kind: 'words' | 'lines', changes: Change[]): TextDiff {
  const parts = toParts(changes)
  return sharedPart(parts) < LEAST_SHARED ? { kind: 'too-different' } : { kind, parts }
}

/**
 * The diff of the expected output and the answer: by word, or by line if that takes too long. None if they share less
 * than 30 %.
 */
export function diffTexts(expected: string, answer: string, timeout = TIMEOUT_MS): TextDiff {
  const limits = { maxEditLength: MAX_EDITS, timeout }
  if (expected === answer) return { kind: 'same' }
  const length = expected.length + answer.length
  if (length > MAX_DIFF_LENGTH) return { kind: 'too-long' }
  const byWords = length <= MAX_WORD_DIFF_LENGTH ? diffWordsWithSpace(expected, answer, limits) : undefined
  if (byWords) return judgeDiff('words', byWords)
  const byLines = diffLines(expected, answer, limits)
  return byLines ? judgeDiff('lines', byLines) : { kind: 'too-different' }
}
