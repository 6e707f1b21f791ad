import { expect, it } from 'vitest'
import { defaultParameters } from '../../contract/index.ts'
import { describeOptions } from './describe-options.ts'

it('closed options say what they are set to', () => {
  const defaults = { ...defaultParameters, maxTokens: 8192 }
  const task = { systemPrompt: '', isQuickJudge: false }
  expect(describeOptions({ judges: ['j'], task, parameters: defaults, defaults, maxCost: undefined })).toBe(
    'judged by j · default parameters · no budget',
  )
  expect(
    describeOptions({
      judges: [],
      task: { systemPrompt: 'Be brief.', isQuickJudge: true },
      parameters: { ...defaults, temperature: 1.5 },
      defaults,
      maxCost: 2,
    }),
  ).toBe('no judge, people vote · custom system prompt · changed parameters · at most $2.00')
})
