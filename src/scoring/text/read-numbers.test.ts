import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readNumbers } from './read-numbers.ts'

describe('numbers as people write them', () => {
  it.each<[string, number[]]>([
    ['1,234,567.8', [1234567.8]],
    ['$1,000', [1000]],
    ['1,2,3', [1, 2, 3]],
    ['1,234,56', [1, 234, 56]],
    ['1234,567', [1234, 567]],
    ['−5', [-5]],
    ['1.2e-3', [0.0012]],
    ['6.02 × 10^23', [6.02e23]],
    ['6.02x10^23', [6.02e23]],
    ['6.02 * 10**23', [6.02e23]],
    [String.raw`6.02 \times 10^{23}`, [6.02e23]],
    ['6.02·10²³', [6.02e23]],
    ['3 × 10⁻⁴', [0.0003]],
    ['3 × 10^−4', [0.0003]],
    ['10^6', [1e6]],
    ['-10^3', [-1000]],
    ['50%', [50]],
    ['5-3', [5, 3]],
    ['5 - 3', [5, 3]],
    ['5 -3', [5, -3]],
    ['GPT-4 scored', [4]],
    ['COVID-19', [19]],
    ['(-3)', [-3]],
    ['x=-3', [-3]],
    ['-$5 and $-6', [-5, -6]],
    ['2024-03-05', [2024, 3, 5]],
    ['.5 and -.25', [0.5, -0.25]],
    ['It is 5.', [5]],
    ['1.2.3', [1.2, 3]],
    ['3.14, 2.72', [3.14, 2.72]],
    ['2^10', [2, 10]],
    ['2 x 10', [2, 10]],
    [String.raw`\$1{,}234{,}567`, [1234567]],
    ['1\u202f234\u202f567,8', [1, 234, 567, 8]],
    ['1\u00a0234\u00a0567', [1234567]],
    ['1/2', [1, 2]],
    ['1e999', []],
    ['7,', [7]],
    ['', []],
    ['none', []],
  ])('%j contains %j', (text, numbers) => expect(readNumbers(text)).toEqual(numbers))

  it('reads any integer formatted with comma groups', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e15, max: 1e15 }), (value) => {
        expect(readNumbers(value.toLocaleString('en-US'))).toEqual([value])
      }),
    )
  })
  it('reads a million ungrouped numbers in linear time', () => {
    const numbers = readNumbers(`${'1,234,'.repeat(500_000)}5`)
    expect(numbers).toHaveLength(1_000_001)
  })
  it('ignores a number of a million digits, which is too large', () => {
    expect(readNumbers(`${'9'.repeat(1_000_000)} and 3`)).toEqual([3])
  })
})
