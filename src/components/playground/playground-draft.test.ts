import { describe, expect, it } from 'vitest'
import { defaultParameters } from '../../contract/index.ts'
import type { PlaygroundStart } from '../../server/playground/start-view.ts'
import {
  createDraft,
  describeExperiment,
  findNumberErrors,
  listChosen,
  readEdit,
  readJudges,
} from './playground-draft.ts'

const start: PlaygroundStart = {
  suiteName: 'Fruit',
  modelId: 'demo/good',
  question: { prompt: 'Say {{word}}' },
  vars: [{ name: 'word', value: 'plum' }],
  hasTemplate: true,
  isAskedByVariant: false,
  systemPrompt: 'Be brief.',
  parameters: { ...defaultParameters, temperature: 0.2 },
  judgeModelIds: ['a', 'b'],
  needsJudge: true,
  cases: [
    { id: 'plum', title: 'Say plum', score: 0, passed: false },
    { id: 'pear', title: 'Say pear', score: 1, passed: true },
    { id: 'fig', title: 'Say fig' },
  ],
  total: 3,
  saving: { suiteId: 's', version: 1, variantName: 'changed' },
}
const draft = createDraft(start)

describe('a draft', () => {
  it('changes nothing until something is typed', () => {
    expect(readEdit(draft, start)).toEqual({})
    const conversation = { ...start, question: { messages: [{ role: 'user' as const, content: 'x' }] } }
    expect(readEdit(createDraft(conversation), conversation)).toEqual({})
  })
  it('sends only what differs', () => {
    const edited = {
      ...draft,
      prompt: 'Shout {{word}}',
      vars: JSON.parse('{"word": "fig", "__proto__": 7}'),
      modelId: ' demo/poor ',
      numbers: { ...draft.numbers, temperature: '0,5', maxTokens: '2048' },
    }
    expect(readEdit(edited, start)).toEqual({
      prompt: 'Shout {{word}}',
      vars: [
        { name: 'word', value: 'fig' },
        { name: '__proto__', value: 7 },
      ],
      modelId: 'demo/poor',
      parameters: { temperature: 0.5 },
    })
    expect(readEdit({ ...draft, systemPrompt: '' }, start)).toEqual({ systemPrompt: null })
    expect(readEdit({ ...draft, vars: undefined }, start)).toEqual({ vars: [] })
    expect(readEdit({ ...draft, benchmarkMode: true }, start)).toEqual({ parameters: { benchmarkMode: true } })
  })
  it('never sends a prompt that is not shown, because it is too long', () => {
    const { question: _question, ...long } = start
    expect(readEdit(createDraft(long), long)).toEqual({})
  })
  it('names a parameter that cannot be read', () => {
    const numbers = { ...draft.numbers, temperature: '3', maxTokens: '1.5' }
    expect(findNumberErrors({ ...draft, numbers })).toEqual({
      temperature: 'Temperature must be a number from 0 to 2.',
      maxTokens: 'Max tokens must be a whole number of at least 1.',
    })
  })
  it('asks this case, those that failed, chosen ones or all', () => {
    const asked = (changes: object) => listChosen({ ...draft, ...changes }, start, 'pear')
    expect([
      asked({}),
      asked({ scope: 'failed' }),
      asked({ scope: 'chosen', chosen: ['fig'] }),
      asked({ scope: 'all' }),
    ]).toEqual([['pear'], ['plum'], ['fig'], undefined])
    expect(readJudges({ ...draft, judges: ' a, ,b,a' })).toEqual(['a', 'b'])
  })
})

describe('what is asked', () => {
  const say = (edit: Parameters<typeof describeExperiment>[0], ids?: string[]) =>
    describeExperiment(edit, { caseId: 'plum', ids, total: 3 })
  it('says which cases, and what changes in which of them', () => {
    expect(say({}, ['plum'])).toBe('Runs plum again without a change.')
    expect(say({ prompt: 'x', modelId: 'm' }, ['plum'])).toBe('Runs plum with the prompt and the model changed.')
    expect(say({ prompt: 'x' })).toBe('Runs all 3 cases. The prompt changes in plum only.')
    expect(say({ vars: [], systemPrompt: null, parameters: {} })).toBe(
      'Runs all 3 cases. The variables change in plum only; the system prompt and the parameters change in all of them.',
    )
    expect(say({ prompt: 'x' }, ['pear', 'fig'])).toBe(
      'Runs 2 of 3 cases. The prompt of plum is not used, because it is not run.',
    )
  })
})
