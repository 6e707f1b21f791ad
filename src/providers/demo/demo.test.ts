import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { ClientError, suiteSchema, type ModelRequest } from '../../contract/index.ts'
import { llmJudgePrompt } from '../../scoring/judging/judge-prompts.ts'
import { knownAnswers, createDemoClient } from './demo.ts'

const readPrompts = (suite: string): string[] =>
  suiteSchema
    .parse(parse(readFileSync(new URL(`../../../examples/${suite}/suite.yaml`, import.meta.url), 'utf8')))
    .testCases.map(({ prompt }) => prompt!)
const prompts = readPrompts('first-look')
const client = createDemoClient()
const ask = (modelId: string, content: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
  modelId,
  messages: [{ role: 'user', content }],
  parameters: {},
  ...more,
})
const answer = async (modelId: string, prompt: string): Promise<string> =>
  (await client.complete(ask(modelId, prompt))).response

describe('the simulated models', () => {
  it('know every question of the example suites that need no key', () => {
    const questions = [...prompts, ...readPrompts('first-suite')].map((prompt) => prompt.trim())
    expect(Object.keys(knownAnswers)).toEqual(questions)
  })
  it('are right more often the better they are', async () => {
    const right = async (modelId: string): Promise<number> => {
      const answers = await Promise.all(
        prompts.map(async (prompt) => knownAnswers[prompt.trim()]!.right.includes(await answer(modelId, prompt))),
      )
      return answers.filter(Boolean).length
    }
    const [good, fair, poor] = [await right('demo/good'), await right('demo/fair'), await right('demo/poor')]
    expect(good).toBeGreaterThan(fair)
    expect(fair).toBeGreaterThan(poor)
    expect(poor).toBeGreaterThan(0)
  })
  it('give the same answer to the same request, and stream all of it as text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('demo/good', 'demo/fair', 'demo/poor', 'demo/judge', 'demo/judge-noisy', 'demo/coder'),
        fc.string(),
        async (modelId, prompt) => {
          let streamed = ''
          const first = await client.complete(ask(modelId, prompt), { onText: (text) => (streamed += text) })
          expect(streamed).toBe(first.response)
          expect(first.response).toBe((await createDemoClient().complete(ask(modelId, prompt))).response)
        },
      ),
      { numRuns: 50 },
    )
  })
  it.each(['__proto__', 'constructor', 'toString'])('treat %s as a question', async (prompt) =>
    expect(await answer('demo/good', prompt)).toContain('simulated'),
  )
  it('differ with a salt, but only at a temperature above 0', async () => {
    const all = async (salt: string, temperature: number): Promise<string> => {
      const salted = createDemoClient({ salt })
      return JSON.stringify(
        await Promise.all(
          prompts.map(
            async (prompt) =>
              (await salted.complete(ask('demo/fair', prompt, { parameters: { temperature } }))).response,
          ),
        ),
      )
    }
    expect(await all('1', 0.7)).not.toBe(await all('2', 0.7))
    expect(await all('1', 0)).toBe(await all('2', 0))
  })
  it('do arithmetic, pick an option, say yes or no, and otherwise say that they are simulated', async () => {
    expect(await answer('demo/good', 'What is 17 + 25?')).toMatch(/42/)
    expect(await answer('demo/good', 'What is 12 divided by 8?')).toMatch(/1\.5/)
    expect(await answer('demo/good', 'Which one?\nA) red\nB) blue')).toMatch(/\b[AB]\b/)
    expect(await answer('demo/good', 'Is water wet?')).toMatch(/^(Yes|No)/)
    expect(await answer('demo/good', 'Translate into German: "Good day"')).toContain('simulated')
    expect(await answer('demo/poor', 'Tell me about boats.')).toContain('simulated')
  })
  it('are labelled as simulated and have prices', async () => {
    const models = await client.listModels()
    expect(models.map(({ id }) => id)).toEqual([
      'demo/good',
      'demo/fair',
      'demo/poor',
      'demo/judge',
      'demo/user',
      'demo/coder',
      'demo/judge-lenient',
      'demo/judge-noisy',
      'demo/judge-first',
      'demo/judge-wordy',
      'demo/judge-selfish',
      'demo/judge-gullible',
      'demo/embedding',
    ])
    for (const { name, promptPrice, completionPrice, isEmbedding } of models) {
      expect(name).toContain('simulated')
      expect(promptPrice).toBeGreaterThan(0)
      if (isEmbedding) expect(completionPrice).toBe(0)
      else expect(completionPrice).toBeGreaterThan(0)
    }
  })
  it('count words times 1.3 as tokens and charge for them', async () => {
    const result = await client.complete(ask('demo/good', 'one two three four five six seven eight nine ten'))
    const completionTokens = Math.round(result.response.split(/\s+/).length * 1.3)
    expect(result).toMatchObject({ promptTokens: 13, completionTokens, cost: 13 * 2e-6 + completionTokens * 8e-6 })
  })
  it('stop at maxTokens, measure their time, and can be cancelled', async () => {
    expect(await client.complete(ask('demo/coder', 'a page', { parameters: { maxTokens: 10 } }))).toMatchObject({
      outcome: 'truncated',
      finishReason: 'length',
    })
    let clock = 0
    const timed = createDemoClient({ now: () => clock++ })
    expect(await timed.complete(ask('demo/good', 'Hello?'))).toMatchObject({ firstTokenMs: 1, latencyMs: 2 })
    const abort = new AbortController()
    const slow = createDemoClient({ delayMs: 60_000 }).complete(ask('demo/good', 'Hello?'), { signal: abort.signal })
    abort.abort()
    await expect(slow).rejects.toMatchObject({ kind: 'cancelled' })
    await expect(client.complete(ask('demo/good', 'Hello?'), { signal: AbortSignal.abort() })).rejects.toBeInstanceOf(
      ClientError,
    )
  })
  it('refuse an unknown name and list the known ones', async () => {
    await expect(client.complete(ask('demo/best', 'Hello?'))).rejects.toMatchObject({
      kind: 'refused',
      status: 404,
      message: expect.stringContaining('demo/good'),
    })
    await expect(client.complete(ask('demo/judge-mild', 'Hello?'))).rejects.toMatchObject({
      message: expect.stringContaining('demo/judge-lenient'),
    })
  })
  it('the coder writes a complete page in a code fence', async () => {
    expect(await answer('demo/coder', 'A counter, please')).toMatch(/^```html\n<[\s\S]*<\/html>\n```$/)
  })
})

describe('the simulated judge', () => {
  const grade = async (prompt: string): Promise<number> => JSON.parse(await answer('demo/judge', prompt)).score
  const judged = (response: string, reference?: string): string =>
    llmJudgePrompt.write({ task: 'What is the capital of Australia?', response, reference, mark: 'k3x9q0ab' })

  it('reads the LLM judge prompt and grades by the words that response and reference share', async () => {
    expect(await grade(judged('Canberra', 'Canberra'))).toBe(10)
    expect(await grade(judged('The capital of Australia is Canberra.', 'Canberra'))).toBe(10)
    expect(await grade(judged('The capital of Australia is Sydney.', 'Canberra'))).toBe(0)
    expect(await grade(judged('Phobos', 'Phobos and Deimos'))).toBe(5)
    expect(await grade(judged('', 'Canberra'))).toBe(0)
  })
  it('grades by length without a reference, and always returns a readable grade from 0 to 10', async () => {
    expect(await grade(judged('Canberra'))).toBe(4)
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.string(), async (response, reference) => {
        const score = await grade(judged(response, reference))
        expect(score).toBeGreaterThanOrEqual(0)
        expect(score).toBeLessThanOrEqual(10)
      }),
      { numRuns: 50 },
    )
  })
  it('also reads parts under headings', async () => {
    expect(await grade('## Task\nName a colour.\n\n## Response\nblue\n\n## Expected output\nblue')).toBe(10)
    expect(await grade('Task: Name a colour.\nResponse: red\nReference: blue')).toBe(0)
  })
})
