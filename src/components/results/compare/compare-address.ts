import { formatShortLocalTime } from '../../ui/local-time.ts'
import { changeFilters, type ChangeFilter } from '../../../report/comparing/case-changes.ts'
import type { ReportedSide } from '../../../report/comparing/comparison.ts'
import { labelColumns } from '../../../report/comparing/pair-models.ts'

/** What the comparison shows, as in its address. */
export interface CompareQuery {
  a: string
  b: string
  /** The models that were chosen; empty for all. */
  modelA: string
  modelB: string
  filter: ChangeFilter
  offset: number
  /** Cases that changed between A and B are compared too. */
  changed: '' | 'include'
}

export function readCompareQuery(address: URLSearchParams): CompareQuery {
  const offset = Number(address.get('offset') ?? 0)
  return {
    a: address.get('a') ?? '',
    b: address.get('b') ?? '',
    modelA: address.get('ma') ?? '',
    modelB: address.get('mb') ?? '',
    filter: changeFilters.find((name) => name === address.get('filter')) ?? 'all',
    offset: Number.isInteger(offset) && offset > 0 ? offset : 0,
    changed: address.get('changed') === 'include' ? 'include' : '',
  }
}

/** The pair whose cases are listed: the one in the address, else the first. */
export function choosePair<Pair extends { before: string; after: string }>(
  pairs: readonly Pair[],
  address: URLSearchParams,
): Pair | undefined {
  const [before, after] = [address.get('pa'), address.get('pb')]
  return pairs.find((pair) => pair.before === before && pair.after === after) ?? pairs[0]
}

/** The two answers to one case; the rest of the address stays, so that the way back leads to the same list. */
export function comparedCaseAddress(
  address: URLSearchParams,
  { id, modelA, modelB }: { id: string; modelA: string; modelB: string },
): string {
  const query = new URLSearchParams(address)
  query.set('id', id)
  query.set('pa', modelA)
  query.set('pb', modelB)
  return `/compare/case?${query}`
}

export function comparisonAddress(address: URLSearchParams): string {
  const query = new URLSearchParams(address)
  query.delete('id')
  return `/compare?${query}`
}

interface Side extends Pick<ReportedSide, 'runIds' | 'startedAt' | 'file'> {
  name?: string
}

/** How the two models of a pair are called, so that the same model of two runs can be told apart. */
export function labelPair(
  { a, b }: { a: Side; b: Side },
  { before, after }: { before: string; after: string },
): [string, string] {
  const column = (modelId: string, { runIds, startedAt, name, file }: Side) => ({
    modelId,
    runId: runIds[0] ?? '',
    startedAt,
    name,
    file,
  })
  const [first, second] = labelColumns([column(before, a), column(after, b)], formatShortLocalTime)
  return [first!, second!]
}
