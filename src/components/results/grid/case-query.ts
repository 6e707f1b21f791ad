import type { CaseState } from '../../../server/results/cases/case-query.ts'

/** What the grid of cases shows, as the address and the server both know it. */
export interface CaseQuery {
  sort: string
  order: 'asc' | 'desc'
  search: string
  category: string
  tag: string
  state: CaseState
}

export const caseStates: Record<CaseState, string> = {
  all: 'All cases',
  missing: 'Missing a score',
  failed: 'Failed by a model',
  disagree: 'Models disagree',
  flaky: 'Flaky over runs',
  rated: 'Rated by a person',
}

export const caseSorts: Record<string, string> = {
  order: 'Order of the suite',
  id: 'Id',
  spread: 'Most disagreement',
  worst: 'Worst first',
}

/** What each sort shows first: disagreement and a model's column from the top, the rest from the bottom. */
function firstOrder(sort: string): 'asc' | 'desc' {
  return sort === 'spread' || sort.startsWith('model:') ? 'desc' : 'asc'
}

function isState(text: string | null): text is CaseState {
  return text !== null && Object.hasOwn(caseStates, text)
}

export function readCaseQuery(address: URLSearchParams): CaseQuery {
  const sort = address.get('sort') ?? 'order'
  const isKnown = Object.hasOwn(caseSorts, sort) || sort.startsWith('model:')
  const knownSort = isKnown ? sort : 'order'
  const order = address.get('order')
  const state = address.get('state')
  return {
    sort: knownSort,
    order: order === 'asc' || order === 'desc' ? order : firstOrder(knownSort),
    search: address.get('search') ?? '',
    category: address.get('category') ?? '',
    tag: address.get('tag') ?? '',
    state: isState(state) ? state : 'all',
  }
}

/** What to change in the address for a sort: what goes without saying is left out of it. */
export function sortChanges(
  sort: string,
  order = firstOrder(sort),
): { sort: string | undefined; order: string | undefined } {
  return { sort: sort === 'order' ? undefined : sort, order: order === firstOrder(sort) ? undefined : order }
}

/** A click on a column's head: best first, worst first, and back to the suite's order. */
export function nextColumnSort(
  sort: string,
  current: CaseQuery,
): { sort: string | undefined; order: string | undefined } {
  if (current.sort !== sort) return sortChanges(sort)
  return current.order === firstOrder(sort)
    ? sortChanges(sort, current.order === 'asc' ? 'desc' : 'asc')
    : sortChanges('order')
}

export function ariaSort(sort: string, current: CaseQuery): 'ascending' | 'descending' | 'none' {
  if (current.sort !== sort) return 'none'
  return current.order === 'asc' ? 'ascending' : 'descending'
}

export function isFiltered({ search, category, tag, state }: CaseQuery): boolean {
  return search !== '' || category !== '' || tag !== '' || state !== 'all'
}
