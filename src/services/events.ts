import type { ModelDecisions } from '../statistics/index.ts'
import type {
  AttemptEnd,
  AttemptStart,
  CellEvent,
  CellKey,
  ModelAnswer,
  ModelRequest,
  RunResult,
  RunStatus,
  ScoringResult,
  Unscored,
} from '../contract/index.ts'

/** One run of a series, as it starts or resumes. */
export interface StartedRun {
  runId: string
  /** As stored, with any earlier results but without their texts. */
  run: RunResult
  /** From 1. */
  runNumber: number
  runsPlanned: number
  cells: number
  /** Cells that still need an answer or a score. */
  open: number
  /** US dollars that all runs of the series may spend together. */
  maxCost?: number | undefined
  /** US dollars that the other runs of the series have spent; set only if there is a budget. */
  spentBefore: number
  /** All runs of the series are in progress at once. */
  isSideBySide?: boolean
  /** Workers have it: it goes on when this process ends. */
  isOnWorkers?: boolean
  /** US dollars that this run has already spent, and how many of its requests have an unknown price. */
  spent: { known: number; unknown: number }
}

/** One request as it was sent, for those who measure providers. */
export interface ModelCall extends Pick<AttemptStart, 'purpose' | 'startedAt'> {
  provider: string
  /** Of the server, without secrets, if it is known. */
  address?: string | undefined
  request: ModelRequest
  /** Absent if there was none. */
  answer?: ModelAnswer
}

/** What the engine reports. Progress bars, event streams and tests all listen to these; the engine knows no screen. */
export type RunEvent =
  | ({ type: 'run-started' } & StartedRun)
  | { type: 'cell-started'; cell: CellKey }
  | { type: 'tokens-arrived'; cell: CellKey; text: string }
  | { type: 'attempt-failed'; cell: CellKey; reason: string; retryInMs: number | undefined }
  | { type: 'answer-stored'; cell: CellKey; answer: ModelAnswer; cost: number | undefined }
  /** One paid request, to a model or a judge, has ended and is in the ledger. */
  | { type: 'attempt-ended'; attempt: CellKey; end: AttemptEnd; call?: ModelCall }
  /** One more event of a conversation is in its log. */
  | { type: 'conversation-went-on'; cell: CellKey; event: CellEvent }
  | { type: 'cell-scored'; cell: CellKey; score: ScoringResult | { unscored: Unscored } }
  | { type: 'cell-failed'; cell: CellKey; error: string }
  /** In a run that decides: more cases count, in their drawn order. `decisions` goes on changing. */
  | { type: 'cases-counted'; decisions: ModelDecisions }
  /** A browser has inspected the page of a Code Arena cell, and the inspection is stored. */
  | { type: 'page-seen'; cell: CellKey }
  /** US dollars: `spent` is known, and requests whose cost is unknown may have cost up to `assumed` more. */
  | { type: 'budget-reached'; spent: number; assumed: number }
  /**
   * A provider refuses every request: a wrong key, an empty account, models that are closed to us. The rest is left for a
   * resume. `models` are those refused, if others are answered.
   */
  | { type: 'provider-refused'; error: string; models?: string[] }
  /** No worker can work on the run, for this reason; without one, a worker can again. */
  | { type: 'run-waiting'; runId: string; reason: string | undefined }
  /** Requests were handed to the provider as a batch. */
  | { type: 'batch-submitted'; provider: string; id: string; requests: number }
  /** `status` is in the provider's words. */
  /** Something is in the way of a batch, and is tried again. */
  | { type: 'batch-delayed'; reason: string }
  | {
      type: 'batch-looked-at'
      provider: string
      id: string
      status: string
      done: number
      total: number
      isEnded: boolean
    }
  | { type: 'run-finished'; runId: string; status: RunStatus }
