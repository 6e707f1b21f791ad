import { expect, it } from 'vitest'
import { summariseSuite } from './suite-summaries.ts'

it('cases are counted by scoring method, whatever it is called', () => {
  const testCases = ['constructor', 'constructor', '__proto__'].map((scoringMethod) => ({ scoringMethod }))
  const content = { suite: { name: 'Own scorers', testCases } }
  const { methods } = summariseSuite({ kind: 'suite', id: 's', version: 1, savedAt: 0, content }, [], () => ({
    state: 'done',
  }))
  expect(Object.entries(methods)).toEqual([
    ['constructor', 2],
    ['__proto__', 1],
  ])
})
