import type { Generated, Kysely } from 'kysely'
import type { CellEvent, Outcome, RunKind, RunStatus, StopReason } from '../../contract/index.ts'
import type { AccessTables } from './access/access-schema.ts'

/** `pending` has no answer yet; `answered` has no score yet. The other three are final. */
export type CellState = 'pending' | 'answered' | 'scored' | 'unscored' | 'error'

/** An integer number of 1e-12 dollars. For writing only; read it as text, because it may exceed 2^53. */
type Picodollars = bigint

export interface SuitesTable {
  hash: string
  name: string | null
  content: string
}

export interface RunsTable {
  number: Generated<number>
  id: string
  kind: RunKind
  series_id: string | null
  suite: string | null
  suite_id: string | null
  suite_name: string | null
  models: string
  parameters: string | null
  judge_model: string | null
  versions: string | null
  request: string | null
  status: RunStatus
  stop_reason: StopReason | null
  started_at: number
  completed_at: number | null
  name: string | null
  tags: string | null
  note: string | null
  run_words: string | null
  label_words: string | null
  started_by: string | null
  project: string | null
}

export interface CellsTable {
  id: Generated<number>
  run: number
  case_id: string
  model_id: string
  state: CellState
  outcome: Outcome | null
  error: string | null
}

export interface AttemptsTable {
  id: Generated<number>
  cell: number
  purpose: 'answer' | 'judge' | 'user'
  asked_model: string
  started_at: number
  ended_at: number | null
  outcome: Outcome | null
  prompt_tokens: number | null
  completion_tokens: number | null
  cost: Picodollars | null
  latency_ms: number | null
  first_token_ms: number | null
  http_status: number | null
  error: string | null
}

export interface AnswersTable {
  cell: number
  attempt: number
  outcome: Outcome
  prompt_tokens: number | null
  completion_tokens: number | null
  cost: Picodollars | null
  latency_ms: number
  first_token_ms: number | null
  finish_reason: string | null
  left_out: string | null
  tool_calls: string | null
  response: string
  reasoning: string | null
  token_details: string | null
  cached_at: number | null
  served_by: string | null
  sent: string | null
  notes: string | null
}

export interface ScoresTable {
  cell: number
  score: number | null
  confidence: number | null
  raw_score: number | null
  max_score: number | null
  notes: string | null
  checks: string | null
  details: string | null
  figures: string | null
  unscored_code: string | null
  unscored_message: string | null
}

export interface RatingsTable {
  cell: number
  rater: string
  rating: number | null
  note: string | null
  rated_at: number
  queue: string | null
}

export interface EventsTable {
  cell: number
  seq: number
  at: number
  kind: CellEvent['kind']
  attempt: number | null
  content: string
}

interface DocumentsTable {
  number: Generated<number>
  kind: string
  id: string
  version: number
  saved_at: number
  content: string
}

export interface ArtifactsTable {
  cell: number
  name: string
  media_type: string
  saved_at: number
  content: Uint8Array
}

export interface ClaimsTable {
  id: string
  host: string
  pid: number
  token: string
  since: number
  renewed_at: number
  waiting: string | null
}

/** Amounts are 64-bit integers, written and read as text. */
interface BudgetsTable {
  account: string
  period: string
  spent: string
  assumed: string
  version: number
  needs_recount: number
}

interface BudgetHoldsTable {
  account: string
  period: string
  holder: string
  amount: string
  expires_at: number
}

export interface Tables extends AccessTables {
  suites: SuitesTable
  runs: RunsTable
  cells: CellsTable
  attempts: AttemptsTable
  answers: AnswersTable
  scores: ScoresTable
  ratings: RatingsTable
  events: EventsTable
  documents: DocumentsTable
  artifacts: ArtifactsTable
  claims: ClaimsTable
  budgets: BudgetsTable
  budget_holds: BudgetHoldsTable
}

export type TableReader = Kysely<Tables>
