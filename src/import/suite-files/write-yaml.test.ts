import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { finishSuite } from './finish-suite.ts'
import { parseLocated } from '../text/located-document.ts'
import { writeSuiteYaml } from './write-yaml.ts'

const readBack = (text: string) => {
  const { value, locate } = parseLocated(text, 's.yaml')
  return finishSuite(value, locate).suite
}

describe('a suite written as YAML', () => {
  it('is read back as the same suite, braces and all', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('{{a}}', '\\{{a}}', '1.50', 'true', 'null', '- x', 'a: b', '# c', ' x '),
    )
    const blankless = text.filter((value) => value.trim() !== '')
    fc.assert(
      fc.property(blankless, blankless, text, (prompt, expectedOutput, variable) => {
        const raw = {
          name: 'S',
          testCases: [
            { id: 'a', prompt, expectedOutput, scoringMethod: 'exact-match', weight: 2, vars: { a: variable } },
            {
              id: 'b',
              messages: [{ role: 'user' as const, content: prompt }],
              checks: [{ scoringMethod: 'boolean', expectedOutput, weight: 1 }],
              weight: 1,
            },
          ],
        }
        expect(readBack(writeSuiteYaml(raw))).toEqual(raw)
      }),
    )
  })
})
