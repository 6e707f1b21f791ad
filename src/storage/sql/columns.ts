import {
  StorageError,
  toDollars,
  toMoney,
  type AttemptEnd,
  type CellEvent,
  type ModelAnswer,
  type ScoringResult,
  type Unscored,
  foldText,
  makeLabel,
  type RunLabel,
  type RunRequest,
} from '../../contract/index.ts'
import { decodeText, encodeText } from './text-codec.ts'
import type { EventsTable, RunsTable } from './schema.ts'

/** The scores of judges and checks, and whether the answer passed, as statistics need them: without reasoning. */
export type Grades = Pick<
  ScoringResult,
  'judges' | 'checks' | 'passed' | 'missingJudges' | 'comparisons' | 'style' | 'otherReading' | 'userWords'
>

const withoutReasoning = (judges: ScoringResult['judges']) =>
  judges?.map(({ judgeModelId, score }) => ({ judgeModelId, score, reasoning: '' }))

const withoutTexts = (comparisons: ScoringResult['comparisons']) =>
  comparisons?.map(({ notes: _notes, judges, missingJudges: _missing, ...comparison }) => ({
    ...comparison,
    judges: judges?.map((judgement) => ({ ...judgement, reasoning: '' })),
  }))

const checkFigures = (checks: ScoringResult['checks']): ScoringResult['checks'] =>
  checks?.map(
    ({ id, scoringMethod, weight, score, confidence, rawScore, maxScore, passed, judges, checks: members }) => ({
      id,
      scoringMethod,
      weight,
      score,
      confidence,
      rawScore,
      maxScore,
      passed,
      judges: withoutReasoning(judges),
      checks: checkFigures(members),
    }),
  )

/** Stored in addition to the texts, so that numbers can be read without them. */
export function gradesColumn(score: Grades): string | null {
  const { judges, checks, passed, missingJudges, comparisons, style, otherReading, userWords } = score
  if ([judges, checks, passed, comparisons, otherReading, userWords].every((part) => part === undefined)) return null
  const grades: Grades = {
    passed,
    judges: withoutReasoning(judges),
    missingJudges,
    comparisons: withoutTexts(comparisons),
    style,
    otherReading,
    userWords,
    checks: checkFigures(checks),
  }
  return JSON.stringify(grades)
}

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
    served_by: textColumn(answer.servedBy),
    sent: jsonColumn(answer.sent),
    notes: jsonColumn(answer.notes),
  }
}

/** The cell is found by the statement that writes it. */
export function eventColumns(event: CellEvent): Omit<EventsTable, 'cell'> {
  const { seq, at, kind } = event
  const attempt = 'attempt' in event ? (event.attempt ?? null) : null
  return { seq, at, kind, attempt, content: JSON.stringify(event) }
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

type LabelColumns = Pick<RunsTable, 'name' | 'tags' | 'note'>

/** Around each tag in `label_words`; `foldText` removes it from texts, so it cannot be part of one. */
const SEPARATOR = '\u001F'

export const tagWords = (tag: string) => `${SEPARATOR}${foldText(tag).trim()}${SEPARATOR}`

interface SearchedRun {
  id: string
  seriesId?: string | undefined
  testSuiteId?: string | undefined
  testSuiteName?: string | undefined
  models: readonly string[]
  request?: Pick<RunRequest, 'startedBy' | 'project'> | undefined
}

export function runWords({
  id,
  seriesId = '',
  testSuiteId = '',
  testSuiteName = '',
  models,
  request: { startedBy, project } = {},
}: SearchedRun): string {
  const team = [startedBy?.name, project].filter((word) => word !== undefined)
  return [id, seriesId, testSuiteName, testSuiteId, ...models, ...team].map(foldText).join('\n')
}

export function labelColumns({ name, tags, note }: RunLabel = {}): LabelColumns & Pick<RunsTable, 'label_words'> {
  const isEmpty = name === undefined && tags === undefined && note === undefined
  const words = [foldText(name ?? ''), foldText(note ?? ''), (tags ?? []).map(tagWords).join('')]
  return {
    name: textColumn(name),
    tags: jsonColumn(tags),
    note: textColumn(note),
    label_words: isEmpty ? null : words.join('\n'),
  }
}

export function readLabel(row: LabelColumns, where: string): RunLabel | undefined {
  const tags = readOptionalJson<unknown>(row.tags, `The column tags ${where}`)
  return makeLabel({
    name: readOptionalText(row.name),
    // Edited by hand, it may be any JSON.
    tags: Array.isArray(tags) ? tags.map(String) : [],
    note: readOptionalText(row.note),
  })
}
