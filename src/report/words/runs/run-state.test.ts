import { describe, expect, it } from 'vitest'
import { describeOpenCells, describeRunState, explainStop } from './run-state.ts'

describe('the state of a run', () => {
  it('has one word, the same on every screen', () => {
    expect(
      (['idle', 'running', 'completed', 'failed', 'cancelled'] as const).map((status) => describeRunState({ status })),
    ).toEqual(['not started', 'running elsewhere', 'completed', 'failed', 'cancelled'])
    expect(describeRunState({ status: 'running', isLive: true })).toBe('running')
    expect(describeRunState({ status: 'running', isInterrupted: true })).toBe('interrupted')
  })
})

describe('why a run ended early', () => {
  it('is the budget, the provider, a user, a dead process or an unexpected error', () => {
    const budget = { status: 'cancelled', stopReason: 'budget', maxCost: 0.5 } as const
    expect(explainStop(budget)?.sentence).toBe(
      'Stopped at its budget of $0.50: the next request could have exceeded it.',
    )
    expect(explainStop({ ...budget, maxCost: undefined }, '$0.20 spent')?.sentence).toBe(
      'Stopped at its budget: the next request could have exceeded it ($0.20 spent).',
    )
    expect(explainStop({ status: 'failed', stopReason: 'provider' }, '401 no such key')?.sentence).toBe(
      'Stopped because the provider refused every request: 401 no such key',
    )
    expect(explainStop({ status: 'cancelled' })).toEqual({
      short: 'by a user',
      sentence: 'Stopped before it finished.',
    })
    expect(explainStop({ status: 'running', isInterrupted: true })?.short).toBe('process ended')
    expect(explainStop({ status: 'failed' })?.sentence).toBe('Failed because of an unexpected error.')
  })

  it('is undefined for a run that completed or continues', () => {
    expect(explainStop({ status: 'completed' })).toBeUndefined()
    expect(explainStop({ status: 'running' })).toBeUndefined()
    // A resumed run still has the reason of its last stop.
    expect(explainStop({ status: 'running', isLive: true, stopReason: 'budget' })).toBeUndefined()
  })
})

describe('cells without a score', () => {
  it('are named by kind', () => {
    expect(describeOpenCells({ errors: 1, unscored: 2, notRun: 40 })).toBe('1 error, 2 unscored, 40 not run')
    expect(describeOpenCells({ errors: 0, unscored: 0, notRun: 0 })).toBe('')
    expect(describeOpenCells({ errors: 1, unscored: 0, notRun: 4, isLive: true })).toBe('1 error, 4 waiting')
  })
})
