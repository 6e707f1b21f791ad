import { expect, it } from 'vitest'
import { readSamples } from './read-samples.ts'

it('reads a list of objects, and reports anything else', () => {
  expect(readSamples('[{"id":"a"}]')).toEqual({ samples: [{ id: 'a' }] })
  expect(readSamples('{')).toMatchObject({ problem: expect.stringContaining('Not valid JSON') })
  expect(readSamples('{}')).toMatchObject({ problem: expect.stringContaining('Not a list') })
  expect(readSamples('[]')).toMatchObject({ problem: expect.stringContaining('no samples') })
  expect(readSamples('[{}, 3]')).toMatchObject({ problem: 'Entry 2 is not an object.' })
})

it('takes scores in points of 100, as every score on screen', () => {
  expect(readSamples('[{"id":"a","expectedScore":80,"tolerance":15},{"id":"b","expectedScore":"x"}]')).toEqual({
    samples: [
      { id: 'a', expectedScore: 0.8, tolerance: 0.15 },
      { id: 'b', expectedScore: 'x' },
    ],
  })
  expect(readSamples('[{"expectedScore":100},{"expectedScore":1},{"expectedScore":0}]')).toEqual({
    samples: [{ expectedScore: 1 }, { expectedScore: 0.01 }, { expectedScore: 0 }],
  })
})

it('refuses scores on the scale of files instead of guessing', () => {
  const scale = { problem: expect.stringContaining('write 80 for 0.8') }
  expect(readSamples('[{"expectedScore":90},{"expectedScore":0.8}]')).toMatchObject(scale)
  expect(readSamples('[{"expectedScore":90,"tolerance":0.1}]')).toMatchObject(scale)
  expect(readSamples('[{"expectedScore":0},{"expectedScore":1}]')).toMatchObject(scale)
  expect(readSamples('[{"expectedScore":0}]')).toHaveProperty('samples')
  expect(readSamples('[{"expectedScore":0},{"expectedScore":140}]')).toMatchObject({
    problem: 'Entry 2 has a score that is not from 0 to 100.',
  })
})
