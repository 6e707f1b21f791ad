import { describe, expect, it } from 'vitest'
import type { PageBlock, SeenPage } from '../../contract/index.ts'
import { compareBlocks, compareTexts } from './compare-blocks.ts'

it.each([
  // n, h and t are in both: 2 · 3 / (5 + 5).
  ['night', 'nacht', 0.6],
  ['abc', 'abc', 1],
  ['abc', 'cba', 1],
  ['abc', 'xyz', 0],
  // One a in common, however often it occurs: 2 · 1 / (3 + 1).
  ['aaa', 'a', 0.5],
  ['', '', 1],
  ['', 'a', 0],
])('%j and %j have %d of their characters in common', (one, other, share) => {
  expect(compareTexts(one, other)).toBeCloseTo(share, 12)
})

const block = (text: string, change: Partial<PageBlock> = {}): PageBlock => ({
  text,
  left: 0,
  top: 0,
  width: 100,
  height: 10,
  colour: [0, 0, 0],
  ...change,
})
const page = (blocks: PageBlock[]): SeenPage => ({ width: 1000, height: 500, blocks, png: new Uint8Array() })

describe('two pages', () => {
  it('that are the same are alike in everything', () => {
    const same = page([block('Owls'), block('hunt', { top: 50 })])
    expect(compareBlocks(same, same)).toEqual({ blocks: 1, text: 1, position: 1, colour: 1 })
  })

  it('are compared block by block, whatever their order', () => {
    const one = page([block('night'), block('Owls', { left: 400, width: 300 })])
    const other = page([
      block('Owls', { left: 500, top: 100, width: 300, colour: [255, 255, 255] }),
      block('nacht'),
      block('Advertisement', { width: 600 }),
    ])
    const found = compareBlocks(one, other)
    // Areas: 1,000 + 3,000 of each are matched, and 6,000 more are there.
    expect(found.blocks).toBeCloseTo(8000 / 14_000, 12)
    expect(found.text).toBeCloseTo((0.6 + 1) / 2, 12)
    // By 0.1 of the width and 0.2 of the height: the greater counts.
    expect(found.position).toBeCloseTo((1 + 0.8) / 2, 12)
    // Black and white are 100 apart.
    expect(found.colour).toBeCloseTo((1 + 0) / 2, 6)
  })

  it('with nothing in common are 0, and two empty ones are alike', () => {
    expect(compareBlocks(page([block('abc')]), page([]))).toEqual({ blocks: 0, text: 0, position: 0, colour: 0 })
    expect(compareBlocks(page([block('abc')]), page([block('xyz')]))).toMatchObject({ blocks: 0, text: 0 })
    expect(compareBlocks(page([]), page([])).blocks).toBe(1)
  })
})
