import { findShownState, type LiveProgress } from '../../../contract/index.ts'
import { describe, expect, it } from 'vitest'
import {
  announceProgress,
  describePace,
  describeSpent,
  countProgress,
  describeEnd,
  describeLiveOutcome,
  describeTitle,
} from './progress.ts'
import { describeRepeatedCost, describeRunEstimate } from './estimate.ts'

const estimate = {
  suite: 'Sums',
  cases: 12,
  repeat: 1,
  models: [],
  judges: [],
  embeddings: [],
  cells: 36,
  requests: 42,
  mostRequests: 48,
  promptTokens: 5210,
  cost: 0.123,
  largestRequest: 0.01,
  unknownPrices: [],
  problems: [],
  runsNeeded: '1',
}
const progress: LiveProgress = {
  state: 'running',
  done: 25,
  total: 100,
  scored: 20,
  unscored: 2,
  errors: 3,
  retries: 1,
  cost: 0.0123,
  unknownCosts: 0,
  rate: 4.21,
  etaMs: 17_800,
  startedAt: 0,
}

describe('an estimate in words', () => {
  it('says the likely cost first, the most it can be second, and where it comes from', () => {
    expect(describeRunEstimate({ ...estimate, likely: { cost: 0.0213, runs: 3 } })).toBe(
      'About $0.021, at most $0.12 · 36 answers · up to 48 requests · from the answers of 3 earlier runs',
    )
  })
  it('says only the most without an earlier run, and no requests where each answer is one', () => {
    expect(describeRunEstimate({ ...estimate, mostRequests: 36 })).toBe(
      'At most $0.12 · 36 answers · no earlier run to tell the likely cost',
    )
    expect(describeRunEstimate({ ...estimate, cost: 0 })).toBe('No cost · 36 answers · up to 48 requests')
  })
  it('names models whose price is unknown instead of showing $0', () => {
    const unpriced = { ...estimate, cost: null }
    expect(describeRunEstimate({ ...unpriced, unknownPrices: ['a/b'] })).toContain('rice unknown for a/b')
    expect(describeRunEstimate({ ...unpriced, unknownPrices: ['a/b', 'c/d', 'e/f', 'g/h'] })).toContain(
      'rice unknown for a/b, c/d and 2 more',
    )
  })
  it('multiplies the cost by the number of runs', () => {
    expect(describeRepeatedCost(10, estimate)).toBe('at most $1.23')
    expect(describeRepeatedCost(10, { ...estimate, likely: { cost: 0.02, runs: 1 } })).toBe(
      'about $0.20, at most $1.23',
    )
    expect(describeRepeatedCost(10, { ...estimate, cost: null })).toBe('')
  })
})

describe('progress in words', () => {
  it('shows the rate and the time left in whole seconds, and slow rates per minute', () => {
    expect(describePace(progress, 'running')).toEqual(['4.2 answers/s', 'about 18 s left'])
    expect(describePace({ ...progress, rate: 0.05, etaMs: 1_500_000 }, 'running')).toEqual([
      '3.0 answers/min',
      'about 25 min 0 s left',
    ])
    expect(describePace({ ...progress, rate: 0, etaMs: undefined }, 'running')).toEqual(['time left unknown'])
    expect(describePace(progress, 'interrupted')).toEqual([])
  })
  it('shows the cost and the budget', () => {
    expect(describeSpent({ ...progress, done: 4 })).toBe('$0.012 so far')
    expect(describeSpent(progress)).toBe('$0.012 of about $0.049')
    expect(describeSpent({ ...progress, cost: 0 })).toBe('$0 so far')
    expect(describeSpent({ ...progress, state: 'stopped' })).toBe('$0.012 spent')
    const unknown = { ...progress, cost: 0, unknownCosts: 4 }
    expect(describeSpent(unknown)).toBe('cost unknown so far')
    expect(describeSpent({ ...unknown, state: 'stopped' })).toBe('cost unknown')
    expect(describeSpent({ ...progress, budget: 0.5, unknownCosts: 2 })).toBe(
      '$0.012, plus 2 unpriced requests, budget $0.50',
    )
  })
  it('distinguishes a stopped run, an interrupted one, and one that another process works on', () => {
    const shown = (state: LiveProgress['state'], hasEnded: boolean, isLastRun = true) =>
      findShownState({ ...progress, state }, { hasEnded, isLastRun })
    expect(shown('running', false)).toBe('running')
    expect(shown('running', true)).toBe('interrupted')
    expect(shown('stopped', true)).toBe('stopped')
    const workedOnBy = { host: 'lab', pid: 1, since: 0 }
    expect(findShownState({ ...progress, workedOnBy }, { hasEnded: true, isLastRun: true })).toBe('running')
    expect(describeTitle('Sums', { ...progress, workedOnBy }, 'running')).toBe(
      'Running in another process at 25 % · Sums',
    )
    expect(shown('done', false, false)).toBe('waiting')
    expect(shown('done', true, false)).toBe('done')
    expect(shown('failed', true)).toBe('failed')
  })
  it('says what a run waits for', () => {
    expect(describePace({ ...progress, waiting: 'Waiting for a batch' }, 'waiting')).toEqual(['Waiting for a batch'])
    expect(describePace(progress, 'waiting')).toEqual(['starting the next run of the series'])
  })
  it('covers the whole series', () => {
    const series = { ...progress, series: { done: 125, total: 300 } }
    expect(countProgress(series)).toEqual({ done: 125, total: 300 })
    expect(describeLiveOutcome(series)).toBe('Too early to call: 125 of 300 answers.')
    expect(announceProgress(series, 'running')).toBe('40 percent of 300 answers done.')
    expect(describeSpent({ ...series, budget: 0.5 })).toBe('$0.012 of about $0.03, budget $0.50')
  })
  it('is in the window title, and 100 % only at the end', () => {
    const title = (done: number, state: Parameters<typeof describeTitle>[2]) =>
      describeTitle('Sums', { ...progress, series: { done, total: 300 } }, state)
    expect(title(125, 'running')).toBe('41 % · Sums')
    expect(title(299, 'waiting')).toBe('99 % · Sums')
    expect(title(300, 'done')).toBe('✓ Completed · Sums')
    expect(title(125, 'stopped')).toBe('Stopped at 41 % · Sums')
    expect(describeTitle('Empty', { ...progress, done: 0, total: 0 }, 'running')).toBe('0 % · Empty')
  })
  it('ends in a notification with the verdict, or the number of answers', () => {
    expect(describeEnd('Sums', progress, 'done', 'a/b beats c/d by 3 points.')).toEqual({
      title: 'Sums: completed',
      body: 'a/b beats c/d by 3 points. · 3 errors',
    })
    expect(describeEnd('Sums', { ...progress, errors: 0 }, 'failed', undefined).body).toBe('25 of 100 answers')
  })
  it('is announced only at every 10 percent', () => {
    const announcements = new Set(
      Array.from({ length: 101 }, (_, done) => announceProgress({ ...progress, done }, 'running')),
    )
    expect(announcements.size).toBe(11)
  })
})
