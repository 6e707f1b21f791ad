import type {
  AttemptEnd,
  CellKey,
  ModelAnswer,
  RunResult,
  RunStatus,
  ScoringResult,
  Unscored,
} from '../contract/index.ts'

/** One run of a series, as it begins or goes on. */
export interface StartedRun {
  runId: string
  /** As it is stored; with the results that were there before, without their texts. */
  run: RunResult
  /** From 1. */
  runNumber: number
  runsPlanned: number
  cells: number
  /** Cells that are still to be asked or scored. */
  open: number
  /** US dollars that all runs of the series may spend together. */
  maxCost?: number | undefined
  /** US dollars that the other runs of the series have spent; known only where there is a budget. */
  spentBefore: number
  /** What this run has spent already, in US dollars, and how many of its requests had no known price. */
  spent: { known: number; unknown: number }
}

/** What the engine says as it goes. Bars, event streams and tests all listen to these; the engine knows no screen. */
export type RunEvent =
  | ({ type: 'run-started' } & StartedRun)
  | { type: 'cell-started'; cell: CellKey }
  | { type: 'tokens-arrived'; cell: CellKey; text: string }
  | { type: 'attempt-failed'; cell: CellKey; reason: string; retryInMs: number | undefined }
  | { type: 'answer-stored'; cell: CellKey; answer: ModelAnswer; cost: number | undefined }
  /** One paid request is over, of a model or a judge; its line in the ledger is written. */
  | { type: 'attempt-ended'; attempt: CellKey; end: AttemptEnd }
  | { type: 'cell-scored'; cell: CellKey; score: ScoringResult | { unscored: Unscored } }
  | { type: 'cell-failed'; cell: CellKey; error: string }
  /** A browser has looked at the page of a Code Arena cell, and what it saw is stored. */
  | { type: 'page-seen'; page: CellKey }
  | { type: 'budget-reached'; spent: number }
  /** The provider takes no request of ours: a wrong key, an empty account. What is not asked yet is left for a resume. */
  | { type: 'provider-refused'; error: string }
  | { type: 'run-finished'; runId: string; status: RunStatus }
