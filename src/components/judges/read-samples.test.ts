import { expect, it } from 'vitest'
import { readSamples } from './read-samples.ts'

it('reads a list of objects, and reports anything else', () => {
  expect(readSamples('[{"id":"a"}]')).toEqual({ samples: [{ id: 'a' }] })
  expect(readSamples('{')).toMatchObject({ problem: expect.stringContaining('Not valid JSON') })
  expect(readSamples('{}')).toMatchObject({ problem: expect.stringContaining('Not a list') })
  expect(readSamples('[]')).toMatchObject({ problem: expect.stringContaining('no samples') })
  expect(readSamples('[{}, 3]')).toMatchObject({ problem: 'Entry 2 is not an object.' })
})
