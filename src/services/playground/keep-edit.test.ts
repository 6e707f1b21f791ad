import { describe, expect, it } from 'vitest'
import { defaultParameters, type PlaygroundEdit, type Variant } from '../../contract/index.ts'
import type { Question } from '../../scoring/index.ts'
import { keepAsCase, keepAsVariant, suggestVariantName } from './keep-edit.ts'

const suite = {
  name: 'Sums',
  notes: 'kept',
  testCases: [
    { id: 'one', prompt: 'What is {{a}}?', vars: { a: 1 }, scoringMethod: 'boolean', passAt: 1 },
    { id: 'two', messages: [{ role: 'user', content: 'Hi' }], scoringMethod: 'boolean' },
  ],
}
const editable = (question: Question, variant?: Variant) => ({
  question,
  testCase: { id: 'one', weight: 1 },
  contestant: {
    id: 'm',
    modelId: 'm',
    systemPrompt: undefined,
    parameters: defaultParameters,
    ...(variant && { variant }),
  },
})
const own = editable({ prompt: 'What is {{a}}?' })
const caseOf = (edit: PlaygroundEdit) => keepAsCase(suite, own, edit)['testCases']
const variantsOf = (edit: PlaygroundEdit, from = own, into: Record<string, unknown> = suite) =>
  keepAsVariant(into, from, { edit, name: 'new' })['variants']

describe('keeping a change in its case', () => {
  it('changes only the question and the variables of that case', () => {
    expect(caseOf({ prompt: 'Say {{a}}', systemPrompt: 'ignored' })).toEqual([
      { id: 'one', prompt: 'Say {{a}}', vars: { a: 1 }, scoringMethod: 'boolean', passAt: 1 },
      suite.testCases[1],
    ])
    expect(caseOf({ vars: [] })).toEqual([
      { id: 'one', prompt: 'What is {{a}}?', scoringMethod: 'boolean', passAt: 1 },
      suite.testCases[1],
    ])
    expect(keepAsCase(suite, own, { prompt: 'x' })).toMatchObject({ name: 'Sums', notes: 'kept' })
  })
  it('writes the case’s own prompt where {{prompt}} stood', () => {
    expect(caseOf({ prompt: '{{ prompt }} \\{{prompt}} Now.' })).toMatchObject([
      { prompt: 'What is {{a}}? \\{{prompt}} Now.' },
      {},
    ])
  })
  it('refuses what belongs elsewhere, and a case that is gone', () => {
    expect(() => caseOf({ parameters: { topP: 1 } })).toThrow('unchanged')
    const ofVariant = editable({ prompt: '{{prompt}}!' }, { name: 'v', prompt: '{{prompt}}!' })
    expect(() => keepAsCase(suite, ofVariant, { prompt: 'x' })).toThrow('from the variant v')
    expect(() => keepAsCase({ testCases: [] }, own, { prompt: 'x' })).toThrow('no longer has this case')
  })
})

describe('keeping a change as a variant', () => {
  it('adds it beside what was asked before', () => {
    expect(variantsOf({ systemPrompt: 'Think.', parameters: { topP: 0.5 } })).toEqual([
      { name: 'original' },
      { name: 'new', systemPrompt: 'Think.', parameters: { topP: 0.5 } },
    ])
    const variant: Variant = { name: 'v', models: ['m'], prompt: '{{a}}!', parameters: { temperature: 0 } }
    const into = { ...suite, variants: [variant] }
    expect(
      variantsOf({ parameters: { topP: 0.5 }, modelId: 'n' }, editable({ prompt: '{{a}}!' }, variant), into),
    ).toEqual([
      variant,
      { name: 'new', models: ['m', 'n'], prompt: '{{a}}!', parameters: { temperature: 0, topP: 0.5 } },
    ])
  })
  it('generalises a prompt that contains the case’s own', () => {
    expect(variantsOf({ prompt: 'Think. What is {{a}}? $& Go.' })).toMatchObject([
      {},
      { prompt: 'Think. {{prompt}} $& Go.' },
    ])
    expect(variantsOf({ prompt: 'Just {{a}}' })).toMatchObject([{}, { prompt: 'Just {{a}}' }])
    expect(variantsOf({ messages: [{ role: 'user', content: 'Just {{a}}' }] })).toMatchObject([{}, { messages: [{}] }])
  })
  it('refuses a prompt that fits one case only, and what a variant cannot hold', () => {
    expect(() => variantsOf({ prompt: 'What is 7?' })).toThrow('Write {{prompt}}')
    expect(() => variantsOf({ messages: [{ role: 'user', content: '\\{{a}}' }] })).toThrow('Write {{prompt}}')
    expect(() => variantsOf({ vars: [], modelId: 'n' })).toThrow('none of them is changed')
    expect(() => variantsOf({ systemPrompt: null }, own, { ...suite, systemPrompt: 'x' })).toThrow('cannot leave out')
  })
  it('suggests a name that is free', () => {
    expect(suggestVariantName(suite)).toBe('changed')
    expect(suggestVariantName({ variants: [{ name: 'changed' }, { name: 'changed 2' }, 7] })).toBe('changed 3')
  })
})
