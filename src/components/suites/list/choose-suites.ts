import type { SuiteSummary } from '../../../server/suites/suite-summaries.ts'

export const suiteSorts = ['saved', 'run', 'name', 'cases'] as const

export type SuiteSort = (typeof suiteSorts)[number]

export const sortNames: Record<SuiteSort, string> = {
  saved: 'Last saved first',
  run: 'Last run first',
  name: 'By name',
  cases: 'Most cases first',
}

export function readSuiteSort(text: string | null): SuiteSort {
  return suiteSorts.find((name) => name === text) ?? 'saved'
}

const orders: Record<SuiteSort, (a: SuiteSummary, b: SuiteSummary) => number> = {
  saved: () => 0,
  run: (a, b) => (b.lastRun?.startedAt ?? 0) - (a.lastRun?.startedAt ?? 0),
  name: (a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }),
  cases: (a, b) => b.cases - a.cases,
}

/** The methods of one case, of which it can have several. */
const partsOf = (methods: string) => methods.split(' + ')

/** Every method that a suite uses, by name. */
export function listMethods(suites: readonly SuiteSummary[]): string[] {
  return [...new Set(suites.flatMap(({ methods }) => Object.keys(methods).flatMap(partsOf)))].toSorted()
}

function contains({ name, description = '', methods }: SuiteSummary, search: string): boolean {
  const text = [name, description, ...Object.keys(methods)].join('\n').toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

interface SuiteChoice {
  search: string
  /** A scoring method, or empty. */
  method: string
  sort: SuiteSort
}

/** The suites that are asked for, in the order that is asked for. They are given with the last saved one first. */
export function chooseSuites(suites: readonly SuiteSummary[], { search, method, sort }: SuiteChoice): SuiteSummary[] {
  return suites
    .filter((suite) => contains(suite, search))
    .filter(({ methods }) => method === '' || Object.keys(methods).some((names) => partsOf(names).includes(method)))
    .toSorted(orders[sort])
}
