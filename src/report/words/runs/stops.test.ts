import { describe, expect, it } from 'vitest'
import { describeRest, describeResumed, describeStop, explainStop } from './stops.ts'

describe('describeStop', () => {
  it('says nothing about a completed run', () => {
    expect(describeStop({ state: 'done', cells: 9, notRun: 0 })).toBeUndefined()
  })
  it('says that and why a run stopped, and how much was not run', () => {
    const counts = { cells: 90, notRun: 70 }
    expect(describeStop({ state: 'stopped', ...counts })).toBe('Stopped before it finished; 70 of 90 cells not run')
    expect(describeStop({ state: 'stopped', stopReason: 'budget', maxCost: 0.5, ...counts })).toBe(
      'Stopped at its budget of $0.50: the next request could have exceeded it; 70 of 90 cells not run',
    )
    expect(describeStop({ state: 'stopped', stopReason: 'budget', ...counts })).toContain('exceeded it; 70')
    expect(describeStop({ state: 'failed', stopReason: 'provider', ...counts })).toBe(
      'Stopped because the provider refused every request; 70 of 90 cells not run',
    )
    expect(describeStop({ state: 'failed', stopReason: 'provider', refusedModels: ['a', 'b'], ...counts })).toBe(
      'Stopped sending to a and b because the provider refused every request to them; 70 of 90 cells not run',
    )
    expect(describeStop({ state: 'failed', ...counts })).toBe(
      'Failed because of an unexpected error; 70 of 90 cells not run',
    )
    expect(describeStop({ state: 'interrupted', ...counts })).toBe(
      'Interrupted: the process that ran it ended; 70 of 90 cells not run',
    )
  })
  it('says only "yet" of a run in progress', () => {
    expect(describeStop({ state: 'running', cells: 90, notRun: 1 })).toBe('Running: 1 of 90 cells not finished yet')
    expect(describeStop({ state: 'pending', cells: 90, notRun: 90 })).toBe(
      'Not started: 90 of 90 cells not finished yet',
    )
  })
  it('counts the runs of a series that never started', () => {
    expect(describeStop({ state: 'stopped', cells: 90, notRun: 70, runsNotStarted: 1 })).toBe(
      'Stopped before it finished; 70 of 90 cells not run; 1 more run of its series not started',
    )
  })
  it('leaves out a count of none, and says so if nothing was run', () => {
    expect(describeStop({ state: 'stopped', cells: 90, notRun: 0 })).toBe('Stopped before it finished')
    expect(describeStop({ state: 'failed', stopReason: 'provider', cells: 2, notRun: 2 })).toBe(
      'Stopped because the provider refused every request; none of its 2 cells was run',
    )
  })
})

describe('why a run ended early', () => {
  it('is the budget, the provider, a user, a dead process or an unexpected error', () => {
    const budget = { state: 'stopped', stopReason: 'budget', maxCost: 0.5 } as const
    expect(explainStop(budget)?.sentence).toBe(
      'Stopped at its budget of $0.50: the next request could have exceeded it.',
    )
    expect(explainStop({ ...budget, maxCost: undefined }, '$0.20 spent')?.sentence).toBe(
      'Stopped at its budget: the next request could have exceeded it ($0.20 spent).',
    )
    expect(explainStop({ state: 'failed', stopReason: 'provider' }, '401 no such key')?.sentence).toBe(
      'Stopped because the provider refused every request: 401 no such key',
    )
    expect(explainStop({ state: 'stopped' })).toEqual({
      short: 'by a user',
      sentence: 'Stopped before it finished.',
    })
    expect(explainStop({ state: 'interrupted' })?.short).toBe('process ended')
    expect(explainStop({ state: 'failed' })?.sentence).toBe('Failed because of an unexpected error.')
  })

  it('is undefined for a run that completed or continues', () => {
    expect(explainStop({ state: 'done' })).toBeUndefined()
    expect(explainStop({ state: 'running' })).toBeUndefined()
    // A resumed run still has the reason of its last stop.
    expect(explainStop({ state: 'running', stopReason: 'budget' })).toBeUndefined()
  })
})

it('a resume says what it kept, sent, retried and scored, and nothing of what it did not', () => {
  const none = { kept: 15, asked: 0, retried: 0, repeated: 0, scored: 0 }
  expect(describeResumed(none)).toBe('Kept 15.')
  expect(describeResumed({ ...none, asked: 9, retried: 9 })).toBe('Kept 15, retried 9.')
  expect(describeResumed({ kept: 6, asked: 14, retried: 1, repeated: 2, scored: 3 })).toBe(
    'Kept 6, sent 13 (2 of them were in flight), retried 1, scored 3 stored answers.',
  )
})

it('a stopped run says what is left and how to go on', () => {
  expect(describeRest(1, { runId: 'r1', isAtBudget: false })).toBe(
    'Stopped with 1 cell not run. Next: benchmaker resume r1',
  )
  expect(describeRest(20, { runId: 'r1', isAtBudget: true })).toBe(
    'Stopped with 20 cells not run. Next: benchmaker resume r1 --max-cost <usd>, with a larger budget',
  )
})
