import type { CaseState } from '../../../server/results/cases/case-query.ts'

/** The filters and sort of the grid, in the address and in requests to the server. */
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
  missing: 'Without a score',
  error: 'With an error',
  'not-asked': 'Not asked',
  failed: 'Failed by a model',
  disagree: 'Models disagree',
  flaky: 'Flaky over runs',
  rated: 'Rated by a person',
}

export const caseSorts: Record<string, string> = {
  order: 'Suite order',
  id: 'Id',
  spread: 'Most disagreement',
  worst: 'Worst first',
}

/** The default order of a sort: descending for disagreement and for a model's column, else ascending. */
function defaultOrder(sort: string): 'asc' | 'desc' {
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
    order: order === 'asc' || order === 'desc' ? order : defaultOrder(knownSort),
    search: address.get('search') ?? '',
    category: address.get('category') ?? '',
    tag: address.get('tag') ?? '',
    state: isState(state) ? state : 'all',
  }
}

/** The address changes for a sort; defaults are omitted. */
export function sortChanges(
  sort: string,
  order = defaultOrder(sort),
): { sort: string | undefined; order: string | undefined } {
  return { sort: sort === 'order' ? undefined : sort, order: order === defaultOrder(sort) ? undefined : order }
}

/** Clicking a column header cycles through best first, worst first and suite order. */
export function nextColumnSort(
  sort: string,
  current: CaseQuery,
): { sort: string | undefined; order: string | undefined } {
  if (current.sort !== sort) return sortChanges(sort)
  return current.order === defaultOrder(sort)
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
