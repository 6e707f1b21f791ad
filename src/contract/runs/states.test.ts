import { describe, expect, it } from 'vitest'
import { canResume, cellStateOf, isSkipped, runStateOf, stateOfRuns } from './states.ts'

describe('the state of a run', () => {
  it('comes from what is stored and from who holds it', () => {
    const statuses = ['idle', 'running', 'completed', 'failed', 'cancelled'] as const
    expect(statuses.map((status) => runStateOf(status, { isHeld: false }))).toEqual([
      'pending',
      'interrupted',
      'done',
      'failed',
      'stopped',
    ])
    expect(new Set(statuses.map((status) => runStateOf(status, { isHeld: true })))).toEqual(new Set(['running']))
  })
  it('is the most urgent one for several', () => {
    expect(stateOfRuns(['done', 'interrupted', 'running'])).toBe('running')
    expect(stateOfRuns(['done', 'failed', 'stopped'])).toBe('failed')
    expect(stateOfRuns([])).toBe('done')
  })
})

describe('a cell that was not run', () => {
  it('has the outcome of a run cut short, and neither a score nor a reason without one', () => {
    expect(isSkipped({ outcome: 'cancelled' })).toBe(true)
    expect(isSkipped({ outcome: 'timeout' })).toBe(false)
    expect(isSkipped({ outcome: 'cancelled', score: { score: 1 } })).toBe(false)
    expect(isSkipped({ outcome: 'cancelled', unscored: { code: 'judge-unreadable', message: '' } })).toBe(false)
  })
  it('is pending or running before its run ended', () => {
    expect(cellStateOf({ status: 'idle' })).toBe('pending')
    expect(cellStateOf({ status: 'running', outcome: 'ok' })).toBe('running')
    expect(cellStateOf({ status: 'completed', outcome: 'timeout' })).toBe('error')
  })
})

it('a run can be resumed if pages are unfinished or failed', () => {
  expect([
    canResume({ state: 'done' }),
    canResume({ state: 'done' }, 1),
    canResume({ state: 'stopped' }),
    canResume({ state: 'running' }),
    canResume({ state: 'running', workedOnBy: { host: 'lab', pid: 1, since: 0 } }),
  ]).toEqual([false, true, true, false, true])
})
