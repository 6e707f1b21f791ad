import { expect, it } from 'vitest'
import type { RunGroup } from './run-groups.ts'
import { readRunSort, runSorts, sortRuns } from './sort-runs.ts'

const make = (selection: string, more: Partial<RunGroup>): RunGroup => ({
  selection,
  isSeries: false,
  runs: [],
  notStarted: 0,
  kind: 'suite',
  suiteName: 'S',
  startedAt: 0,
  models: [],
  means: new Map(),
  state: 'done',
  cells: 1,
  unscored: 0,
  errors: 0,
  notRun: 0,
  cost: 0,
  unknownCosts: 0,
  ...more,
})

it('sorts runs by what is asked for; the newer one is first among equals', () => {
  const groups = [
    make('new', { suiteName: 'B', cost: 1, means: new Map([['m', 0.2]]) }),
    make('middle', { suiteName: 'A', cost: 3, errors: 2, means: new Map([['m', 0.9]]) }),
    make('old', { suiteName: 'A', cost: 1, unscored: 1 }),
  ]
  const sorted = Object.fromEntries(
    runSorts.map((sort) => [sort, sortRuns(groups, sort).map(({ selection }) => selection)]),
  )
  expect(sorted).toEqual({
    newest: ['new', 'middle', 'old'],
    oldest: ['old', 'middle', 'new'],
    suite: ['middle', 'old', 'new'],
    score: ['middle', 'new', 'old'],
    cost: ['middle', 'new', 'old'],
    problems: ['middle', 'old', 'new'],
  })
  expect([readRunSort('cost'), readRunSort('?'), readRunSort(null)]).toEqual(['cost', 'newest', 'newest'])
})
