import { describe, expect, it } from 'vitest'
import { createDemoClient, executeRun, loadSuite } from '../src/index.ts'
import { agentTasks, playAgent, playUser } from '../src/providers/demo/agent.ts'

/** The example suite of agents: it runs without a key, and its simulated agents differ. */
const suite = await loadSuite('examples/shop-agent/suite.yaml')
const models = ['demo/good', 'demo/fair', 'demo/poor']

describe('examples/shop-agent', () => {
  it('has at least eight tasks, and simulated agents know each of them', () => {
    const { testCases } = suite.suite
    expect(testCases.length).toBeGreaterThanOrEqual(8)
    const asked = testCases.map(({ prompt, turns, user }) => prompt ?? turns?.[0]?.user ?? user?.instructions)
    expect(asked.toSorted()).toEqual(Object.keys(agentTasks).toSorted())
  })

  it('gives full marks to the right plan of every task, and none of the wrong ones', async () => {
    const skills = { perfect: { right: 1, half: 0 }, careless: { right: 0, half: 0 } }
    const { results } = await executeRun({
      suite,
      models: ['perfect', 'careless'],
      client: (modelId) => ({
        complete: async (request) => {
          if (modelId === 'demo/user') return { response: playUser(request) }
          const turn = playAgent(request, skills[modelId === 'perfect' ? 'perfect' : 'careless'], '')
          return { response: turn?.text ?? '', ...(turn && { toolCalls: turn.toolCalls }) }
        },
      }),
    })
    const scoresOf = (model: string) =>
      results.filter(({ modelId }) => modelId === model).map(({ score }) => score?.score)
    expect(scoresOf('perfect')).toEqual(suite.suite.testCases.map(() => 1))
    for (const score of scoresOf('careless')) expect(score).toBeLessThan(1)
  })

  it('is the same in every run, and ranks the simulated agents by their skill', async () => {
    const run = async () => (await executeRun({ suite, models, client: createDemoClient() })).results
    const results = await run()
    const scores = (given: typeof results) =>
      given.map(({ testCaseId, modelId, score }) => [testCaseId, modelId, score?.score])
    expect(scores(await run())).toEqual(scores(results))
    const mean = (model: string) => {
      const own = results.filter(({ modelId }) => modelId === model)
      return own.reduce((sum, { score }) => sum + (score?.score ?? 0), 0) / own.length
    }
    expect(mean('demo/good')).toBeGreaterThan(mean('demo/fair'))
    expect(mean('demo/fair')).toBeGreaterThan(mean('demo/poor'))
  })
})
