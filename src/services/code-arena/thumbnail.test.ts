import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readPng, writePng } from './png.ts'
import { makeThumbnail } from './thumbnail.ts'

function draw(width: number, height: number, colour: (x: number, y: number) => [number, number, number]) {
  const pixels = Array.from({ length: width * height }, (_pixel, at) => colour(at % width, Math.floor(at / width)))
  return { width, height, rgb: new Uint8Array(pixels.flat()) }
}

describe('PNG', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 9 }),
        fc.infiniteStream(fc.nat(255)),
        (width, height, bytes) => {
          const picture = draw(width, height, () => [bytes.next().value, bytes.next().value, bytes.next().value])
          const read = readPng(writePng(picture))!
          expect([read.width, read.height, read.channels]).toEqual([width, height, 3])
          expect([...read.rows].flatMap((row) => [...row])).toEqual([...picture.rgb])
        },
      ),
    )
  })

  it('is not read if it is something else', () => {
    expect(readPng(new Uint8Array([1, 2, 3]))).toBeUndefined()
    expect(readPng(Buffer.from('<svg onload=alert(1)>'))).toBeUndefined()
    expect(makeThumbnail(new Uint8Array(100))).toBeUndefined()
  })
})

describe('a small picture', () => {
  it('shows the top of the screenshot at 240 × 150 pixels, with the mean of the colours', () => {
    // Left half red, right half blue; below the part that is shown, green.
    const picture = draw(480, 400, (x, y) => (y >= 300 ? [0, 255, 0] : x < 240 ? [255, 0, 0] : [0, 0, 255]))
    const small = readPng(makeThumbnail(writePng(picture))!)!
    expect([small.width, small.height]).toEqual([240, 150])
    const rows = [...small.rows]
    expect([...rows[0]!.subarray(0, 3)]).toEqual([255, 0, 0])
    expect([...rows[149]!.subarray(-3)]).toEqual([0, 0, 255])
  })

  it('of stripes is their mean colour', () => {
    const stripes = draw(480, 20, (x) => (x % 2 === 0 ? [0, 0, 0] : [200, 100, 50]))
    const [row] = readPng(makeThumbnail(writePng(stripes))!)!.rows
    expect([...row!.subarray(0, 3)]).toEqual([100, 50, 25])
  })

  it('is not enlarged, and may be lower', () => {
    const { width, height } = readPng(makeThumbnail(writePng(draw(100, 40, () => [1, 2, 3])))!)!
    expect([width, height]).toEqual([100, 40])
  })
})
