import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fileNameFor, nameBriefly, renameModels } from './names.ts'

it('makes safe file names without folders from any model and file name', () => {
  expect(fileNameFor('demo/good', 'index.html')).toBe('demo-good-index.html')
  fc.assert(
    fc.property(fc.string(), fc.string(), (modelId, name) => {
      expect(fileNameFor(modelId, name)).toMatch(/^\w[\w.-]*$/)
    }),
  )
})

it('shortens the models of a sentence, the longest name first', () => {
  const models = ['openai/gpt-5', 'openai/gpt-5-mini', 'demo/good']
  const rename = (text: string) => renameModels(text, models, nameBriefly(models, 20))
  expect(rename('openai/gpt-5-mini beats openai/gpt-5 and demo/good (a+b).')).toBe(
    'gpt-5-mini beats gpt-5 and demo/good (a+b).',
  )
  expect(renameModels('a.b', ['x/a'], (id) => id)).toBe('a.b')
})
