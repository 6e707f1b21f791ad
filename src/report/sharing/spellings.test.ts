import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRename } from './model-aliases.ts'

/** Ids with every part of them that a text must not contain. */
const ids: readonly { id: string; telling: readonly string[] }[] = [
  { id: 'openai/gpt-4o-2024-08-06', telling: ['openai', 'gpt', '4o'] },
  { id: 'openai/o3', telling: ['openai', 'o3'] },
  { id: 'openai/o1-mini-2024-09-12', telling: ['openai', 'o1'] },
  { id: 'anthropic/claude-3-5-sonnet-20241022', telling: ['anthropic', 'claude'] },
  { id: 'bedrock/us.anthropic.claude-sonnet-4-v1:0', telling: ['bedrock', 'anthropic', 'claude'] },
  { id: 'google/gemini-2.5-pro', telling: ['google', 'gemini'] },
  { id: 'nousresearch/hermes-3-llama-3.1-405b', telling: ['nous', 'hermes', 'llama', '405b'] },
  { id: 'mistralai/mistral-large-2411', telling: ['mistral', '2411'] },
  { id: 'x-ai/grok-4', telling: ['x-ai', 'grok'] },
  { id: 'ollama/qwen2.5:7b', telling: ['ollama', 'qwen'] },
  { id: 'amazon/nova-pro-v1', telling: ['amazon', 'nova'] },
  { id: 'acme-cloud/zebra-7b', telling: ['acme', 'zebra'] },
  { id: 'ft:gpt-4o-mini-2024-07-18:acme-corp:support-bot:AbC123', telling: ['gpt', 'acme', 'support-bot', 'abc123'] },
  { id: 'моя/модель-7б', telling: ['модель'] },
  { id: '智谱/清言', telling: ['清言'] },
]

const separators = [
  '-',
  ' ',
  '_',
  '.',
  '',
  '\u2011',
  '–',
  '\u00ad',
  '\u200b',
  '%2D',
  '%2d',
  '&#45;',
  '&nbsp;',
  '\n',
  '\\-',
  '\\u002d',
  '**',
]
const slashes = ['/', '%2F', '%252F', '&#x2F;', '\\/', ' / ', ': ', '\\u002f']
const around: readonly [string, string][] = [
  ['As ', ', I '],
  ['', ''],
  ['**', '**'],
  ['`', '`'],
  ['https://', '.example/v1'],
  ['{"model":"', '"}'],
  ['\\n', '\\n'],
  ['(', ')'],
  ["it's ", "'s fault"],
  ['_', '_'],
  ['&lt;', '&gt;'],
  ['%20', '%20'],
  ['<b>', '</b>'],
]

const toCase = {
  lower: (text: string) => text.toLowerCase(),
  upper: (text: string) => text.toUpperCase(),
  same: (text: string) => text,
  title: (text: string) => text.replaceAll(/\p{L}+/gu, (word) => word[0]!.toUpperCase() + word.slice(1)),
}

/** As it is, without its date, without its provider: as texts name it. */
const shorten = {
  whole: (id: string) => id,
  name: (id: string) => id.slice(id.lastIndexOf('/') + 1),
  undated: (id: string) => id.replace(/-\d{8}$|-\d{4}-\d{2}-\d{2}$/, ''),
  provider: (id: string) => id.split('/')[0]!,
}

describe('a name', () => {
  it('is found in every spelling: shortened, in any case, encoded, broken by hyphens, inside of marks', () => {
    fc.assert(
      fc.property(
        fc.record({
          model: fc.constantFrom(...ids),
          part: fc.constantFrom(...Object.values(shorten)),
          written: fc.constantFrom(...Object.values(toCase)),
          separator: fc.constantFrom(...separators),
          slash: fc.constantFrom(...slashes),
          place: fc.constantFrom(...around),
        }),
        ({ model: { id, telling }, part, written, separator, slash, place: [before, after] }) => {
          // Without a separator two words become one, which is only recognised next to a digit.
          const parts = part(id).split('-')
          const joined = parts.reduce((text, next) =>
            separator !== '' || /\d$/.test(text) || /^\d/.test(next) ? text + separator + next : `${text}-${next}`,
          )
          const spelled = written(joined).replaceAll('/', () => slash)
          const text = createRename(new Map([[id, 'Model A']]))(`${before}${spelled}${after}`).toLowerCase()
          expect(telling.filter((name) => text.includes(name))).toEqual([])
        },
      ),
      { numRuns: 3000 },
    )
  })

  it('is found by its family, in wide letters and inside of longer words', () => {
    const renameAll = createRename(new Map(ids.map(({ id }, index) => [id, `Model ${index}`])))
    for (const [text, name] of [
      ['I am ChatGPT', 'gpt'],
      ['ＧＰＴ－４ｏ', '４ｏ'],
      ['mygpt-4o-deployment', 'gpt-4o'],
      ['GPT-4omni', '4omni'],
      ['Nous Research made Hermes 3', 'ermes'],
      ['我是清言模型', '清言'],
      ['generativelanguage.googleapis.com', 'google'],
      ['Mistral AI', 'AI'],
      ['zebra', 'zebra'],
      ['Tongyi Qianwen', 'Qianwen'],
    ] as const)
      expect(renameAll(text)).not.toContain(name)
  })

  it('is not found in common words', () => {
    const rename = createRename(
      new Map([...ids.map(({ id }): [string, string] => [id, 'X']), ['acme/test', 'Y'], ['demo/good', 'Z']]),
    )
    const text = 'A good test of 70 models: egypt, philanthropic, novel, metal, support, the bot, claud, large 7b, pro.'
    expect(rename(text)).toBe(text)
  })
})
