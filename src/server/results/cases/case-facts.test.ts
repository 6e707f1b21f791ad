import { expect, it } from 'vitest'
import { titleOf } from './case-facts.ts'

it('titles a case by the question after a long text, else by how its prompt begins', () => {
  const titleOfPrompt = (prompt: string) => titleOf({ id: 'a', prompt, weight: 1 })
  expect(titleOfPrompt('Contract of Lumen Ltd …\n\nWhich law\ngoverns it? One word.\n')).toBe(
    'Which law governs it? One word.',
  )
  expect(titleOfPrompt('Which one?\n\nA) red\nB) blue')).toBe('Which one? A) red B) blue')
  expect(titleOfPrompt(`Read this.\n\n${'Why? '.repeat(100)}`)).toMatch(/^Read this\. Why\?/)
})
