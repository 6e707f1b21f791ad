import { expect, it } from 'vitest'
import { gradeAsJudged } from './grade-trajectory.ts'
import { describeForJudge } from './judged-run.ts'
import { makeTrajectory } from './testing/make-trajectory.ts'
import type { TrajectoryStep } from './trajectory.ts'

it('shows a judge what was asked, said, called and expected', () => {
  const { prompt, response, expectedOutput } = describeForJudge(
    makeTrajectory([
      { source: 'system', text: 'Policy', calls: [] },
      { source: 'user', text: 'Cancel W7', calls: [] },
      { source: 'agent', text: '', calls: [{ name: 'cancel', arguments: { id: 'W7' }, result: 'no', isError: true }] },
      { source: 'agent', text: 'Done.', calls: [] },
    ]),
    { calls: [{ name: 'cancel', arguments: { id: 'W7' } }], said: ['54.04'] },
  )
  expect(prompt).toContain('The user asked first: Cancel W7')
  expect(response).toBe('User: Cancel W7\n\nCall: cancel({"id":"W7"})\nError: no\n\nAgent: Done.')
  expect(expectedOutput).toBe('Expected call: cancel({"id":"W7"})\nThe user must be told: 54.04')
})

it('keeps the beginning and the end of a long run', () => {
  const steps = Array.from({ length: 200 }, (_, index): TrajectoryStep => ({
    source: 'agent',
    text: `step ${index} ${'x'.repeat(2000)}`,
    calls: [],
  }))
  const { response } = describeForJudge(makeTrajectory(steps))
  expect(response.length).toBeLessThan(62_000)
  expect(response).toContain('step 0 ')
  expect(response).toContain('step 199 ')
  expect(response).toMatch(/\[\d+ steps left out\]/)
})

it('passes from the mark on, and leaves unscored what the infrastructure ended', () => {
  const judged = { score: 0.8, reasoning: 'fine', passAt: 0.8 }
  expect(gradeAsJudged(makeTrajectory([]), judged)).toMatchObject({ score: 0.8, passed: true, reasoning: 'fine' })
  expect(gradeAsJudged(makeTrajectory([]), { ...judged, score: 0.7 })).toMatchObject({ passed: false })
  expect(gradeAsJudged(makeTrajectory([]), { unscored: 'judge-unreadable' })).toMatchObject({
    score: null,
    unscored: 'judge-unreadable',
  })
  expect(gradeAsJudged(makeTrajectory([], { outcome: 'timeout' }), judged)).toMatchObject({
    score: null,
    fault: { rule: 'H1' },
  })
})
