import { expect, it } from 'vitest'
import { splitName } from './split-name.ts'

it('splits a long name so that its end stays, and never loses a character', () => {
  expect(splitName('demo/good')).toEqual({ head: 'demo/good', tail: '' })
  expect(splitName('say-the-number-4')).toEqual({ head: 'say-', tail: 'the-number-4' })
  expect(splitName('local/llama-3.3-70b-instruct-q4_k_m').tail).toBe('instruct-q4_k_m')
  expect(splitName('x'.repeat(30)).tail).toHaveLength(12)
  const names = ['local/llama-3.3-70b-instruct-q4_k_m', 'local/llama-3.3-70b-instruct-q8_0', 'vendor/👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀-end']
  for (const name of names) {
    const { head, tail } = splitName(name)
    expect(head + tail).toBe(name)
    expect([...tail].length).toBeLessThanOrEqual(16)
  }
})
