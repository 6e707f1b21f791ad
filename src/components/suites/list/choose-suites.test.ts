import { expect, it } from 'vitest'
import type { SuiteSummary } from '../../../server/suites/suite-summaries.ts'
import { chooseSuites, listMethods, readSuiteSort, suiteSorts } from './choose-suites.ts'

const make = (name: string, more: Partial<SuiteSummary>): SuiteSummary => ({
  id: name,
  name,
  cases: 1,
  methods: {},
  version: 1,
  savedAt: 0,
  isExample: false,
  needsJudge: false,
  hasUser: false,
  runs: 0,
  ...more,
})

const suites = [
  make('Sums 10', { cases: 5, methods: { 'exact-match': 3, 'exact-match + llm-judge': 2 } }),
  make('Sums 9', { cases: 90, description: 'Of the second year', methods: { 'exact-match': 90 } }),
  make('Letters', { cases: 5, methods: { boolean: 5 }, lastRun: { id: 'r', startedAt: 7, state: 'done' } }),
]
const all = { search: '', method: '', sort: 'saved' } as const
const names = (choice: Partial<Parameters<typeof chooseSuites>[1]>) =>
  chooseSuites(suites, { ...all, ...choice }).map(({ name }) => name)

it('finds suites by words and by a method of their cases', () => {
  expect(listMethods(suites)).toEqual(['boolean', 'exact-match', 'llm-judge'])
  expect(names({ method: 'llm-judge' })).toEqual(['Sums 10'])
  expect(names({ method: 'exact-match', search: 'second sums' })).toEqual(['Sums 9'])
  expect(names({ search: 'nothing of that' })).toEqual([])
})

it('sorts them by what is asked for; the one saved last is first among equals', () => {
  expect(suiteSorts.map((sort) => names({ sort }))).toEqual([
    ['Sums 10', 'Sums 9', 'Letters'],
    ['Letters', 'Sums 10', 'Sums 9'],
    ['Letters', 'Sums 9', 'Sums 10'],
    ['Sums 9', 'Sums 10', 'Letters'],
  ])
  expect(readSuiteSort('cases')).toBe('cases')
  expect(readSuiteSort('size')).toBe('saved')
})
