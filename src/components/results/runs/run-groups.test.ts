import type { ListedRun } from '../../../server/runs/listed-runs.ts'
import { describe, expect, it } from 'vitest'
import { groupOfRun, groupRuns, matchesSearch, resumable, stateOf } from './run-groups.ts'

function run(id: string, changes: Partial<ListedRun> = {}): ListedRun {
  return {
    id,
    testSuiteName: 'Capitals',
    models: ['a', 'b'],
    status: 'completed',
    startedAt: Number(id.replace(/\D/g, '')),
    cells: { total: 10, scored: 9, unscored: 1, errors: 0, pending: 0 },
    cost: 0.1,
    unknownCosts: 0,
    isLive: false,
    isInterrupted: false,
    means: { a: 0.5, b: 0.9 },
    ...changes,
  }
}

describe('groupRuns', () => {
  it('makes one row of a series, newest row first, and counts a run once', () => {
    const series = [run('r3', { seriesId: 's' }), run('r1', { seriesId: 's' })]
    const groups = groupRuns([run('r2'), ...series, run('r2')])
    expect(groups.map(({ selection, runs }) => [selection, runs.map(({ id }) => id)])).toEqual([
      ['series:s', ['r1', 'r3']],
      ['r2', ['r2']],
    ])
    expect(groups[0]).toMatchObject({ cells: 20, missing: 2, startedAt: 1, cost: 0.2 })
  })

  it('means over the runs that have a score, best model first', () => {
    const [group] = groupRuns([
      run('r1', { seriesId: 's', means: { a: 0.4 } }),
      run('r2', { seriesId: 's', means: { a: 0.6, b: 0.9 } }),
    ])
    expect(group!.means.get('a')).toBeCloseTo(0.5)
    expect(group!.means.get('b')).toBeCloseTo(0.9)
    expect(group!.models).toEqual(['b', 'a'])
  })

  it('says the most urgent state of its runs', () => {
    const [group] = groupRuns([
      run('r1', { seriesId: 's' }),
      run('r2', { seriesId: 's', status: 'running', isLive: true }),
    ])
    expect(group!.state).toBe('live')
  })
})

describe('stateOf', () => {
  it('tells a killed run from one that goes on', () => {
    expect(stateOf(run('r1', { status: 'running', isInterrupted: true }))).toBe('interrupted')
    expect(stateOf(run('r1', { status: 'running', isLive: true }))).toBe('live')
    expect(stateOf(run('r1', { status: 'running' }))).toBe('elsewhere')
    expect(stateOf(run('r1', { status: 'cancelled' }))).toBe('stopped')
  })
})

describe('resumable', () => {
  const open = { total: 10, scored: 5, unscored: 0, errors: 0, pending: 5 }

  it('is the first run with cells to ask, never one that goes on', () => {
    expect(resumable(groupOfRun(run('r1')))).toBeUndefined()
    expect(resumable(groupOfRun(run('r1', { status: 'cancelled', cells: open })))?.id).toBe('r1')
    expect(resumable(groupOfRun(run('r1', { status: 'running', isLive: true, cells: open })))).toBeUndefined()
  })

  it('tries errors again', () => {
    expect(resumable(groupOfRun(run('r1', { cells: { ...open, pending: 0, errors: 2 } })))?.id).toBe('r1')
  })
})

it('search wants every word, anywhere, in any case', () => {
  const group = groupOfRun(run('r7'))
  expect(matchesSearch(group, '  CAPIT finished ')).toBe(true)
  expect(matchesSearch(group, 'capitals r8')).toBe(false)
  expect(matchesSearch(group, '')).toBe(true)
})
