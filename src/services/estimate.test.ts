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

it('counts the thoughts of a model that may think besides its longest answer', async () => {
  const suite = suiteSchema.parse({ name: 'S', testCases: [{ id: 'a', prompt: '', scoringMethod: 'none' }] })
  async function costOf(modelId: string, parameters: object): Promise<number | null> {
    const request = runRequestSchema.parse({
      suiteId: 'S',
      models: [modelId],
      parameters: { maxTokens: 1000, ...parameters },
    })
    const prices = new Map([[modelId, { prompt: 0, completion: 0.000_01 }]])
    const plan = planRun({ kind: 'suite', request, suite }, scorers)
    const { cost, largestRequest } = await estimateRun({ ...plan, prices, unknownPrices: [] }, (text) => text.length)
    expect(largestRequest).toBe(cost)
    return cost
  }
  expect(await costOf('openai/gpt-5', { reasoningEffort: 'high' })).toBe(0.01)
  expect(await costOf('anthropic/claude-sonnet-4-5', { thinkingBudget: 5000 })).toBe(0.06)
  // 60 % of 64,000 tokens.
  expect(await costOf('anthropic/claude-sonnet-4-5', { reasoningEffort: 'high' })).toBe(0.394)
  expect(await costOf('anthropic/claude-opus-4-6', { reasoningEffort: 'high' })).toBe(0.01)
})

it('counts what the simulated user costs: at most, and likely as in earlier runs', async () => {
  const suite = suiteSchema.parse({
    name: 'S',
    agent: { limits: { turns: 3 } },
    user: { model: 'u', parameters: { maxTokens: 100 } },
    testCases: [
      { id: 'a', user: { instructions: 'Return it.' }, checks: [{ scoringMethod: 'said', texts: ['x'] }] },
      { id: 'b', prompt: 'Hi', checks: [{ scoringMethod: 'said', texts: ['x'] }] },
    ],
  })
  const request = runRequestSchema.parse({ suiteId: 'S', models: ['m', 'n'], parameters: { maxTokens: 50 }, repeat: 2 })
  const prices = new Map(['m', 'n', 'u'].map((id) => [id, { prompt: id === 'u' ? 0.01 : 0, completion: 0.001 }]))
  const plan = { ...planRun({ kind: 'suite', request, suite }, scorers), prices, unknownPrices: [] }
  const lengths = {
    runs: 1,
    models: new Map(),
    all: 10,
    prompts: { models: new Map(), all: 1 },
    judges: undefined,
    users: { promptTokens: 70, completionTokens: 20 },
  }
  const estimate = await estimateRun(plan, () => 0, lengths)
  // One case has a user. Three requests of it, each with the messages before: two of 4 tokens, and 0, 1 and 2 exchanges of 150.
  const prompts = 3 * 8 + (0 + 1 + 2) * 150
  expect(estimate.users).toEqual([
    {
      modelId: 'u',
      requests: 3 * 2 * 2,
      promptTokens: prompts * 2 * 2,
      cost: expect.closeTo(2 * 2 * (prompts * 0.01 + 3 * 100 * 0.001), 9),
    },
  ])
  // The agent: two cases, three answers of 50 tokens each, for two models and two runs.
  const agents = 2 * 2 * 2 * 3 * 50 * 0.001
  expect(estimate.cost).toBeCloseTo(agents + 2 * 2 * (prompts * 0.01 + 3 * 100 * 0.001), 9)
  // The last request of the user has two exchanges before it.
  expect(estimate.largestRequest).toBeCloseTo((8 + 300) * 0.01 + 100 * 0.001, 9)
  const likely = 2 * 2 * 2 * 10 * 0.001 + 2 * 2 * (70 * 0.01 + 20 * 0.001)
  expect(estimate.likely?.cost).toBeCloseTo(likely, 9)
  expect(await estimateRun(plan, () => 0, { ...lengths, users: undefined })).not.toHaveProperty('likely')
})
