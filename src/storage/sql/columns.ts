import {
  StorageError,
  toDollars,
  toMoney,
  type AttemptEnd,
  type ModelAnswer,
  type ScoringResult,
  type Unscored,
} from '../../contract/index.ts'
import { gradesColumn } from './grades-column.ts'
import { decodeText, encodeText } from './text-codec.ts'

/** Converts between values of the program, where absent is `undefined`, and columns, where it is NULL. */

export const textColumn = (text: string | undefined): string | null => (text === undefined ? null : encodeText(text))

/** Needs no encoding: JSON escapes NUL and lone surrogates. */
export const jsonColumn = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value))

const moneyColumn = (dollars: number | undefined): bigint | null => (dollars === undefined ? null : toMoney(dollars))

/** Selected as text, because it may exceed 2^53. */
export const readMoney = (picodollars: string | null): number | undefined =>
  picodollars === null ? undefined : toDollars(BigInt(picodollars))

/** Reads millions of 1e-12 dollars, a space, and the rest. */
export function readSum(parts: string | null): number | undefined {
  if (parts === null) return undefined
  const [millions = '', rest = ''] = parts.split(' ')
  return toDollars(BigInt(millions) * 1_000_000n + BigInt(rest))
}

export const readOptionalText = (text: string | null): string | undefined =>
  text === null ? undefined : decodeText(text)

/** Not validated again: this program wrote it from validated data, and runs of older versions must open. */
export function readJson<Value>(json: string, where: string): Value {
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new StorageError(
      `${where} is not readable JSON: the database was changed by hand or is damaged. Restore it from a backup.`,
      { cause },
    )
  }
}

export const readOptionalJson = <Value>(json: string | null, where: string): Value | undefined =>
  json === null ? undefined : readJson<Value>(json, where)

export function endColumns(end: AttemptEnd) {
  return {
    ended_at: end.endedAt,
    outcome: end.outcome,
    prompt_tokens: end.promptTokens ?? null,
    completion_tokens: end.completionTokens ?? null,
    cost: moneyColumn(end.cost),
    latency_ms: end.latencyMs ?? null,
    first_token_ms: end.firstTokenMs ?? null,
    http_status: end.httpStatus ?? null,
    error: textColumn(end.error),
  }
}

export function answerColumns(answer: ModelAnswer) {
  return {
    outcome: answer.outcome,
    prompt_tokens: answer.promptTokens ?? null,
    completion_tokens: answer.completionTokens ?? null,
    cost: moneyColumn(answer.cost),
    latency_ms: answer.latencyMs,
    first_token_ms: answer.firstTokenMs ?? null,
    finish_reason: textColumn(answer.finishReason),
    left_out: jsonColumn(answer.leftOut),
    tool_calls: jsonColumn(answer.toolCalls),
    response: encodeText(answer.response),
    reasoning: textColumn(answer.reasoning),
    token_details: jsonColumn(answer.tokenDetails),
    cached_at: answer.cachedAt ?? null,
  }
}

export function scoreColumns(score: ScoringResult | { unscored: Unscored }) {
  const unset = {
    score: null,
    confidence: null,
    raw_score: null,
    max_score: null,
    notes: null,
    checks: null,
    details: null,
    figures: null,
  }
  if ('unscored' in score)
    return {
      ...unset,
      unscored_code: encodeText(score.unscored.code),
      unscored_message: encodeText(score.unscored.message),
    }
  // Some scorers return more than the port requires: reasons, criteria.
  const { score: value, confidence, notes, rawScore, maxScore, checks, ...details } = score
  return {
    score: value,
    confidence: confidence ?? null,
    raw_score: rawScore ?? null,
    max_score: maxScore ?? null,
    notes: textColumn(notes),
    checks: jsonColumn(checks),
    details: Object.keys(details).length > 0 ? JSON.stringify(details) : null,
    figures: gradesColumn(score),
    unscored_code: null,
    unscored_message: null,
  }
}
