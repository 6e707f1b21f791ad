import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LongInteger } from '../../contract/index.ts'
import { cutText, fitText, fitTexts, sizeOf } from './fit-texts.ts'

const texts = fc.array(fc.string({ unit: 'binary', maxLength: 400 }), { maxLength: 12 })

describe('fitting texts into a reply', () => {
  it('keeps to the size, cuts only the ends of texts, and leaves values that fit unchanged', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 300, max: 6000 }), (original, bytes) => {
        const value = { texts: original, count: original.length }
        const fitted = fitTexts(value, bytes)
        if (sizeOf(value) <= bytes) expect(fitted).toEqual(value)
        if (!fitted) return
        expect(sizeOf(fitted)).toBeLessThanOrEqual(bytes)
        expect(fitted.count).toBe(original.length)
        for (const [index, text] of fitted.texts.entries()) expect(original[index]!.startsWith(text)).toBe(true)
      }),
    )
  })

  it('cuts all long texts to the same length, so that no answer crowds out another', () => {
    const fitted = fitTexts({ texts: ['a'.repeat(5000), 'b'.repeat(9000), 'short'] }, 4000)!
    const [a, b, c] = fitted.texts
    expect(a!.length).toBe(b!.length)
    expect(a!.length).toBeGreaterThan(1500)
    expect(c).toBe('short')
  })

  it('keeps whole numbers beyond 2^53 as they are', () => {
    const long = new LongInteger('1'.repeat(30))
    expect(JSON.stringify(fitTexts({ long, text: 'x'.repeat(500) }, 200))).toContain(`{"long":${long},"text":"xxx`)
  })

  it('gives up on a value that is too large even without its texts', () => {
    expect(fitTexts({ numbers: Array.from({ length: 10_000 }, (_, index) => index) }, 1000)).toBeUndefined()
  })

  it('never cuts a character in half, and allows for escapes and accents that take more bytes', () => {
    expect(cutText('a😀b', 2)).toBe('a')
    expect(cutText('a😀b', 3)).toBe('a😀')
    expect(sizeOf({ text: fitText('\u0001'.repeat(10_000), 2000) })).toBeLessThanOrEqual(2000)
  })
})
