import type { ListedRun } from '../../../server/runs/listed-runs.ts'
import { describe, expect, it } from 'vitest'
import { groupOfRun, groupRuns, resumable } from './run-groups.ts'

function run(id: string, changes: Partial<ListedRun> = {}): ListedRun {
  return {
    id,
    kind: 'suite',
    testSuiteName: 'Capitals',
    models: ['a', 'b'],
    status: 'completed',
    startedAt: Number(id.replace(/\D/g, '')),
    cells: { total: 10, scored: 9, unscored: 1, errors: 0, pending: 0 },
    cost: 0.1,
    unknownCosts: 0,
    state: 'done',
    means: { a: 0.5, b: 0.9 },
    ...changes,
  }
}

describe('groupRuns', () => {
  it('groups a series into one row, keeps the order of the list whatever the clock says, and counts each run once', () => {
    const groups = groupRuns([
      run('r3', { seriesId: 's', startedAt: 1 }),
      run('r2', { startedAt: 5 }),
      run('r1', { seriesId: 's', startedAt: 9 }),
      run('r2', { startedAt: 5 }),
    ])
    expect(groups.map(({ selection, runs }) => [selection, runs.map(({ id }) => id)])).toEqual([
      ['series:s', ['r1', 'r3']],
      ['r2', ['r2']],
    ])
    expect(groups[0]).not.toHaveProperty('label')
    expect(groupOfRun(run('r9', { label: { name: 'N' } })).label).toEqual({ name: 'N' })
    expect(groups[0]).toMatchObject({ cells: 20, unscored: 2, notRun: 0, startedAt: 9, cost: 0.2 })
  })

  it('counts the runs of a series that have not started, unless the next page may have them', () => {
    const stopped = run('r2', { seriesId: 's', repeat: 3, state: 'stopped', status: 'cancelled' })
    const [group] = groupRuns([stopped])
    expect(group).toMatchObject({ notStarted: 2, cells: 30, notRun: 20 })
    expect(resumable(group!)?.id).toBe('r2')
    expect(groupRuns([stopped], { hasMore: true })[0]).toMatchObject({ notStarted: 0, cells: 10, notRun: 0 })
    const decided = { ...stopped, stopReason: 'decided' as const }
    expect(groupRuns([decided])[0]).toMatchObject({ notStarted: 0, notRun: 0 })
  })

  it('averages over the runs with a score, best model first', () => {
    const [group] = groupRuns([
      run('r1', { seriesId: 's', means: { a: 0.4 } }),
      run('r2', { seriesId: 's', means: { a: 0.6, b: 0.9 } }),
    ])
    expect(group!.means.get('a')).toBeCloseTo(0.5)
    expect(group!.means.get('b')).toBeCloseTo(0.9)
    expect(group!.models).toEqual(['b', 'a'])
  })

  it('shows the most urgent state of its runs', () => {
    const [group] = groupRuns([
      run('r1', { seriesId: 's' }),
      run('r2', { seriesId: 's', status: 'running', state: 'running' }),
    ])
    expect(group!.state).toBe('running')
  })
})

describe('resumable', () => {
  const unfinished = { total: 10, scored: 5, unscored: 0, errors: 0, pending: 5 }

  it('is the first run with remaining cells, never one that runs here', () => {
    expect(resumable(groupOfRun(run('r1')))).toBeUndefined()
    expect(resumable(groupOfRun(run('r1', { status: 'cancelled', state: 'stopped', cells: unfinished })))?.id).toBe(
      'r1',
    )
    expect(resumable(groupOfRun(run('r1', { status: 'running', state: 'running', cells: unfinished })))).toBeUndefined()
    const workedOnBy = { host: 'lab', pid: 1, since: 0 }
    expect(
      resumable(groupOfRun(run('r1', { status: 'running', state: 'running', workedOnBy, cells: unfinished })))?.id,
    ).toBe('r1')
  })

  it('includes runs with errors', () => {
    expect(resumable(groupOfRun(run('r1', { cells: { ...unfinished, pending: 0, errors: 2 } })))?.id).toBe('r1')
  })
})
