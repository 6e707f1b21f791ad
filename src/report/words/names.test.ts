import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fileNameFor } from './names.ts'

it('makes safe file names without folders from any model and file name', () => {
  expect(fileNameFor('demo/good', 'index.html')).toBe('demo-good-index.html')
  fc.assert(
    fc.property(fc.string(), fc.string(), (modelId, name) => {
      expect(fileNameFor(modelId, name)).toMatch(/^\w[\w.-]*$/)
    }),
  )
})
