import { expect, it } from 'vitest'
import { countOpenPairs, isWaitingForVote } from './waiting-runs.ts'

const run = { runId: 'r', models: ['a', 'b', 'c'], votes: 1, state: 'done' as const }

it('a run waits for a vote while pairs are left and its names are unknown', () => {
  expect(countOpenPairs(run)).toBe(2)
  expect(isWaitingForVote(run, new Set())).toBe(true)
  expect(isWaitingForVote(run, new Set(['r']))).toBe(false)
  expect(isWaitingForVote({ ...run, votes: 3 }, new Set())).toBe(false)
  expect(isWaitingForVote({ ...run, models: ['a'], votes: 0 }, new Set())).toBe(false)
  expect(isWaitingForVote({ ...run, state: 'running' }, new Set())).toBe(false)
})
