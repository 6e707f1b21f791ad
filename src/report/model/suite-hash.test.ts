import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sha256 } from './sha256.ts'
import { hashSuite } from './suite-hash.ts'

describe('sha256', () => {
  it('gives the values of FIPS 180-4', () => {
    expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    expect(sha256('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq')).toBe(
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    )
    expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  })
  it('agrees with Node on any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(sha256(text)).toBe(createHash('sha256').update(text.toWellFormed()).digest('hex'))
      }),
    )
  })
})

describe('hashSuite', () => {
  const testCase = { id: 'a', prompt: 'Capital of France?', expectedOutput: 'Paris', weight: 1 }
  it('does not depend on the order of keys', () => {
    const { weight, expectedOutput, prompt, id } = testCase
    expect(hashSuite({ testCases: [{ weight, expectedOutput, prompt, id }], name: 'x' })).toBe(
      hashSuite({ name: 'x', testCases: [testCase] }),
    )
  })
  it('changes with every part of a case', () => {
    const of = (change: object) => hashSuite({ name: 'x', testCases: [{ ...testCase, ...change }] })
    const hashes = [{}, { prompt: 'Capital?' }, { expectedOutput: 'paris' }, { weight: 2 }, { id: 'b' }].map(of)
    expect(new Set(hashes).size).toBe(hashes.length)
  })
})
