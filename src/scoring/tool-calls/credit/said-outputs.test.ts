import { describe, expect, it } from 'vitest'
import { findOutputs } from './said-outputs.ts'

const isSaid = (output: string, said: string) => findOutputs([output], [said])[0]

describe('an expected number', () => {
  it.each([
    ['6.02e23', 'about 6.02 × 10^23 per mole'],
    ['6.02 × 10^23', 'It is **6.02e+23**.'],
    ['6.02e23', 'It is 6.02 * 10**23.'],
    ['6.02e23', String.raw`It is $6.02 \times 10^{23}$.`],
    ['6.02e23', 'It is 6.02·10²³'],
    ['6.02e23', 'It is 602,000,000,000,000,000,000,000.'],
    ['1000000', 'It is 10^6.'],
    ['1e6', 'It costs $1,000,000.'],
    ['$1.5e3', 'You get $1,500.00 back.'],
    ['-2.5E-3', 'a loss of 0.0025'],
    ['1234', 'It is 1{,}234.'],
    ['1234', 'It is 1\u2009234.'],
  ])('%s is found in: %s', (output, said) => expect(isSaid(output, said)).toBe(true))

  it.each([
    ['6.02e23', '6.02 × 10^22'],
    ['6.02', '6.02 × 10^23'],
    ['23', '6.02 × 10^23'],
    ['10', 'a factor of 10^6'],
    ['1e999', 'It is infinite.'],
    ['602000000000000000000000', '602,000,000,000,000,000,000,001'],
  ])('%s is not found in: %s', (output, said) => expect(isSaid(output, said)).toBe(false))

  it('is found beside a product that is no power of ten', () => {
    expect(findOutputs(['5', '10', '50'], ['5 x 10 = 50'])).toEqual([true, true, true])
    expect(isSaid('1e999', 'It is 1e999.')).toBe(true)
    expect(isSaid('5', 'a'.concat('1,'.repeat(50_000)))).toBe(false)
  })
})
