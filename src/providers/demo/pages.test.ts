import { describe, expect, it } from 'vitest'
import { judgeCodeArena } from '../../scoring/code-arena-judge.ts'
import { createDemoClient } from './demo.ts'
import { asksForPage } from './pages.ts'

const client = createDemoClient()
const PRICING = 'a pricing page with three plans and a monthly/yearly switch'
const answer = async (modelId: string, content: string): Promise<string> =>
  (await client.complete({ modelId, messages: [{ role: 'user', content }], parameters: { maxTokens: 2048 } })).response

const grade = async (code: string, hasPictures = true): Promise<number> => {
  const screenshots = hasPictures ? [{ width: 1440, image: 'data:image/png;base64,AAAA' }] : []
  const callModel = (request: Parameters<typeof client.complete>[0]) => client.complete(request)
  return (
    await judgeCodeArena(
      { prompt: PRICING, code, screenshots },
      { judgeModelIds: ['demo/judge'], callModel },
      Math.random,
    )
  ).score
}

describe('the pages of the simulated models', () => {
  it('fit into the default token limit, and differ clearly in quality for the simulated judge', async () => {
    const [good, coder, fair, poor] = await Promise.all(
      ['demo/good', 'demo/coder', 'demo/fair', 'demo/poor'].map((modelId) => answer(modelId, PRICING)),
    )
    expect(good).toMatch(/<\/html>\n```/)
    expect(coder).toMatch(/^Here is[\s\S]*```tsx[\s\S]*```$/)
    expect(fair).toMatch(/```js[\s\S]*```$/)
    expect(poor).toMatch(/<\/html>\n```$/)
    for (const hasPictures of [true, false]) {
      const [goodScore, coderScore, fairScore, poorScore] = await Promise.all(
        [good!, coder!, fair!, poor!].map((code) => grade(code, hasPictures)),
      )
      expect(goodScore).toBeGreaterThan(fairScore! + 0.1)
      expect(coderScore).toBeGreaterThan(fairScore! + 0.1)
      expect(fairScore).toBeGreaterThan(poorScore! + 0.2)
    }
  })
  it('answer only prompts that ask for something visual', () => {
    for (const prompt of [
      PRICING,
      'Build a to-do list component in React',
      'Create a login form',
      'A landing page for a bakery',
      'Write the HTML for a menu',
      'Make a memory game',
    ])
      expect(asksForPage(prompt), prompt).toBe(true)
    for (const prompt of [
      'What is the capital of Australia?',
      'Write a haiku about rain.',
      'What is 17 + 25?',
      'Make a list of planets',
      'A train travels 2 h at 96 km/h. How far?',
      'Which page of the book is missing?',
    ])
      expect(asksForPage(prompt), prompt).toBe(false)
  })
  it('are about the requested subject, as text and never as markup', async () => {
    const page = await answer('demo/good', 'Create a page about <script>alert(1)</script> bees')
    expect(page).toContain('&lt;script>')
    expect(page).not.toContain('<script>alert')
    expect(await answer('demo/fair', 'Build a counter')).toContain('Counter')
    expect(await answer('demo/good', 'Build a to-do list page')).toContain('Tasks')
  })
})

describe('follow-ups to the simulated models', () => {
  const system = { role: 'system' as const, content: 'You are an experienced front-end developer.' }
  const followUp = async (modelId: string, request: string): Promise<{ first: string; second: string }> => {
    const first = await answer(modelId, PRICING)
    const messages = [
      system,
      { role: 'user' as const, content: PRICING },
      { role: 'assistant' as const, content: first },
      { role: 'user' as const, content: request },
    ]
    const { response } = await client.complete({ modelId, messages, parameters: { maxTokens: 8192 } })
    return { first, second: response }
  }

  it.each([
    ['demo/good', '#dbe8ff'],
    ['demo/fair', '#dbe8ff'],
    ['demo/coder', 'bg-blue-50'],
  ])('change the earlier page of %s', async (modelId, sign) => {
    const { first, second } = await followUp(modelId, 'make it blue')
    expect(first).not.toContain(sign)
    expect(second).toContain(sign)
    expect(second.length).toBeGreaterThan(first.length / 2)
  })

  it('are ignored by the poor one', async () => {
    const { first, second } = await followUp('demo/poor', 'make it blue')
    expect(second).toBe(`Done!\n\n${first.slice(first.indexOf('```'))}`)
  })
})
