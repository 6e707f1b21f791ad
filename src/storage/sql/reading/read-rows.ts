import type {
  AttemptEnd,
  AttemptId,
  AttemptStart,
  CellEvent,
  Claim,
  ModelAnswer,
  Outcome,
  TokenDetails,
  ToolCall,
} from '../../../contract/index.ts'
import { readJson, readMoney, readOptionalText } from '../columns.ts'
import type { AnswersTable, AttemptsTable, CellsTable, ClaimsTable, EventsTable } from '../schema.ts'
import { decodeText } from '../text-codec.ts'

/** Turns the rows selected in `read-operations.ts` into the port's types. Absent fields stay absent. */

export type LeftJoined<Row> = { [Column in keyof Row]: Row[Column] | null }

interface Usage {
  promptTokens?: number
  completionTokens?: number
  latencyMs?: number
  firstTokenMs?: number
}

type UsageRow = Pick<LeftJoined<AnswersTable>, 'prompt_tokens' | 'completion_tokens' | 'latency_ms' | 'first_token_ms'>

function readUsage(into: Usage, row: UsageRow): void {
  if (row.prompt_tokens !== null) into.promptTokens = row.prompt_tokens
  if (row.completion_tokens !== null) into.completionTokens = row.completion_tokens
  if (row.latency_ms !== null && row.latency_ms >= 0) into.latencyMs = row.latency_ms
  if (row.first_token_ms !== null) into.firstTokenMs = row.first_token_ms
}

export type OpenRow = Pick<CellsTable, 'case_id' | 'model_id'> &
  Omit<LeftJoined<AnswersTable>, 'cell' | 'attempt' | 'outcome' | 'cost'> & {
    answer_outcome: Outcome | null
    answer_cost: string | null
    attempts: number
  }

const answerOutcomes = ['ok', 'empty', 'refusal', 'filtered', 'truncated', 'limit'] as const

export function readAnswer(row: OpenRow): ModelAnswer | undefined {
  const outcome = answerOutcomes.find((known) => known === row.answer_outcome)
  if (outcome === undefined || row.response === null || row.latency_ms === null) return undefined
  const answer: ModelAnswer = { outcome, response: decodeText(row.response), latencyMs: Math.max(0, row.latency_ms) }
  if (row.reasoning !== null) answer.reasoning = decodeText(row.reasoning)
  if (row.tool_calls !== null)
    answer.toolCalls = readJson<ToolCall[]>(row.tool_calls, `tool_calls of test case ${row.case_id}`)
  readUsage(answer, row)
  if (row.token_details !== null)
    answer.tokenDetails = readJson<TokenDetails>(row.token_details, `token_details of test case ${row.case_id}`)
  if (row.cached_at !== null) answer.cachedAt = row.cached_at
  if (row.served_by !== null) answer.servedBy = decodeText(row.served_by)
  if (row.sent !== null) answer.sent = readJson<Record<string, unknown>>(row.sent, `sent of test case ${row.case_id}`)
  if (row.notes !== null) answer.notes = readJson<string[]>(row.notes, `notes of test case ${row.case_id}`)
  const cost = readMoney(row.answer_cost)
  if (cost !== undefined) answer.cost = cost
  if (row.finish_reason !== null) answer.finishReason = decodeText(row.finish_reason)
  if (row.left_out !== null) answer.leftOut = readJson<string[]>(row.left_out, `left_out of test case ${row.case_id}`)
  return answer
}

export type AttemptRow = Omit<AttemptsTable, 'id' | 'cell' | 'cost'> &
  Pick<CellsTable, 'case_id' | 'model_id'> & { id: number; cost_text: string | null }

export function readAttempt(runId: string, row: AttemptRow): AttemptStart & { id: AttemptId; end?: AttemptEnd } {
  const start = {
    id: row.id,
    runId,
    testCaseId: decodeText(row.case_id),
    modelId: decodeText(row.model_id),
    purpose: row.purpose,
    askedModel: decodeText(row.asked_model),
    startedAt: row.started_at,
  }
  if (row.ended_at === null || row.outcome === null) return start
  const end: AttemptEnd = { endedAt: row.ended_at, outcome: row.outcome }
  readUsage(end, row)
  const cost = readMoney(row.cost_text)
  if (cost !== undefined) end.cost = cost
  if (row.http_status !== null) end.httpStatus = row.http_status
  const error = readOptionalText(row.error)
  if (error !== undefined) end.error = error
  return { ...start, end }
}

export function readEvent(row: Pick<EventsTable, 'attempt' | 'content'>, where: string): CellEvent {
  const event = readJson<CellEvent>(row.content, where)
  // A moved database numbers its attempts anew.
  return 'attempt' in event && row.attempt !== null ? { ...event, attempt: row.attempt } : event
}

export function readClaim({ id, host, renewed_at: renewedAt, waiting, ...claim }: ClaimsTable): Claim {
  return { id: decodeText(id), host: decodeText(host), ...claim, renewedAt, ...(waiting !== null && { waiting }) }
}
