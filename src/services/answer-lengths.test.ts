import { afterEach, beforeEach, expect, it } from 'vitest'
import { runRequestSchema, suiteSchema, type Storage } from '../contract/index.ts'
import { scorers } from '../scoring/index.ts'
import { openStorage } from '../storage/index.ts'
import { readAnswerLengths } from './answer-lengths.ts'
import { estimateRun } from './estimate.ts'
import { planRun } from './plan.ts'

const suite = suiteSchema.parse({
  name: 'S',
  testCases: [{ id: 'a', prompt: 'four', scoringMethod: 'exact-match', expectedOutput: 'x' }],
})
let storage: Storage
beforeEach(async () => {
  storage = await openStorage({ file: ':memory:' })
})
afterEach(() => storage.close())

async function store(id: string, modelId: string, completionTokens: number, suiteId = 'S'): Promise<void> {
  const cell = { runId: id, testCaseId: 'a', modelId }
  const header = { testSuiteId: suiteId, testSuiteName: suiteId, testSuiteSnapshot: suite }
  await storage.createRun({ id, kind: 'suite', models: [modelId], startedAt: 1, ...header }, [cell])
  const attempt = await storage.startAttempt({ ...cell, purpose: 'answer', askedModel: modelId, startedAt: 1 })
  const answer = { outcome: 'ok' as const, response: 'x', latencyMs: 1, promptTokens: 5, completionTokens }
  await storage.saveAnswer(attempt, { endedAt: 2, outcome: 'ok', completionTokens }, cell, answer)
  await storage.saveScore(cell, { score: 1 })
  await storage.setRunStatus(id, 'completed', { completedAt: 3 })
}

async function estimate(models: string[]) {
  const request = runRequestSchema.parse({ suiteId: 'S', models, parameters: { maxTokens: 1000 }, repeat: 2 })
  const prices = new Map(models.map((model) => [model, { prompt: 0, completion: 0.001 }]))
  const lengths = await readAnswerLengths({ id: 'S', name: 'S' }, storage)
  const plan = planRun({ kind: 'suite', request, suite }, scorers)
  return estimateRun({ ...plan, prices, unknownPrices: [] }, (text) => text.length, lengths)
}

it('prices answers as long as those of earlier runs of the suite, and those of a new model as the mean of all', async () => {
  await store('one', 'm', 10)
  await store('two', 'm', 30)
  await store('three', 'n', 50)
  await store('other', 'm', 900, 'T')
  expect((await estimate(['m'])).likely).toEqual({ cost: 0.04, runs: 3 })
  expect((await estimate(['new'])).likely).toEqual({ cost: 0.06, runs: 3 })
  expect((await estimate(['m'])).cost).toBe(2)
})

it('says nothing likely without an earlier run, and never more than the most it can be', async () => {
  expect(await estimate(['m'])).not.toHaveProperty('likely')
  await store('one', 'm', 5000)
  expect((await estimate(['m'])).likely).toEqual({ cost: 2, runs: 1 })
})
