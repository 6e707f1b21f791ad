import { describe, expect, it } from 'vitest'
import { countNotRun, describeStop, isPending } from './stop-words.ts'

describe('describeStop', () => {
  it('says nothing about a completed run, or one of unknown state', () => {
    expect(describeStop({ status: 'completed', cells: 9, notRun: 0 })).toBeUndefined()
    expect(describeStop({ cells: 9, notRun: 0 })).toBeUndefined()
  })
  it('says that and why a run stopped, and how much was not run', () => {
    const counts = { cells: 90, notRun: 70 }
    expect(describeStop({ status: 'cancelled', ...counts })).toBe('Stopped before it finished; 70 of 90 cells not run')
    expect(describeStop({ status: 'cancelled', stopReason: 'budget', maxCost: 0.5, ...counts })).toBe(
      'Stopped at its budget of $0.50: the next request could have exceeded it; 70 of 90 cells not run',
    )
    expect(describeStop({ status: 'cancelled', stopReason: 'budget', ...counts })).toContain('exceeded it; 70')
    expect(describeStop({ status: 'failed', stopReason: 'provider', ...counts })).toBe(
      'Stopped because the provider refused every request; 70 of 90 cells not run',
    )
    expect(describeStop({ status: 'failed', stopReason: 'provider', refusedModels: ['a', 'b'], ...counts })).toBe(
      'Stopped asking a and b because the provider refused every request to them; 70 of 90 cells not run',
    )
    expect(describeStop({ status: 'failed', ...counts })).toBe(
      'Failed because of an unexpected error; 70 of 90 cells not run',
    )
    expect(describeStop({ status: 'interrupted', ...counts })).toBe(
      'Interrupted: the process that ran it ended; 70 of 90 cells not run',
    )
  })
  it('says only "yet" of a run in progress', () => {
    expect(describeStop({ status: 'running', cells: 90, notRun: 1 })).toBe('Running: 1 of 90 cells not finished yet')
    expect(describeStop({ status: 'idle', cells: 90, notRun: 90 })).toBe('Not started: 90 of 90 cells not finished yet')
  })
  it('counts the runs of a series that never started', () => {
    expect(describeStop({ status: 'cancelled', cells: 90, notRun: 70, runsNotStarted: 1 })).toBe(
      'Stopped before it finished; 70 of 90 cells not run; 1 more run of its series not started',
    )
  })
  it('leaves out a count of none, and says so if nothing was asked', () => {
    expect(describeStop({ status: 'cancelled', cells: 90, notRun: 0 })).toBe('Stopped before it finished')
    expect(describeStop({ status: 'failed', stopReason: 'provider', cells: 2, notRun: 2 })).toBe(
      'Stopped because the provider refused every request; none of its 2 cells was run',
    )
  })
})

describe('a cell that was not run', () => {
  it('has the outcome of a run cut short, and neither a score nor a reason without one', () => {
    expect(isPending({ outcome: 'cancelled' })).toBe(true)
    expect(isPending({ outcome: 'timeout' })).toBe(false)
    expect(isPending({ outcome: 'cancelled', score: { score: 1 } })).toBe(false)
    expect(isPending({ outcome: 'cancelled', unscored: { code: 'judge-unreadable', message: '' } })).toBe(false)
  })
  it('is counted from the reasons of the statistics', () => {
    expect(countNotRun({ 'not-run': 3, timeout: 1 })).toBe(3)
    expect(countNotRun({ timeout: 1 })).toBe(0)
    expect(countNotRun(undefined)).toBe(0)
  })
})
