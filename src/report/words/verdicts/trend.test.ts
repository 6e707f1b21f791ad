import { expect, it } from 'vitest'
import { describeCoverage, describeTrendChange } from './trend.ts'

it('describeTrendChange names what changed, from what to what', () => {
  expect(describeTrendChange({ kind: 'parameter', name: 'temperature', from: '0.7', to: '0' })).toBe(
    'temperature 0.7 → 0',
  )
  expect(describeTrendChange({ kind: 'parameter', name: 'benchmarkMode', from: 'false', to: 'true' })).toBe(
    'Benchmark Mode off → on',
  )
  expect(describeTrendChange({ kind: 'judge', from: '', to: 'a, b (median)' })).toBe('judge none → a, b (median)')
  expect(describeTrendChange({ kind: 'suite-version', from: '2', to: '3' })).toBe('suite version 2 → 3')
  expect(describeTrendChange({ kind: 'cases-selected', count: 12, before: 30 })).toBe('12 cases instead of 30')
  expect(describeTrendChange({ kind: 'cases-selected', count: 1, before: 1 })).toBe('1 other case')
  expect(describeTrendChange({ kind: 'cases-changed', count: 2, before: 30 })).toBe('2 cases edited')
  expect(describeTrendChange({ kind: 'system-prompt' })).toBe('system prompt edited')
  expect(describeTrendChange({ kind: 'rescored', runId: 'r' })).toBe('answers of run r scored again')
})

it('describeCoverage says how many of the suite’s cases were asked', () => {
  expect(describeCoverage({ covered: 30, removed: 0 }, 30)).toBe('all 30 cases')
  expect(describeCoverage({ covered: 1, removed: 0 }, 30)).toBe('1 of 30 cases')
  expect(describeCoverage({ covered: 29, removed: 2 }, 30)).toBe('29 of 30 cases, and 2 no longer in the suite')
})
