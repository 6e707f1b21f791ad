import { expect, it } from 'vitest'
import { listLiveCases, titleOf } from './live-cases.ts'

it('includes the weight of a case if it is not 1, and its cluster, so that live means match those of the results', () => {
  const cases = [
    { id: 'a', prompt: 'Say  a', weight: 1, metadata: { template: 7 } },
    { id: 'b', prompt: 'Say b', weight: 2.5 },
  ]
  expect(listLiveCases({ testCases: cases, clusterBy: 'template' }, 3)).toEqual({
    cases: [
      { id: 'a', title: 'Say a', cluster: '7' },
      { id: 'b', title: 'Say b', weight: 2.5 },
    ],
    casesLeftOut: 0,
  })
})

it('stays under a megabyte for any suite, with shorter titles and finally fewer cases', () => {
  const many = Array.from({ length: 60_000 }, (_, index) => ({
    id: `case ${index} "quoted"`,
    prompt: 'é'.repeat(300),
    weight: 1 / 3,
    cluster: `template ${index} é`,
  }))
  const { cases, casesLeftOut } = listLiveCases({ testCases: many }, 1)
  expect(Buffer.byteLength(JSON.stringify(cases))).toBeLessThan(1_000_000)
  expect(cases.length + casesLeftOut).toBe(many.length)
})

it('titles a case by the question after a long text, else by how its prompt begins', () => {
  const titleOfPrompt = (prompt: string) => titleOf({ id: 'a', prompt, weight: 1 })
  expect(titleOfPrompt('Contract of Lumen Ltd …\n\nWhich law\ngoverns it? One word.\n')).toBe(
    'Which law governs it? One word.',
  )
  expect(titleOfPrompt('Which one?\n\nA) red\nB) blue')).toBe('Which one? A) red B) blue')
  expect(titleOfPrompt(`Read this.\n\n${'Why? '.repeat(100)}`)).toMatch(/^Read this\. Why\?/)
})
