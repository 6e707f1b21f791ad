import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { testCaseSchema, type CallModel, type ModelRequest } from '../contract/index.ts'
import { compileCase } from './compiling/compile-case.ts'
import { createScoring, defineScorer, scoreJob, scorers } from './index.ts'
import { checkSuite } from './compiling/suite.ts'

const { scoreResponse, scoreCompiled, scoreLLMJudge } = createScoring({ scoreInWorker: scoreJob, random: () => 0.5 })

/** Keeps what the judge is sent. */
function createJudge() {
  const requests: ModelRequest[] = []
  const callModel: CallModel = async (request) => {
    requests.push(request)
    return { outcome: 'ok', response: '{"score": 8, "reasoning": "fine"}', latencyMs: 1 }
  }
  return { requests, judging: { judgeModelIds: ['j'], callModel, systemPrompt: 'Be kind.' } }
}

const textsOf = ({ messages }: ModelRequest) => messages.map(({ content }) => String(content))
const judged = { id: 'c', prompt: 'How long?', scoringMethod: 'llm-judge' }

const suiteOf = (testCase: Record<string, unknown>, fields: Record<string, unknown> = {}) => ({
  name: 'S',
  testCases: [{ ...judged, ...testCase }],
  ...fields,
})

describe('a judge preset', () => {
  it('adds its criteria between the rubric and the suite’s own instructions, on the same scale', async () => {
    const { requests, judging } = createJudge()
    const result = await scoreResponse({ ...judged, preset: 'factuality' }, 'Two years', judging)
    expect(result).toMatchObject({ score: 0.8, maxScore: 10 })
    const [system] = textsOf(requests[0]!)
    expect(system).toMatch(/0-1: completely wrong[\s\S]*Grade only how true the response is[\s\S]*Be kind\.$/)
  })

  it('sends the context of faithfulness inside a fence, from the case or from its variables', async () => {
    for (const fields of [{ context: 'Two years.' }, { vars: { context: 'Two years.' } }]) {
      const { requests, judging } = createJudge()
      await scoreResponse({ ...judged, preset: 'faithfulness', ...fields }, 'Two years', judging)
      expect(textsOf(requests[0]!)[1]).toMatch(/<<<CONTEXT (\w+)>>>\nTwo years\.\n<<<END CONTEXT \1>>>/)
    }
  })

  it('alone gets the variable context: what other judges are sent does not change', async () => {
    for (const preset of [{}, { preset: 'factuality' }]) {
      const { requests, judging } = createJudge()
      await scoreResponse({ ...judged, ...preset, vars: { context: 'Two years.' } }, 'Two years', judging)
      expect(textsOf(requests[0]!)[1]).not.toContain('CONTEXT')
    }
    const { requests, judging } = createJudge()
    await scoreResponse({ ...judged, context: 'Two years.' }, 'Two years', judging)
    expect(textsOf(requests[0]!)[1]).toContain('<<<CONTEXT')
  })

  it('of the suite applies to cases and checks that name none, and the checks of a case share its context', async () => {
    const { suite, warnings } = checkSuite({
      name: 'S',
      preset: 'faithfulness',
      testCases: [
        {
          id: 'c',
          prompt: 'p',
          context: 'The text.',
          checks: [{ scoringMethod: 'llm-judge' }, { scoringMethod: 'llm-judge', preset: 'style' }],
        },
      ],
    })
    expect(warnings).toEqual([])
    const { requests, judging } = createJudge()
    await scoreCompiled(compileCase(suite!.testCases[0]!, scorers, suite), 'r', judging)
    const systems = requests.map((request) => textsOf(request)[0]!)
    expect(systems.filter((system) => system.includes('how faithful the response is'))).toHaveLength(1)
    expect(systems.filter((system) => system.includes('how well the response is written'))).toHaveLength(1)
  })

  it.each([
    [
      suiteOf({ preset: 'faithfulness' }),
      ['testCases', 0, 'context'],
      /faithfulness compares the answer with a context/,
    ],
    [suiteOf({ context: ' ' }, { preset: 'faithfulness' }), ['testCases', 0, 'context'], /context/],
    [suiteOf({ preset: 'kindness' }), ['testCases', 0, 'preset'], /factuality/],
    [suiteOf({}, { preset: 'kindness' }), ['preset'], /is "kindness"; use one of factuality/],
  ])('is refused when it is unknown or lacks its context: %j', (raw, path, message) => {
    const { problems } = checkSuite(raw)
    expect(problems).toEqual([{ path, message: expect.stringMatching(message) }])
  })

  it('is refused by the library in the same words', async () => {
    const { judging } = createJudge()
    const answer = { prompt: 'p', response: 'r', preset: 'faithfulness' }
    await expect(scoreLLMJudge(answer, judging)).rejects.toThrow(/compares the answer with a context/)
  })

  it('means nothing to other scoring methods: a custom option of that name is left alone', () => {
    const custom = defineScorer({
      name: 'mine',
      options: z.object({ preset: z.string().optional(), context: z.string().optional() }),
      score: () => ({ score: 1 }),
    })
    const own = compileCase(
      testCaseSchema.parse({ id: 'c', prompt: 'p', scoringMethod: 'mine', vars: { context: 'x' } }),
      [custom],
      { preset: 'faithfulness' },
    )
    expect(own.checks[0]!.options).toEqual({})
    const { checks, problems } = compileCase(
      testCaseSchema.parse({ id: 'c', prompt: 'p', scoringMethod: 'boolean', expectedOutput: 'x' }),
      scorers,
      { preset: 'faithfulness' },
    )
    expect(problems).toEqual([])
    expect(checks[0]!.options).not.toHaveProperty('preset')
  })
})
