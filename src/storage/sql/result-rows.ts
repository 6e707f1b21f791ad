import {
  toDollars,
  type CellResult,
  type Outcome,
  type RunStatus,
  type ScoringResult,
  type ToolCall,
} from '../../contract/index.ts'
import { readJson } from './columns.ts'
import type { Grades } from './grades-column.ts'
import { readInteger, readText } from './operation.ts'
import { decodeText } from './text-codec.ts'

/** Rows as the queries of `run-results.ts` give them: lists of values in the order asked for. Absent fields stay absent. */

export interface Costs {
  cell: number
  answerAttempts: number
  /** Dollars, judges included; absent when not one cost is known. */
  cost: number | undefined
}

export function readCosts([cell, attempts, millions, rest]: unknown[]): Costs {
  return {
    cell: readInteger(cell),
    answerAttempts: readInteger(attempts),
    cost: millions === null ? undefined : sumParts(readInteger(millions), readInteger(rest)),
  }
}

function sumParts(millions: number, rest: number): number {
  const whole = millions * 1e6 + rest
  // Below 2^53 one division gives the nearest number as well.
  return Number.isSafeInteger(whole) ? whole / 1e12 : toDollars(BigInt(millions) * 1_000_000n + BigInt(rest))
}

const outcomes = new Set<unknown>([
  'ok',
  'empty',
  'refusal',
  'filtered',
  'truncated',
  'error',
  'timeout',
  'cancelled',
] satisfies Outcome[])
const isOutcome = (value: unknown): value is Outcome => outcomes.has(value)

function statusOf(state: unknown, outcome: unknown): RunStatus {
  switch (state) {
    case 'pending':
      return 'idle'
    case 'answered':
      return 'running'
    case 'error':
      return outcome === 'cancelled' ? 'cancelled' : 'failed'
    default:
      return 'completed'
  }
}

const MOST_OF_AN_ERROR = 300

/** Few models have very many cells: one text for all of them. */
const modelIds = new Map<unknown, string>()
const MOST_MODELS_KNOWN = 200

function readModelId(stored: unknown): string {
  const known = modelIds.get(stored)
  if (known !== undefined) return known
  if (modelIds.size >= MOST_MODELS_KNOWN) modelIds.clear()
  const id = decodeText(readText(stored))
  modelIds.set(stored, id)
  return id
}

/** With the columns that both ways of reading begin with. */
function readNumbers(row: unknown[], { answerAttempts, cost }: Costs): CellResult {
  const [, state, caseId, modelId, outcome, promptTokens, completionTokens, latencyMs, firstTokenMs, leftOut] = row
  const testCaseId = decodeText(readText(caseId))
  const model = readModelId(modelId)
  const status = statusOf(state, outcome)
  // An object that grows field by field takes twice the memory, and there are very many of the usual kind.
  const isUsual =
    isOutcome(outcome) &&
    typeof promptTokens === 'number' &&
    typeof completionTokens === 'number' &&
    typeof latencyMs === 'number' &&
    typeof firstTokenMs === 'number'
  const result: CellResult = isUsual
    ? {
        testCaseId,
        modelId: model,
        status,
        attempts: answerAttempts,
        outcome,
        promptTokens,
        completionTokens,
        latencyMs,
        firstTokenMs,
      }
    : { testCaseId, modelId: model, status, attempts: answerAttempts }
  if (isOutcome(outcome)) result.outcome = outcome
  if (typeof promptTokens === 'number') result.promptTokens = promptTokens
  if (typeof completionTokens === 'number') result.completionTokens = completionTokens
  if (typeof latencyMs === 'number') result.latencyMs = latencyMs
  if (typeof firstTokenMs === 'number') result.firstTokenMs = firstTokenMs
  if (typeof leftOut === 'string')
    result.leftOut = readJson<string[]>(leftOut, `left_out of test case ${result.testCaseId}`)
  if (cost !== undefined) result.cost = cost
  readVerdict(result, row)
  return result
}

function readVerdict(result: CellResult, row: unknown[]): void {
  const [score, confidence, rawScore, maxScore, unscoredCode, unscoredMessage, rating, note] = row.slice(10, 18)
  if (typeof score === 'number') {
    result.score = { score }
    if (typeof confidence === 'number') result.score.confidence = confidence
    if (typeof rawScore === 'number') result.score.rawScore = rawScore
    if (typeof maxScore === 'number') result.score.maxScore = maxScore
  }
  if (typeof unscoredCode === 'string')
    result.unscored = {
      code: decodeText(unscoredCode),
      message: typeof unscoredMessage === 'string' ? decodeText(unscoredMessage) : '',
    }
  if (typeof rating === 'number') result.rating = { rating }
  if (typeof note === 'string') result.rating = { ...result.rating, note: decodeText(note) }
}

export function readNumbersOnly(row: unknown[], costs: Costs): CellResult {
  const result = readNumbers(row, costs)
  const error = row[18]
  const figures = row[19]
  if (typeof error === 'string') result.error = cutText(decodeText(error), MOST_OF_AN_ERROR)
  if (result.score && typeof figures === 'string')
    Object.assign(result.score, readJson<Grades>(figures, `figures of test case ${result.testCaseId}`))
  return result
}

export function readFullResult(row: unknown[], costs: Costs): CellResult {
  const result = readNumbers(row, costs)
  const [error, response, toolCalls, notes, checks, details] = row.slice(18)
  const where = `of test case ${result.testCaseId}`
  if (typeof response === 'string') result.response = decodeText(response)
  if (typeof toolCalls === 'string') result.toolCalls = readJson<ToolCall[]>(toolCalls, `tool_calls ${where}`)
  if (typeof error === 'string') result.error = decodeText(error)
  if (!result.score) return result
  if (typeof notes === 'string') result.score.notes = decodeText(notes)
  if (typeof checks === 'string') result.score.checks = readJson<ScoringResult['checks']>(checks, `checks ${where}`)
  if (typeof details === 'string') result.score = { ...readJson<object>(details, `details ${where}`), ...result.score }
  return result
}

/** Never half of a character. */
function cutText(text: string, length: number): string {
  if (text.length <= length) return text
  const end =
    /[\uD800-\uDBFF]/.test(text[length - 1] ?? '') && /[\uDC00-\uDFFF]/.test(text[length] ?? '') ? length - 1 : length
  return text.slice(0, end)
}
