import { expect, it } from 'vitest'
import { readSamples } from './read-samples.ts'

it('reads a list of objects, and says what else it found', () => {
  expect(readSamples('[{"id":"a"}]')).toEqual({ samples: [{ id: 'a' }] })
  expect(readSamples('{')).toMatchObject({ problem: expect.stringContaining('not JSON') })
  expect(readSamples('{}')).toMatchObject({ problem: expect.stringContaining('not a list') })
  expect(readSamples('[]')).toMatchObject({ problem: expect.stringContaining('no sample') })
  expect(readSamples('[{}, 3]')).toMatchObject({ problem: 'Entry 2 is no object.' })
})
