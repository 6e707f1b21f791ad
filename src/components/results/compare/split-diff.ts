import type { TextDiff } from '../case/word-diff.ts'

interface MarkedPart {
  text: string
  /** Only in this text. */
  isOwn: boolean
}

/** Both texts of a diff, each with the parts that the other does not have. */
export function splitDiff(diff: Extract<TextDiff, { parts: unknown }>): { a: MarkedPart[]; b: MarkedPart[] } {
  const without = (other: 'added' | 'removed') =>
    diff.parts.flatMap(({ kind, text }) => (kind === other ? [] : [{ text, isOwn: kind !== 'same' }]))
  return { a: without('added'), b: without('removed') }
}
