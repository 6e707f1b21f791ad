import type { CellKey, ModelAnswer, RunResult, ScoringResult, Unscored } from '../contract/index.ts'

/** What the engine says as it goes. Bars, event streams and tests all listen to these; the engine knows no screen. */
export type RunEvent =
  | { type: 'run-started'; runId: string; cells: number; open: number }
  | { type: 'cell-started'; cell: CellKey }
  | { type: 'tokens-arrived'; cell: CellKey; text: string }
  | { type: 'attempt-failed'; cell: CellKey; reason: string; retryInMs: number | undefined }
  | { type: 'answer-stored'; cell: CellKey; answer: ModelAnswer; cost: number | undefined }
  | { type: 'cell-scored'; cell: CellKey; score: ScoringResult | { unscored: Unscored } }
  | { type: 'cell-failed'; cell: CellKey; error: string }
  /** A browser has looked at the page of a Code Arena cell, and what it saw is stored. */
  | { type: 'page-seen'; page: CellKey }
  | { type: 'budget-reached'; spent: number }
  /** The provider takes no request of ours: a wrong key, an empty account. What is not asked yet is left for a resume. */
  | { type: 'provider-refused'; error: string }
  | { type: 'run-finished'; runId: string; status: NonNullable<RunResult['status']> }
