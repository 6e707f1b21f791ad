import { expect, it } from 'vitest'
import { runRequestSchema, suiteSchema } from '../contract/index.ts'
import { scorers } from '../scoring/index.ts'
import { estimateRun } from './estimate.ts'
import { planRun } from './plan.ts'

const CONTEXT = 'The kettle has a warranty of two years.'

async function countJudgeTokens(fields: Record<string, unknown>): Promise<number> {
  const testCase = { id: 'a', prompt: 'How long?', scoringMethod: 'llm-judge', ...fields }
  const suite = suiteSchema.parse({ name: 'S', testCases: [testCase] })
  const request = runRequestSchema.parse({ suiteId: 'S', models: ['m'], judgeModelIds: ['j'] })
  const prices = new Map()
  const estimate = await estimateRun(
    { ...planRun({ kind: 'suite', request, suite }, scorers), prices, unknownPrices: [] },
    (text) => text.length,
  )
  return estimate.judges[0]!.promptTokens
}

it('counts what a preset adds to the prompt of a judge: its criteria and the context', async () => {
  const plain = await countJudgeTokens({})
  const factuality = await countJudgeTokens({ preset: 'factuality' })
  const faithful = await countJudgeTokens({ preset: 'faithfulness', context: CONTEXT })
  const faithfulToMore = await countJudgeTokens({ preset: 'faithfulness', context: CONTEXT.repeat(2) })
  expect(factuality - plain).toBeGreaterThan(2 * 400)
  // Each grade may be requested twice.
  expect(faithfulToMore - faithful).toBe(2 * CONTEXT.length)
})
