import {
  InputError,
  LATEST_TIME,
  MAX_COST,
  type AttemptEnd,
  type CellKey,
  type HumanRating,
  type ModelAnswer,
  type ScoringResult,
  type Unscored,
} from '../../contract/index.ts'
import { encodeText } from './text-codec.ts'

/** Two such ids must fit into one entry of a PostgreSQL index (2,704 bytes). */
const MAX_ID_BYTES = 1000

/** Returns the id as it is stored. */
export function checkId(id: string, what: string): string {
  if (id === '') throw new InputError(`The ${what} is empty: give it at least one character.`)
  const stored = encodeText(id)
  if (stored.length > MAX_ID_BYTES / 3 && Buffer.byteLength(stored) > MAX_ID_BYTES)
    throw new InputError(`The ${what} ${quoteId(id)} is longer than ${MAX_ID_BYTES} bytes: give it a shorter one.`)
  return stored
}

/** For messages: puts an id of any length and content on one line. */
export function quoteId(id: string): string {
  return JSON.stringify(id.length > 80 ? `${id.slice(0, 80)}…` : id)
}

export function nameCell({ runId, testCaseId, modelId }: CellKey): string {
  return `Test case ${quoteId(testCaseId)} of model ${quoteId(modelId)} in run ${quoteId(runId)}`
}

function checkNumber(value: number | undefined, field: string): void {
  // Beyond 2^53 SQLite keeps a 64-bit integer that cannot be read back as a number.
  if (value !== undefined && !(Math.abs(value) <= Number.MAX_SAFE_INTEGER))
    throw new InputError(`${field} is ${value}: it must be a finite number below 2^53.`)
}

/** An invalid cost would spoil every sum it is part of. */
function checkCost(cost: number | undefined, field: string): void {
  if (cost !== undefined && !(cost >= 0 && cost <= MAX_COST))
    throw new InputError(`${field} is ${cost}: it must be between 0 and 1,000,000 dollars, or left out if unknown.`)
}

function checkFraction(value: number, field: string): void {
  if (!(value >= 0 && value <= 1)) throw new InputError(`${field} is ${value}: it must be between 0 and 1.`)
}

/** A later time could not be written as a date. */
export function checkTime(value: number | undefined, field: string): void {
  if (value !== undefined && !(Math.abs(value) <= LATEST_TIME))
    throw new InputError(`${field} is ${value}: it must be in milliseconds since 1970, at most ${LATEST_TIME}.`)
}

export function checkAttemptEnd(end: AttemptEnd): void {
  checkTime(end.endedAt, 'The end of the attempt')
  checkNumber(end.httpStatus, 'The HTTP status of the attempt')
  checkUsage(end, 'of the attempt')
}

export function checkAnswer(answer: ModelAnswer): void {
  checkUsage(answer, 'of the answer')
  checkTime(answer.cachedAt, 'The time of the cached answer')
  for (const count of Object.values(answer.tokenDetails ?? {})) checkNumber(count, 'A number of tokens of the answer')
}

function checkUsage(
  usage: Pick<AttemptEnd, 'promptTokens' | 'completionTokens' | 'latencyMs' | 'firstTokenMs' | 'cost'>,
  whose: string,
): void {
  checkNumber(usage.promptTokens, `The number of prompt tokens ${whose}`)
  checkNumber(usage.completionTokens, `The number of completion tokens ${whose}`)
  checkNumber(usage.latencyMs, `The latency ${whose}`)
  checkNumber(usage.firstTokenMs, `The time to the first token ${whose}`)
  checkCost(usage.cost, `The cost ${whose}`)
}

/** A database would turn NaN into an empty column: a cell without a score and without a reason. */
export function checkScore(score: ScoringResult | { unscored: Unscored }): void {
  if ('unscored' in score) return
  checkFraction(score.score, 'The score')
  if (score.confidence !== undefined) checkFraction(score.confidence, 'The confidence of the score')
  checkNumber(score.rawScore, 'The raw score')
  checkNumber(score.maxScore, 'The highest raw score')
  for (const check of score.checks ?? []) {
    checkFraction(check.score, `The score of the check ${check.scoringMethod}`)
    checkNumber(check.weight, `The weight of the check ${check.scoringMethod}`)
  }
}

export function checkRating({ rating }: HumanRating): void {
  if (rating !== undefined) checkFraction(rating, 'The rating')
}
