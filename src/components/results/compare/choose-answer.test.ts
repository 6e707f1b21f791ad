import { expect, it } from 'vitest'
import { chooseAnswer } from './choose-answer.ts'

it('chooses the answers of a series that show the change, or the run in the address', () => {
  const answers = [0.5, undefined, 1, 0].map((score, index) => ({
    runId: `r${index}`,
    result: score === undefined ? {} : { score: { score } },
  }))
  const choose = (kind: string, side: 'a' | 'b', runId: string | null = null) =>
    chooseAnswer(answers, { runId, kind, side })?.runId
  expect([choose('worse', 'a'), choose('worse', 'b')]).toEqual(['r2', 'r3'])
  expect([choose('better', 'a'), choose('better', 'b')]).toEqual(['r3', 'r2'])
  expect([choose('same', 'a'), choose('not compared', 'b')]).toEqual(['r0', 'r0'])
  expect(choose('worse', 'a', 'r1')).toBe('r1')
  expect(chooseAnswer([], { runId: null, kind: 'worse', side: 'a' })).toBeUndefined()
})
