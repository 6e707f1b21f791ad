import { listWords } from '../../../contract/index.ts'
import { describe, expect, it } from 'vitest'
import { createRandom, shuffle } from '../../../statistics/numbers/random.ts'
import { builtInAuditAnswers, chooseAnswers } from './audit-answers.ts'
import { familyOf } from './self-preference-audit.ts'
import { padAnswer } from './audits.ts'

describe('padding', () => {
  it('keeps the answer whole, and adds 60 words or as many as it has, up to 300', () => {
    for (const [words, least, most] of [
      [1, 60, 75],
      [100, 100, 115],
      [1000, 300, 315],
    ] as const) {
      const answer = Array.from({ length: words }, (_, index) => `word${index}`).join(' ')
      const padded = padAnswer(answer, createRandom(1))
      expect(padded).toContain(`\n\n${answer}\n\n`)
      const added = listWords(padded).length - words
      expect([added >= least, added <= most]).toEqual([true, true])
    }
  })

  it('says nothing that a reference of the built-in questions asks for', () => {
    const common = new Set(['a', 'an', 'and', 'for', 'from', 'in', 'is', 'it', 'of', 'on', 'so', 'that', 'the', 'to'])
    const padding = new Set(
      listWords(padAnswer('x '.repeat(400), createRandom(1)).toLowerCase().replaceAll(/[.,]/g, '')),
    )
    const asked = builtInAuditAnswers.flatMap(({ expectedOutput = '' }) =>
      listWords(expectedOutput.toLowerCase().replaceAll(/[.,:;]/g, '')),
    )
    expect(asked.filter((word) => padding.has(word) && !common.has(word))).toEqual([])
  })
})

describe('the family of a model', () => {
  it.each([
    ['openai/gpt-4o-mini', 'openai/gpt'],
    ['openai/gpt-5@short', 'openai/gpt'],
    ['gpt-4.1', 'gpt'],
    ['anthropic/claude-opus-4', 'anthropic/claude'],
    ['openrouter/meta-llama/Llama-3.3-70b', 'openrouter/meta-llama/llama'],
    ['01-ai/01', '01-ai/01'],
  ])('of %s is %s', (modelId, family) => {
    expect(familyOf(modelId)).toBe(family)
  })
})

describe('choosing answers', () => {
  it('draws each once, by the seed; those whose score has room to move come first; empty ones are left out', () => {
    const items = Array.from({ length: 50 }, (_, index) => index)
    expect(shuffle(items, createRandom(1)).toSorted((a, b) => a - b)).toEqual(items)
    expect(shuffle(items, createRandom(1))).toEqual(shuffle(items, createRandom(1)))
    const answers = [1, 0.5, 0, 0.6].map((expectedScore) => ({
      prompt: 'p',
      response: `${expectedScore}`,
      expectedScore,
    }))
    const chosen = chooseAnswers([...answers, { prompt: 'p', response: ' ', expectedScore: 0.5 }], 10, createRandom(1))
    expect(chosen.slice(0, 2).map(({ expectedScore }) => expectedScore)).toEqual([0.5, 0.6])
    expect(chosen).toHaveLength(4)
  })
})
