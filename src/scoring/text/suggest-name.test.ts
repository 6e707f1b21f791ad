import { describe, expect, it } from 'vitest'
import { askIfMeant, suggestName } from './suggest-name.ts'

describe('suggesting a name', () => {
  it.each([
    ['runn', ['run', 'resume'], 'run'],
    ['promt', ['prompt', 'prompts', 'messages'], 'prompt'],
    ['Exact-Match', ['exact-match', 'regex-match'], 'exact-match'],
    ['acme/lrge', ['acme/large', 'acme/small'], 'acme/large'],
    ['shwo', ['show', 'run'], 'show'],
    ['bas', ['base', 'bash'], 'base or bash'],
  ])('%s', (word, names, meant) => {
    expect(suggestName(word, names)).toBe(meant)
    expect(askIfMeant(word, names)).toBe(`\nDid you mean ${meant}?`)
  })
  it('suggests nothing that is another word', () => {
    expect(suggestName('nonsense', ['run', 'list'])).toBeUndefined()
    expect(suggestName('id', ['as', 'of'])).toBeUndefined()
    expect(suggestName('tags', ['vars', 'task'])).toBeUndefined()
    expect(suggestName('case-1', ['case-11', 'case-12', 'case-13', 'case-14'])).toBeUndefined()
    expect(suggestName('x', [])).toBeUndefined()
    expect(askIfMeant('colour', ['metadata'])).toBe('')
  })
})
