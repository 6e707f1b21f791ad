import type { AttemptEnd, AttemptId, AttemptStart, CellResult, ModelAnswer, Outcome, ScoringResult, ToolCall } from '../contract/index.ts'
import { readJson, readMoney, readOptionalText, readSum } from './columns.ts'
import type { AnswersTable, AttemptsTable, CellState, CellsTable, ScoresTable } from './schema.ts'
import { decodeText } from './text-codec.ts'

/** Rows as the queries of `read-operations.ts` give them, turned into what the port promises; absent fields stay absent. */

type LeftJoined<Row> = { [Column in keyof Row]: Row[Column] | null }

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
  if (row.latency_ms !== null) into.latencyMs = row.latency_ms
  if (row.first_token_ms !== null) into.firstTokenMs = row.first_token_ms
}

export type FinishedRow = Pick<CellsTable, 'case_id' | 'model_id' | 'state' | 'outcome' | 'error'> &
  UsageRow &
  Pick<LeftJoined<AnswersTable>, 'tool_calls' | 'response' | 'left_out'> &
  Omit<ScoresTable, 'cell'> & { attempts: number; total_cost: string | null }

const statusOf = (state: CellState, outcome: Outcome | null) => {
  if (state !== 'error') return 'completed'
  return outcome === 'cancelled' ? 'cancelled' : 'failed'
}

export function readCellResult(row: FinishedRow): CellResult {
  const result: CellResult = {
    testCaseId: decodeText(row.case_id),
    modelId: decodeText(row.model_id),
    status: statusOf(row.state, row.outcome),
    attempts: row.attempts,
  }
  if (row.outcome !== null) result.outcome = row.outcome
  if (row.response !== null) result.response = decodeText(row.response)
  if (row.tool_calls !== null) result.toolCalls = readJson<ToolCall[]>(row.tool_calls, `tool_calls of test case ${row.case_id}`)
  if (row.score !== null) result.score = readScore(row, row.score)
  if (row.unscored_code !== null)
    result.unscored = { code: decodeText(row.unscored_code), message: decodeText(row.unscored_message ?? '') }
  readUsage(result, row)
  if (row.left_out !== null) result.leftOut = readJson<string[]>(row.left_out, `left_out of test case ${row.case_id}`)
  const cost = readSum(row.total_cost)
  if (cost !== undefined) result.cost = cost
  if (row.error !== null) result.error = decodeText(row.error)
  return result
}

function readScore(row: FinishedRow, value: number): ScoringResult {
  const score: ScoringResult = { score: value }
  if (row.confidence !== null) score.confidence = row.confidence
  if (row.notes !== null) score.notes = decodeText(row.notes)
  if (row.raw_score !== null) score.rawScore = row.raw_score
  if (row.max_score !== null) score.maxScore = row.max_score
  if (row.checks !== null) score.checks = readJson<ScoringResult['checks']>(row.checks, `checks of test case ${row.case_id}`)
  if (row.details === null) return score
  return { ...readJson<object>(row.details, `details of test case ${row.case_id}`), ...score }
}

export type OpenRow = Pick<CellsTable, 'case_id' | 'model_id'> &
  Omit<LeftJoined<AnswersTable>, 'cell' | 'attempt' | 'outcome' | 'cost'> & {
    answer_outcome: Outcome | null
    answer_cost: string | null
    attempts: number
  }

const answerOutcomes = ['ok', 'empty', 'refusal', 'filtered', 'truncated'] as const

export function readAnswer(row: OpenRow): ModelAnswer | undefined {
  const outcome = answerOutcomes.find((known) => known === row.answer_outcome)
  if (outcome === undefined || row.response === null || row.latency_ms === null) return undefined
  const answer: ModelAnswer = { outcome, response: decodeText(row.response), latencyMs: row.latency_ms }
  if (row.reasoning !== null) answer.reasoning = decodeText(row.reasoning)
  if (row.tool_calls !== null) answer.toolCalls = readJson<ToolCall[]>(row.tool_calls, `tool_calls of test case ${row.case_id}`)
  readUsage(answer, row)
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
