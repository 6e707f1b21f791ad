import answers from './answers.json' with { type: 'json' }

/** A simulated model's possible answers to one question, by quality. */
export interface KnownAnswers {
  right: string[]
  /** Right but wordy, or nearly right. */
  half: string[]
  wrong: string[]
}

/** Answers to `examples/first-look/suite.yaml`, by prompt; a test keeps the two in sync. */
export const knownAnswers: Record<string, KnownAnswers> = answers
