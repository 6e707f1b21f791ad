import type { CaseCell } from '../../server/results/case-table.ts'
import type { Outcome, ModelParameters } from '../../contract/index.ts'
import type { IntervalMethod } from '../../statistics/index.ts'

/** Figures that do not exist come as `null` over the wire (NaN in the types): they read as a dash. */
export function formatFigure(value: number | null | undefined, digits = 2): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–'
  return value.toFixed(digits).replace('-', '−')
}

export const intervalMethods: Record<IntervalMethod, string> = {
  'clopper-pearson': 'Clopper-Pearson: every score is 0 or 100',
  t: "Student's t on the standard error",
  't-and-unseen-mass': "Student's t, widened because most scores are the same",
  'unseen-mass': 'bound on answers not seen yet: all scores are the same',
  'identical-runs': 'all runs gave the same score',
  'over-cases': 'over cases',
}

/** What a cell says beside its number; nothing for an ordinary answer. */
export function cellMark({ state, outcome }: Pick<CaseCell, 'state' | 'outcome'>): string | undefined {
  if (state === 'pending') return 'waiting'
  if (state === 'unscored') return 'unscored'
  if (state === 'error') return outcome === undefined || outcome === 'ok' ? 'error' : outcomeWords[outcome].short
  if (outcome !== undefined && outcome !== 'ok') return outcomeWords[outcome].short
  return state === 'partly' ? 'some missing' : undefined
}

export const outcomeWords: Record<Outcome, { short: string; long: string }> = {
  ok: { short: 'ok', long: 'answered' },
  empty: { short: 'empty', long: 'gave an empty answer, also when asked again' },
  refusal: { short: 'refused', long: 'refused to answer' },
  filtered: { short: 'filtered', long: 'its answer was filtered by the provider' },
  truncated: { short: 'cut off', long: 'ran out of tokens before the end of its answer' },
  error: { short: 'error', long: 'the request failed' },
  timeout: { short: 'timeout', long: 'did not answer in time' },
  cancelled: { short: 'stopped', long: 'the run was stopped first' },
}

/** Parameters as one line. */
export function describeParameters(parameters: ModelParameters | undefined): string {
  if (!parameters) return 'parameters not known'
  const { temperature, topP, maxTokens, frequencyPenalty, presencePenalty, benchmarkMode } = parameters
  const parts = [
    benchmarkMode ? 'Benchmark Mode (temperature 0)' : `temperature ${temperature}`,
    topP !== 1 && `top-p ${topP}`,
    `at most ${maxTokens.toLocaleString('en-US')} tokens`,
    !benchmarkMode && frequencyPenalty !== 0 && `frequency penalty ${frequencyPenalty}`,
    !benchmarkMode && presencePenalty !== 0 && `presence penalty ${presencePenalty}`,
  ]
  return parts.filter((part) => part !== false).join(', ')
}

/** `a, b and c` */
export function joinWords(words: readonly string[]): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
