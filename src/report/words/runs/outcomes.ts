import { type CellState, type EndReason, type LiveCell, type Outcome, NO_SCORING } from '../../../contract/index.ts'
import { formatScore, describeInterval, formatCount } from '../numbers.ts'
import { formatPassed } from '../passed.ts'
import { cellStates } from './states.ts'
import { countWithoutScore, type MissingSummary } from '../../../statistics/index.ts'

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
  limit: { short: 'limit', long: 'reached a limit of its suite: turns, calls, errors, time or cost' },
  error: { short: 'error', long: 'the request failed' },
  timeout: { short: 'timeout', long: 'did not answer in time' },
  cancelled: { short: cellStates.skipped.word, long: 'the run ended before it was sent' },
}

/** `error: timeout`, `streaming` */
export function describeLiveState({ state, step, message }: Pick<LiveCell, 'state' | 'step' | 'message'>): string {
  const words = step ?? cellStates[state].word
  return message === undefined ? words : `${words}: ${message}`
}

/** `3 not run, 1 × judge-unreadable, 2 × timeout`, in alphabetical order. */
export function describeReasons(reasons: Readonly<Record<string, number>>): string {
  const { 'not-run': notRun, ...others } = reasons
  const failures = Object.entries(others)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([reason, times]) => `${formatCount(times)} × ${reason}`)
  return [...(notRun === undefined ? [] : [`${formatCount(notRun)} ${cellStates.skipped.word}`]), ...failures].join(
    ', ',
  )
}

/** A model's cells without a score: how many, why, and how far they could move its mean. */
export function describeMissing(summary: MissingSummary): string {
  const {
    cells,
    reasons,
    boundsWithMissing: [low, high],
  } = summary
  const missing = countWithoutScore(summary)
  const collected = reasons[NO_SCORING] ?? 0
  if (collected === missing)
    return `${formatCount(collected)} of ${formatCount(cells, 'cell')} not scored, as the suite says`
  const why = describeReasons(reasons)
  const isOnlyNotRun = reasons['not-run'] === missing
  if (missing === cells && isOnlyNotRun) return `none of its ${formatCount(cells, 'cell')} was run`
  if (missing === cells) return `none of its ${formatCount(cells, 'cell')} has a score (${why})`
  const bounds = `its mean would be ${describeInterval({ low, high })} if they all scored 0 or 100`
  const open = `${formatCount(missing)} of ${formatCount(cells, 'cell')}`
  return isOnlyNotRun ? `${open} ${cellStates.skipped.word}; ${bounds}` : `${open} without a score (${why}); ${bounds}`
}

/** How a conversation ended. */
export const endWords: Readonly<Record<EndReason, string>> = {
  'agent-stop': 'ended by the agent',
  'user-stop': 'ended by the user',
  turns: 'limit of turns',
  'tool-calls': 'limit of calls',
  'tool-errors': 'limit of errors',
  seconds: 'limit of time',
  cost: 'limit of cost',
}
