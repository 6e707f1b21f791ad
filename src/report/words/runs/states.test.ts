import { describe, expect, it } from 'vitest'
import { runStateSchema } from '../../../contract/runs/states.ts'
import { describeOpenCells, describeRunState } from './states.ts'

describe('the state of a run', () => {
  it('has one word, the same on every screen', () => {
    expect(runStateSchema.options.map((state) => describeRunState({ state }))).toEqual([
      'not started',
      'running',
      'waiting',
      'interrupted',
      'stopped',
      'failed',
      'completed',
    ])
    const workedOnBy = { host: 'lab', pid: 1, since: 0 }
    expect(describeRunState({ state: 'running', workedOnBy })).toBe('running in another process')
  })
})

describe('cells without a score', () => {
  it('are named by kind', () => {
    expect(describeOpenCells({ errors: 1, unscored: 2, notRun: 40 })).toBe('1 error, 2 unscored, 40 not run')
    expect(describeOpenCells({ errors: 0, unscored: 0, notRun: 0 })).toBe('')
    expect(describeOpenCells({ errors: 1, unscored: 0, notRun: 4, isLive: true })).toBe('1 error, 4 pending')
  })
})
