import type { ConversationFinding } from '../../contract/index.ts'

/** What can be wrong with a suite. */
type FindingKind =
  | ConversationFinding['kind']
  | 'all-fail'
  | 'key-disputed'
  | 'falls'
  | 'near-duplicate'
  | 'contradiction'
  | 'method-mismatch'
  | 'key-fails'
  | 'hidden-options'
  | 'ceiling'
  | 'floor'
  | 'judges-split'

/** Something wrong with a suite: a sentence, and what it rests on. */
export interface Finding {
  kind: FindingKind
  /** The cases it is about; empty if it is about the whole suite. */
  caseIds: string[]
  sentence: string
  evidence: string[]
}

const MAX_QUOTED = 80

/** A text in quotes, on one line, cut to a length that a sentence can hold. */
export function quote(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  const characters = Array.from(line)
  return `“${characters.length > MAX_QUOTED ? `${characters.slice(0, MAX_QUOTED - 1).join('')}…` : line}”`
}
