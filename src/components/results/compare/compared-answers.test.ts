import { expect, it } from 'vitest'
import { chooseAnswer, splitDiff } from './compared-answers.ts'
import { diffTexts } from '../case/word-diff.ts'

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

it('gives back both texts whole, with what only one of them has marked', () => {
  const [a, b] = ['The answer is 42 apples.', 'The answer is 41 apples, I think.']
  const diff = diffTexts(a, b)
  if (!('parts' in diff)) throw new Error('no diff')
  const split = splitDiff(diff)
  expect(split.a.map(({ text }) => text).join('')).toBe(a)
  expect(split.b.map(({ text }) => text).join('')).toBe(b)
  expect(split.a.find(({ isOwn }) => isOwn)?.text).toBe('42')
  expect(split.b.find(({ isOwn }) => isOwn)?.text).toBe('41')
  expect(split.a.filter(({ isOwn }) => !isOwn)).toEqual(split.b.filter(({ isOwn }) => !isOwn))
})
