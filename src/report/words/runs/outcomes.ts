import type { CellState, LiveCell, Outcome } from '../../../contract/index.ts'
import { formatScore } from '../numbers.ts'
import { formatPassed } from '../passed.ts'
import { cellStates } from './states.ts'

/** One model's answers to a case, over all shown runs. */
interface AnswersToCase {
  state: CellState
  outcome?: Outcome
  /** How many answers have a score, and how many of those passed. */
  scored?: number
  passed?: number
  /** How many answers there should be, if some have no score. */
  expected?: number
}

/** The label next to a cell's number; undefined for an ordinary answer. */
export function cellMark({ state, outcome, scored = 0, expected }: AnswersToCase): string | undefined {
  if (state !== 'scored' && state !== 'error') return cellStates[state].word
  if (outcome !== undefined && outcome !== 'ok') return outcomeWords[outcome].short
  if (state === 'error') return cellStates.error.word
  return expected === undefined ? undefined : `${scored} of ${expected} scored`
}

interface ScoredAnswer {
  state: CellState
  score?: number | null | undefined
  passed?: boolean | undefined
  outcome?: Outcome | undefined
}

/** `85.0 ✓`, or why there is no score: `unscored`, `timeout`. */
export function describeScore({ state, score, passed, outcome }: ScoredAnswer): string {
  if (state !== 'scored') return cellMark({ state, ...(outcome && { outcome }) }) ?? ''
  return `${formatScore(score ?? undefined)}${passed === undefined ? '' : passed ? ' ✓' : ' ✗'}`
}

/** `passed`, `failed`, or over several runs how many passed; undefined without a score. */
export function passWords({ passed = 0, scored = 0 }: Pick<AnswersToCase, 'passed' | 'scored'>): string | undefined {
  if (scored === 0) return undefined
  if (scored === 1) return passed === 1 ? 'passed' : 'failed'
  return `passed in ${passed} of ${scored} runs`
}

/** The same in a few characters: `✓`, `✗` or `2/3`. */
export function passMark({ passed = 0, scored = 0 }: Pick<AnswersToCase, 'passed' | 'scored'>): string | undefined {
  if (scored === 0) return undefined
  if (scored === 1) return passed === 1 ? '✓' : '✗'
  return formatPassed({ passed, count: scored })
}

export const outcomeWords: Record<Outcome, { short: string; long: string }> = {
  ok: { short: 'ok', long: 'answered' },
  empty: { short: 'empty', long: 'returned an empty answer, even after retries' },
  refusal: { short: 'refused', long: 'refused to answer' },
  filtered: { short: 'filtered', long: 'the provider filtered its answer' },
  truncated: { short: 'cut off', long: 'ran out of tokens before finishing its answer' },
  error: { short: 'error', long: 'the request failed' },
  timeout: { short: 'timeout', long: 'did not answer in time' },
  cancelled: { short: cellStates.skipped.word, long: 'the run ended before it was sent' },
}

/** `error: timeout`, `streaming` */
export function describeLiveState({ state, step, message }: Pick<LiveCell, 'state' | 'step' | 'message'>): string {
  const words = step ?? cellStates[state].word
  return message === undefined ? words : `${words}: ${message}`
}

/** The cell as text: its score or its state. */
export function describeLiveCell(cell: LiveCell & { isRounded?: true }): string {
  if (cell.state !== 'scored') return describeLiveState(cell)
  return `${cell.isRounded ? 'about ' : ''}${formatScore(cell.score)}, ${cell.hasPassed ? 'passed' : 'failed'}${cell.outcome && cell.outcome !== 'ok' ? `, ${cell.outcome}` : ''}`
}
