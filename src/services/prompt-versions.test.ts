import { expect, it } from 'vitest'
import { suiteSchema } from '../contract/index.ts'
import { namePromptVersions } from './prompt-versions.ts'

const versionsOf = (testCases: Record<string, unknown>[], fields: Record<string, unknown> = {}) =>
  namePromptVersions(
    suiteSchema.parse({ name: 'S', testCases: testCases.map((one, id) => ({ id: `${id}`, ...one })), ...fields }),
  )

it('names every prompt that the judges of a suite are sent, once', () => {
  expect(versionsOf([{ scoringMethod: 'llm-judge' }, { scoringMethod: 'boolean' }])).toBe('llm-judge/1')
  expect(
    versionsOf([
      { scoringMethod: 'llm-judge', preset: 'style' },
      { scoringMethod: 'llm-judge' },
      { checks: [{ scoringMethod: 'llm-judge', preset: 'style' }] },
    ]),
  ).toBe('llm-judge/1, llm-judge/1+style/1')
  expect(versionsOf([{ scoringMethod: 'llm-judge' }], { preset: 'factuality' })).toBe('llm-judge/1+factuality/1')
})
