import { describe, expect, it } from 'vitest'
import { createRandom, createSfc32 } from './random.ts'

describe('random', () => {
  it('sfc32 from state 1, 2, 3 gives the words of PractRand’s definition (written out in Python)', () => {
    const next = createSfc32(1, 2, 3)
    expect(Array.from({ length: 8 }, () => next())).toEqual([
      4, 31, 56623170, 132259135, 3317874561, 1410031969, 1873638350, 4016548663,
    ])
  })

  it('gives the same numbers for the same seed, and others for another', () => {
    const draw = (seed: number | string) => {
      const random = createRandom(seed)
      return Array.from({ length: 5 }, () => random())
    }
    expect(draw(7)).toEqual(draw(7))
    expect(draw('case-1')).toEqual(draw('case-1'))
    const seeds = [0, 1, 2, -1, 1.5, 2 ** 32, 2 ** 33, '', 'a', 'b', 'ab', 'ba', 'ā']
    expect(new Set(seeds.map((seed) => draw(seed)[0])).size).toBe(seeds.length)
  })

  it('is uniform on [0, 1): 100,000 draws in 100 bins give a χ² below its 99.99 % point at 99 degrees, 160.1', () => {
    const random = createRandom('uniform')
    const bins = new Float64Array(100)
    for (let i = 0; i < 100_000; i++) bins[Math.floor(random() * 100)]! += 1
    expect(bins.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0)).toBeLessThan(160.1)
  })

  it('has no correlation between adjacent seeds or adjacent draws (|r| of 20,000 pairs below 0.03)', () => {
    const products = { seeds: 0, draws: 0 }
    for (let seed = 0; seed < 20_000; seed++) {
      const random = createRandom(seed)
      const first = random()
      products.seeds += 12 * (first - 0.5) * (createRandom(seed + 1)() - 0.5)
      products.draws += 12 * (first - 0.5) * (random() - 0.5)
    }
    expect(Math.abs(products.seeds) / 20_000).toBeLessThan(0.03)
    expect(Math.abs(products.draws) / 20_000).toBeLessThan(0.03)
  })

  it('rejects a seed of NaN', () => {
    expect(() => createRandom(NaN)).toThrow(RangeError)
  })
})
