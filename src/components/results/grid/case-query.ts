import type { CaseState } from '../../../server/results/cases/case-query.ts'
import { groupFilter } from '../groupings.ts'

/** The filters and sort of the grid, in the address and in requests to the server. */
export interface CaseQuery {
  sort: string
  order: 'asc' | 'desc'
  search: string
  category: string
  tag: string
  difficulty: string
  /** Only cases on which some model scores less than this, 0 to 100; empty for all. */
  below: string
  state: CaseState
  /** `1` to show answers. */
  answers: '' | '1'
}

export const caseStates: Record<CaseState, string> = {
  all: 'All cases',
  missing: 'Without a score',
  error: 'Errors',
  'not-run': 'Not run',
  failed: 'Failed',
  disagree: 'Models split',
  'all-failed': 'All failed',
  flaky: 'Flaky',
  doubtful: 'Scorer in doubt',
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

export function isBelow(text: string): boolean {
  return text.trim() === '' || (Number(text) > 0 && Number(text) <= 100)
}

function readBelow(text: string | null): string {
  return text !== null && isBelow(text) ? text.trim() : ''
}

/** The filters, sort and view of the grid; the group of the page wins over a filter. */
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
    difficulty: address.get('difficulty') ?? '',
    below: readBelow(address.get('below')),
    state: isState(state) ? state : 'all',
    answers: address.get('answers') === '1' ? '1' : '',
    ...groupFilter(address.get('group')),
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

/** The filters in words. */
export function listFilters({ search, category, tag, difficulty, below, state }: CaseQuery): string[] {
  return [
    search !== '' && `search “${search}”`,
    state !== 'all' && `“${caseStates[state]}”`,
    below !== '' && `score < ${below}`,
    category !== '' && `category ${category}`,
    tag !== '' && `tag ${tag}`,
    difficulty !== '' && `difficulty ${difficulty}`,
  ].filter((filter) => filter !== false)
}

/** Removes every filter. */
export const noFilters = {
  search: undefined,
  category: undefined,
  tag: undefined,
  difficulty: undefined,
  below: undefined,
  state: undefined,
}

export function isFiltered(query: CaseQuery): boolean {
  return listFilters(query).length > 0
}

const IN_ADDRESS = [
  'sort',
  'order',
  'search',
  'category',
  'tag',
  'difficulty',
  'below',
  'state',
  'answers',
  'group',
  'difference',
]

/** The filters and the sort as a part of an address, which another case keeps. */
export function addressOfFilters(address: URLSearchParams): string {
  const kept = IN_ADDRESS.flatMap((name): [string, string][] => {
    const value = address.get(name)
    return value === null ? [] : [[name, value]]
  })
  return new URLSearchParams(kept).toString()
}

/** Which cases, in which order: what the server needs to know the neighbours of one. */
export function filterOf({ sort, order, search, category, tag, difficulty, below, state }: CaseQuery) {
  return { sort, order, search, category, tag, difficulty, below, state }
}
