/** Why a cell is unscored. It is stored with the cell and never becomes a number. */
export type UnscoredCode =
  | 'regex-timeout'
  | 'invalid-regex'
  | 'invalid-expected-output'
  | 'invalid-options'
  | 'json-too-deep'
  | 'answer-unclear'
  | 'no-answer'
  | 'math-unreadable'
  | 'language-missing'
  | 'page-not-seen'
  | 'browser-failed'
  | 'user-error'
  | 'environment-error'
  | 'judge-unreadable'
  | 'judge-failed'
  | 'embedding-failed'
  | 'not-judged'
  | 'not-compared'
  | 'no-scoring'
  | 'scoring-timeout'
  | 'scoring-failed'

/** What was thrown, as text: other programs throw anything. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Thrown by a scorer that cannot score an answer: the cell is unscored with this code and left out of every mean. */
export class ScoringError extends Error {
  override name = 'ScoringError'
  readonly code: UnscoredCode

  constructor(code: UnscoredCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Thrown for a bad file, argument or setting: the message says what is wrong, where, and what to do. */
export class InputError extends Error {
  override name = 'InputError'
}
