import type { Outcome } from '../../contract/index.ts'
import type { CaseCell } from '../../server/results/cases/case-table.ts'

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
