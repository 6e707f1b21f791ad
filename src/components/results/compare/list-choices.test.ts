import { expect, it } from 'vitest'
import { formatLocalClock } from '../../ui/local-time.ts'
import type { RunGroup } from '../runs/run-groups.ts'
import { findPrevious, listChoices } from './list-choices.ts'

const START = Date.UTC(2026, 10, 17, 7, 2)

function group(selection: string, changes: Partial<RunGroup> = {}): RunGroup {
  return {
    selection,
    isSeries: false,
    runs: [],
    notStarted: 0,
    kind: 'suite',
    suiteName: 'Capitals',
    startedAt: START,
    models: ['a'],
    means: new Map(),
    state: 'done',
    cells: 1,
    unscored: 0,
    errors: 0,
    notRun: 0,
    cost: 0,
    unknownCosts: 0,
    ...changes,
  }
}

it('runs of one minute are told apart by their models, then by the second, and then by their ids', () => {
  const clock = (time: number) => formatLocalClock(time, { withSeconds: true })
  const labels = listChoices([
    group('r1'),
    group('later', { startedAt: START + 31_000 }),
    group('r2', { models: ['a', 'b', 'c', 'd', 'e'] }),
    group('r3'),
    group('r4', { label: { name: 'Named' } }),
    group('r5', { suiteName: 'Rivers' }),
  ]).map(({ label }) => label.replace(/^(Named · )?.* · (Capitals|Rivers)/, '$1$2'))
  expect(labels).toEqual([
    `Capitals · a · ${clock(START)} · r1`,
    `Capitals · a · ${clock(START + 31_000)}`,
    'Capitals · a, b and 3 more',
    `Capitals · a · ${clock(START)} · r3`,
    'Named · Capitals',
    'Rivers',
  ])
})

it('compares a run with the one of its suite before it, never with an experiment or a run of its own series', () => {
  const groups = [
    group('new', { startedAt: START + 9 }),
    group('experiment', { startedAt: START + 8, kind: 'playground' }),
    group('other', { startedAt: START + 7, suiteName: 'Rivers' }),
    group('series:s', { startedAt: START + 5, isSeries: true }),
    group('old', { startedAt: START }),
  ]
  expect(['new', 'series:s', 'old', 'other', 'unknown'].map((name) => findPrevious(groups, name))).toEqual([
    'series:s',
    'old',
    undefined,
    undefined,
    undefined,
  ])
})
