import { describe, expect, it } from 'vitest'
import { buildPairwiseRequest } from '../../scoring/judging/pairwise-prompt.ts'
import { llmJudgePrompt } from '../../scoring/judging/judge-prompts.ts'
import { canaries } from '../../scoring/judging/audit/canary-audit.ts'
import { runAudits } from '../../scoring/judging/audit/audits.ts'
import { createRandom } from '../../statistics/index.ts'
import { DEMO_FAULTY_JUDGE_IDS } from './check-model.ts'
import { createDemoClient } from './demo.ts'
import { judgeFaults } from './judge-faults.ts'

const client = createDemoClient()

async function reply(modelId: string, content: string, salt?: string): Promise<string> {
  const asked = salt === undefined ? client : createDemoClient({ salt })
  const request = { modelId, messages: [{ role: 'user' as const, content }], parameters: { temperature: 0.1 } }
  return (await asked.complete(request)).response
}

const task = 'Name the two moons of Mars.'
const reference = 'Phobos, Deimos'

async function grade(modelId: string, response: string, mark = 'k3x9'): Promise<number> {
  return JSON.parse(await reply(modelId, llmJudgePrompt.write({ task, response, reference, mark }))).score
}

async function winner(modelId: string, first: string, second: string): Promise<string> {
  const { messages } = buildPairwiseRequest({ prompt: task, reference, first, second }, 'k3x9')
  return JSON.parse(await reply(modelId, String(messages[1]!.content))).winner
}

const HALF = 'One is Phobos.'

describe('simulated judges', () => {
  it('are all listed, each with its fault in its name', async () => {
    expect(judgeFaults.map(({ id }) => id)).toEqual([...DEMO_FAULTY_JUDGE_IDS])
    const listed = await client.listModels()
    for (const { id, name } of judgeFaults)
      expect(listed.find((model) => model.id === id)?.name).toBe(`Demo: ${name} (simulated)`)
  })

  it('compare two answers by the same grades, and call equal ones a tie', async () => {
    expect(await winner('demo/judge', 'Phobos and Deimos', HALF)).toBe('first')
    expect(await winner('demo/judge', HALF, 'Phobos and Deimos')).toBe('second')
    expect(await winner('demo/judge', HALF, 'Deimos, and one more')).toBe('tie')
  })

  it('give 5 of 10 to half an answer, and one grade more or less by their fault', async () => {
    const padded = `${HALF} ${'So it is. '.repeat(12)}`
    expect(await grade('demo/judge', HALF)).toBe(5)
    expect(await grade('demo/judge', padded)).toBe(5)
    expect(await grade('demo/judge-lenient', HALF)).toBe(6)
    expect(await grade('demo/judge-lenient', 'Phobos and Deimos')).toBe(10)
    expect(await grade('demo/judge-first', HALF)).toBe(5)
    expect(await winner('demo/judge-first', HALF, 'Deimos, and one more')).toBe('first')
    expect(await winner('demo/judge-first', 'Phobos and Deimos', 'Deimos and Phobos')).toBe('first')
    expect(await grade('demo/judge-wordy', HALF)).toBe(5)
    expect(await grade('demo/judge-wordy', padded)).toBe(6)
    expect(await winner('demo/judge-wordy', HALF, padded)).toBe('second')
    expect(await grade('demo/judge-selfish', HALF)).toBe(5)
    expect(await grade('demo/judge-gullible', HALF)).toBe(5)
    for (const { write, name } of canaries) {
      expect([name, await grade('demo/judge-gullible', write(HALF))]).toEqual([name, 10])
      expect([name, await grade('demo/judge', write('Neither.'))]).toEqual([name, 0])
    }
  })

  it('write an answer in their own words, which only the selfish one prefers', async () => {
    const prompt = `<<<TASK k>>>\n${task}\n<<<END TASK k>>>\n\n<<<ANSWER k>>>\n${HALF}\n<<<END ANSWER k>>>\n\nWrite this answer again in your own words.`
    const own = await reply('demo/judge-selfish', prompt)
    expect(own).toContain(HALF)
    expect(own).not.toBe(HALF)
    expect(await grade('demo/judge-selfish', own)).toBe(6)
    expect(await grade('demo/judge', own)).toBe(5)
    expect(await winner('demo/judge-selfish', HALF, own)).toBe('second')
  })

  it('vary by 10 points if they are noisy, the same for the same request and salt', async () => {
    const grades = await Promise.all(
      Array.from({ length: 400 }, (_, index) => grade('demo/judge-noisy', HALF, `mark${index}`)),
    )
    const mean = grades.reduce((sum, one) => sum + one, 0) / grades.length
    const deviation = Math.sqrt(grades.reduce((sum, one) => sum + (one - mean) ** 2, 0) / grades.length)
    expect(mean).toBeCloseTo(5, 0)
    expect(deviation).toBeGreaterThan(0.9)
    expect(deviation).toBeLessThan(1.2)
    expect(await grade('demo/judge-noisy', HALF, 'a')).toBe(await grade('demo/judge-noisy', HALF, 'a'))
    const prompt = llmJudgePrompt.write({ task, response: HALF, reference, mark: 'k' })
    const salted = await Promise.all(
      Array.from({ length: 20 }, (_, index) => reply('demo/judge-noisy', prompt, `salt ${index}`)),
    )
    expect(new Set(salted).size).toBeGreaterThan(1)
  })
})

describe('audits of the simulated judges', () => {
  const expected = {
    'demo/judge': [],
    'demo/judge-lenient': [],
    'demo/judge-first': ['position'],
    'demo/judge-wordy': ['verbosity'],
    'demo/judge-selfish': ['self-preference'],
    'demo/judge-gullible': ['canaries'],
  }

  it.each(Object.entries(expected))('%s: %j', async (judgeModelId, found) => {
    const random = createRandom(judgeModelId)
    const findings = await runAudits({}, { judgeModelId, random, callModel: (request) => client.complete(request) })
    expect(findings.map(({ status }) => status)).not.toContain('not-tested')
    expect(findings.filter(({ status }) => status === 'found').map(({ audit }) => audit)).toEqual(found)
  })

  it('demo/judge-noisy is not steady', async () => {
    const random = createRandom('noisy')
    const judgeModelId = 'demo/judge-noisy'
    const [finding] = await runAudits(
      { only: ['test-retest'] },
      { judgeModelId, random, callModel: (request) => client.complete(request) },
    )
    expect(finding).toMatchObject({ status: 'found' })
    expect(finding!.figure!.value).toBeCloseTo(0.1, 1)
  })
})
