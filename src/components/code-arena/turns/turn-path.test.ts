import { describe, expect, it } from 'vitest'
import type { ArenaTurn } from '../../../server/code-arena/arena-turns.ts'
import { listGapLines, listGrades, listSteps } from './turn-path.ts'

const run = (runId: string, turn: number, change: Partial<ArenaTurn> = {}): ArenaTurn => ({
  runId,
  turn,
  prompt: `prompt of ${runId}`,
  startedAt: turn,
  state: 'done',
  models: [{ modelId: 'a', score: turn / 10, gaps: [] }],
  ...change,
})

const first = run('one', 1)
const second = run('two', 2, { follows: 'one' })
const other = run('two-b', 2, { follows: 'one' })
const third = run('three', 3, { follows: 'two' })
const earlierOf = (...runs: ArenaTurn[]) => runs.map(({ runId, prompt }) => ({ runId, prompt }))

describe('the steps of a conversation', () => {
  it('lead through the run that is shown to the newest follow-up', () => {
    const steps = listSteps({ turns: [first, second, other, third], earlier: earlierOf(first) }, 'two')
    expect(steps.map(({ turn, run: shown, isShown }) => [turn, shown?.runId, isShown])).toEqual([
      [1, 'one', false],
      [2, 'two', true],
      [3, 'three', false],
    ])
    expect(steps[1]?.versions.map(({ runId }) => runId)).toEqual(['two', 'two-b'])
    const newest = listSteps({ turns: [first, second, other, third], earlier: [] }, 'one')
    expect(newest.map(({ run: shown }) => shown?.runId)).toEqual(['one', 'two-b'])
  })

  it('name deleted runs by their prompts', () => {
    const steps = listSteps({ turns: [second, third], earlier: earlierOf(first, second) }, 'three')
    expect(steps.map(({ prompt, run: shown }) => [prompt, shown?.runId])).toEqual([
      ['prompt of one', undefined],
      ['prompt of two', 'two'],
      ['prompt of three', 'three'],
    ])
    expect(steps[1]?.versions.map(({ runId }) => runId)).toEqual(['two'])
  })

  it('are one for a run that was never continued, and none for an unknown one', () => {
    expect(listSteps({ turns: [first], earlier: [] }, 'one')).toHaveLength(1)
    expect(listSteps({ turns: [], earlier: [] }, 'one')).toEqual([])
  })
})

it('grades are listed by turn, with a gap where a model was not run', () => {
  const narrowed = run('two', 2, { follows: 'one', models: [{ modelId: 'b', score: 0.5, gaps: [] }] })
  const both = run('one', 1, {
    models: [
      { modelId: 'a', score: 0.1, gaps: [] },
      { modelId: 'b', gaps: [] },
    ],
  })
  expect(listGrades(listSteps({ turns: [both, narrowed], earlier: [] }, 'one'))).toEqual([
    { modelId: 'a', scores: [0.1, undefined] },
    { modelId: 'b', scores: [undefined, 0.5] },
  ])
})

it('gaps are named by what the model is called on the screen, and give no hidden name away', () => {
  const gaps = [
    'There is no page of turn 1: secret/name is overloaded',
    'The page of turn 2 (9 characters) was left out: x',
  ]
  const gapped = run('two', 2, { models: [{ modelId: 'secret/name', gaps }] })
  expect(listGapLines(gapped, (modelId) => modelId)).toEqual(gaps.map((gap) => `secret/name: ${gap}`))
  expect(listGapLines(gapped, () => 'Page A')).toEqual([
    'Page A: There is no page of turn 1',
    'Page A: The page of turn 2 (9 characters) was left out',
  ])
})
