import { describe, expect, it } from 'vitest'
import { countTestable } from './tarone.ts'

describe('countTestable', () => {
  it('leaves out tests that could never be significant (Tarone 1990)', () => {
    // Three tests can reach .01, nine cannot get below .2: .05 is shared by three.
    expect(countTestable([0.01, 0.01, 0.01, ...Array.from({ length: 9 }, () => 0.2)], 0.05)).toBe(3)
    // .02 passes at 1 and 2, but not at 3: two tests are left.
    expect(countTestable([0.001, 0.02, 0.02, 0.02], 0.05)).toBe(3)
  })
  it('is Bonferroni if all can be', () => expect(countTestable([0, 0, 0, 0], 0.05)).toBe(4))
  it('is 1 without tests', () => expect(countTestable([], 0.05)).toBe(1))
})
