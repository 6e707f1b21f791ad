/** Why a cell has no score. It is recorded with the cell and never turned into a number. */
export type UnscoredCode =
  | 'regex-timeout'
  | 'invalid-regex'
  | 'invalid-expected-output'
  | 'invalid-options'
  | 'json-too-deep'
  | 'judge-unreadable'
  | 'judge-failed'
  | 'not-judged'
  | 'scoring-timeout'
  | 'scoring-failed'

/** Thrown by a scorer that cannot do its job: the cell is left unscored with this code and out of every mean. */
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
