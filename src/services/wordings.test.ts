import { describe, expect, it } from 'vitest'
import { suiteSchema } from '../contract/index.ts'
import { expandWordings } from './wordings.ts'

const parse = (suite: object) => suiteSchema.parse({ name: 'S', ...suite })

describe('expandWordings', () => {
  it('makes a case of each wording around the prompt, all in the cluster of the case', () => {
    const problems: string[] = []
    const suite = parse({
      wordings: ['{{prompt}}', { name: 'polite', prompt: 'Please, {{who}}: {{prompt}}' }],
      testCases: [
        { id: 'a', prompt: 'Say {{x}} literally', vars: { who: 'Ann' }, metadata: { category: 'k' } },
        { id: 'b', prompt: 'B?', cluster: 'g', vars: { who: 'Bob' } },
      ],
    })
    const { testCases, ...rest } = expandWordings(suite, problems)
    expect(problems).toEqual([])
    expect(rest).not.toHaveProperty('wordings')
    expect(testCases.map(({ id, prompt, cluster }) => [id, prompt, cluster])).toEqual([
      // What a prompt contains is never a template again.
      ['a ~ wording 1', 'Say {{x}} literally', 'a'],
      ['a ~ polite', 'Please, Ann: Say {{x}} literally', 'a'],
      ['b ~ wording 1', 'B?', 'g'],
      ['b ~ polite', 'Please, Bob: B?', 'g'],
    ])
    expect(testCases[1]!.metadata).toEqual({ category: 'k', wording: 'polite', wordingOf: 'a' })
    const again = { ...rest, testCases }
    expect(expandWordings(again, problems)).toBe(again)
  })

  it("puts a case's own wordings beside its prompt, with the weight of the case shared out", () => {
    const suite = parse({
      testCases: [
        { id: 'a', prompt: 'A?', wordings: ['AA?', { name: 'long', prompt: 'Tell me A.' }], weight: 3 },
        { id: 'b', prompt: 'B?' },
      ],
    })
    const { testCases } = expandWordings(suite, [])
    expect(testCases.map(({ id, prompt, weight }) => [id, prompt, weight])).toEqual([
      ['a ~ as written', 'A?', 1],
      ['a ~ wording 1', 'AA?', 1],
      ['a ~ long', 'Tell me A.', 1],
      ['b', 'B?', 1],
    ])
  })

  it('refuses a wording that asks all cases the same', () => {
    const ask = (wordings: string[]) => {
      const problems: string[] = []
      const cases = ['A?', 'B?'].map((prompt, index) => ({ id: `c${index}`, prompt, vars: { x: prompt } }))
      expandWordings(parse({ wordings, testCases: cases }), problems)
      return problems
    }
    expect(ask(['{{prompt}}', '{{x}} please'])).toEqual([])
    expect(ask(['{{prompt}}', 'Answer.'])).toEqual([
      'wording 2 of the suite asks every case the same: say {{prompt}} where the prompt of a case goes',
    ])
  })

  it.each([
    ['named among the wordings', { wordings: ['kind', 'brief'] }, {}],
    ['marked as wordings', {}, { wordings: true }],
  ])('takes variants that are %s, and leaves the others as contestants', (_, fields, mark) => {
    const problems: string[] = []
    const { systemPrompt, variants, testCases } = expandWordings(
      parse({
        ...fields,
        systemPrompt: 'Answer.',
        variants: [
          { name: 'kind', prompt: 'Please: {{prompt}}', ...mark },
          { name: 'brief', systemPrompt: 'Be brief.', ...mark },
          { name: 'cold', parameters: { temperature: 0 } },
        ],
        testCases: [{ id: 'a', prompt: 'A?' }],
      }),
      problems,
    )
    expect(problems).toEqual([])
    expect([systemPrompt, variants?.map(({ name }) => name)]).toEqual([undefined, ['cold']])
    expect(testCases.map(({ id, prompt, messages }) => [id, prompt, messages])).toEqual([
      [
        'a ~ kind',
        undefined,
        [
          { role: 'system', content: 'Answer.' },
          { role: 'user', content: 'Please: A?' },
        ],
      ],
      [
        'a ~ brief',
        undefined,
        [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'A?' },
        ],
      ],
    ])
  })
  it('refuses what a wording cannot have', () => {
    const problems: string[] = []
    const variants = [{ name: 'cold', wordings: true, parameters: { temperature: 0 } }]
    expandWordings(parse({ variants, testCases: [{ id: 'a', prompt: 'A?' }] }), problems)
    expect(problems).toEqual(['variant cold is a wording, which has a prompt or a systemPrompt only'])
  })

  it('says what it cannot do', () => {
    const problems: string[] = []
    expandWordings(
      parse({
        wordings: ['{{prompt}} {{nobody}}', { name: 'wording 1', prompt: '{{prompt}}' }],
        testCases: [
          { id: 'a', prompt: 'A?' },
          { id: 'b', messages: [{ role: 'user', content: 'B?' }] },
          { id: 'c', messages: [{ role: 'user', content: 'B?' }], wordings: ['C?'] },
        ],
      }),
      problems,
    )
    expect(problems).toEqual([
      'wording 1 of the suite has {{nobody}}, for which test case a has no value',
      'test case b has no prompt, which the wordings of the suite are around',
      'test case c has wordings and messages; wordings are for a prompt',
      'test case a has two wordings named wording 1',
    ])
  })
})
