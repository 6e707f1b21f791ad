import { describe, expect, it } from 'vitest'
import type { Client, Suite } from '../../contract/index.ts'
import { createScoring } from '../../scoring/index.ts'
import { openStorage } from '../../storage/index.ts'
import { deleteRun } from '../code-arena/delete-run.ts'
import { listVotes } from '../code-arena/votes.ts'
import { executeRun, type EngineTools } from '../run-with-client.ts'
import { listPairwiseVotes } from './votes.ts'
import { listOpenPairs, undoVote, voteOnPair } from './voting.ts'

const suite: Suite = {
  name: 'Voted',
  testCases: [{ id: 'x', prompt: 'Why?', scoringMethod: 'pairwise', comparedBy: 'people', weight: 1 }],
}

/** A finished run of models that answer with their name; c and d give the same answer. */
async function finishRun() {
  const tools: EngineTools = {
    storage: await openStorage({ file: ':memory:' }),
    scoring: createScoring({ scoreInWorker: () => Promise.reject(new Error('not here')), random: Math.random }),
    clock: { now: () => 1000, sleep: async () => {} },
    random: () => 0.5,
    createId: () => 'run',
    countTokens: (text) => text.length,
    versions: {},
  }
  const client: Client = {
    provider: 'scripted',
    complete: async ({ modelId }) => ({ outcome: 'ok', response: modelId === 'd' ? 'c' : modelId, latencyMs: 1 }),
    listModels: async () => [],
    close: async () => {},
  }
  const run = await executeRun({ suite, models: ['a', 'b', 'c', 'd'], client }, tools)
  return { run, tools }
}

const scoresOf = async ({ storage }: EngineTools) =>
  Object.fromEntries(
    (await storage.loadRun('run'))!.results.map(({ modelId, score, unscored }) => [
      modelId,
      score?.score ?? unscored?.code,
    ]),
  )
const vote = (modelA: string, modelB: string, scoreA: 0 | 0.5 | 1, voter = 'Ann') => ({
  runId: 'run',
  testCaseId: 'x',
  modelA,
  modelB,
  scoreA,
  voter,
})

describe('people who compare answers', () => {
  it('need no judge, and answers nobody has voted on have no score', async () => {
    const { run, tools } = await finishRun()
    expect(run.status).toBe('completed')
    expect(await scoresOf(tools)).toEqual({ a: 'not-judged', b: 'not-judged', c: 0.5, d: 0.5 })
  })

  it('are shown the pairs that they have not voted on, without answers that are the same', async () => {
    const { tools } = await finishRun()
    expect((await listOpenPairs('run', 'Ann', tools)).total).toBe(5)
    await voteOnPair(vote('b', 'a', 0), tools)
    const { open } = await listOpenPairs('run', 'Ann', tools)
    expect(open.map(({ a, b }) => a.modelId + b.modelId)).toEqual(['ac', 'ad', 'bc', 'bd'])
    expect((await listOpenPairs('run', 'Bo', tools)).open).toHaveLength(5)
  })

  it('score answers by the share won, several people by their mean, and can take a vote back', async () => {
    const { tools } = await finishRun()
    await voteOnPair(vote('a', 'b', 1), tools)
    expect(await scoresOf(tools)).toMatchObject({ a: 1, b: 0 })
    await voteOnPair(vote('b', 'a', 0.5, 'Bo'), tools)
    expect(await scoresOf(tools)).toMatchObject({ a: 0.75, b: 0.25 })
    await voteOnPair(vote('b', 'a', 1, 'Bo'), tools)
    expect(await scoresOf(tools)).toMatchObject({ a: 0.5, b: 0.5 })
    expect(await undoVote(vote('a', 'b', 1), tools)).toBe(true)
    expect(await scoresOf(tools)).toMatchObject({ a: 0, b: 1 })
    expect(await undoVote(vote('a', 'b', 1), tools)).toBe(false)
    await undoVote(vote('a', 'b', 1, 'Bo'), tools)
    expect(await scoresOf(tools)).toMatchObject({ a: 'not-judged', b: 'not-judged' })
  })

  it('do not vote in the Code Arena, and their votes go with the run', async () => {
    const { tools } = await finishRun()
    await voteOnPair(vote('a', 'b', 1), tools)
    expect(await listVotes(tools.storage)).toEqual([])
    await deleteRun(tools.storage, 'run')
    expect(await listPairwiseVotes('run', tools.storage)).toEqual([])
  })
})
