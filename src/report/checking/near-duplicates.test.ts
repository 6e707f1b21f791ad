import { expect, it } from 'vitest'
import { findNearDuplicates } from './near-duplicates.ts'

it('reads a case as often as it has to, however many cases share its words', () => {
  let read = 0
  const testCases = Array.from({ length: 400 }, (_, index) => {
    const testCase = { id: `c${index}`, scoringMethod: 'exact-match', expectedOutput: `${index}`, weight: 1 }
    const prompt = `How many apples does person ${index} own on day ${index % 7}?`
    return Object.defineProperty({ ...testCase, prompt }, 'prompt', {
      enumerable: true,
      get: () => {
        read++
        return prompt
      },
    })
  })
  expect(findNearDuplicates({ name: 'S', testCases })).toEqual([])
  expect(read).toBeLessThan(10 * testCases.length)
})

it('leaves conversations alone that begin with the same words and have to come to something else', () => {
  const find = (...more: object[]) =>
    findNearDuplicates({
      name: 'S',
      testCases: more.map((own, index) => ({
        id: `c${index}`,
        weight: 1,
        prompt: 'Please return the keyboard.',
        ...own,
      })),
    })
  const [one, other] = [[{ name: 'a', arguments: {} }], [{ name: 'b', arguments: {} }]]
  expect(find({ reference: one }, { reference: other })).toEqual([])
  expect(find({ endState: { a: 1 } }, { endState: { a: 2 } })).toEqual([])
  expect(find({ world: { a: 1 }, reference: one }, { world: { a: 2 }, reference: one })).toEqual([])
  expect(find({ reference: one }, { reference: one })).toHaveLength(1)
})
