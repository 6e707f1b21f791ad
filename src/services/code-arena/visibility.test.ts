import { crc32, deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { InspectedPage } from '../../contract/index.ts'
import { isOneColour, whyInvisible, whyNotSeen } from './visibility.ts'

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(content.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}

/** A picture of 4 × 3 pixels whose rows all use one filter. */
function drawPng(pixel: (x: number, y: number) => readonly number[], filter: number): Uint8Array {
  const [width, height] = [4, 3]
  const channels = pixel(0, 0).length
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  header[9] = channels === 4 ? 6 : 2
  const byte = (at: number, y: number) => (at < 0 || y < 0 ? 0 : pixel(Math.floor(at / channels), y)[at % channels]!)
  const rows = Array.from({ length: height }, (_row, y) => [
    filter,
    ...Array.from({ length: width * channels }, (_byte, at) => {
      const [left, above, corner] = [byte(at - channels, y), byte(at, y - 1), byte(at - channels, y - 1)]
      const nearest = [left, above, corner].toSorted(
        (a, b) => Math.abs(left + above - corner - a) - Math.abs(left + above - corner - b),
      )[0]!
      const predicted = [0, left, above, Math.floor((left + above) / 2), nearest][filter]!
      return (byte(at, y) - predicted + 256) % 256
    }),
  ])
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

describe.each([0, 1, 2, 3, 4])('a picture with row filter %i', (filter) => {
  it('is of one colour', () => {
    expect(isOneColour(drawPng(() => [250, 40, 200], filter))).toBe(true)
    expect(isOneColour(drawPng(() => [255, 255, 255, 255], filter))).toBe(true)
  })

  it('is of one colour if no eye can tell the difference', () => {
    expect(isOneColour(drawPng((x) => [8, x === 1 ? 7 : 8, x === 2 ? 11 : 8], filter))).toBe(true)
    // Each is near the first pixel, but not near the other.
    expect(isOneColour(drawPng((x) => [x === 0 ? 8 : x === 1 ? 6 : 10, 8, 8], filter))).toBe(false)
  })

  it('is not, if a single pixel differs visibly', () => {
    for (const [x, y] of [
      [0, 0],
      [3, 0],
      [0, 1],
      [3, 2],
    ])
      expect(isOneColour(drawPng((px, py) => (px === x && py === y ? [8, 12, 8] : [8, 8, 8]), filter))).toBe(false)
  })
})

it('is undecided about what is no picture', () => {
  expect(isOneColour(new Uint8Array())).toBe(false)
  expect(isOneColour(Buffer.from('not a picture, only some text that is long enough'))).toBe(false)
})

const blank = drawPng(() => [255, 255, 255], 0)
const drawn = drawPng((x) => [x, 80 * x, x], 0)
const page = (change: Partial<InspectedPage>, pngs: Uint8Array[] = [drawn, blank]): InspectedPage => ({
  files: [{ name: 'index.html', language: 'html', code: '<p>' }],
  runs: true,
  notes: [],
  pictures: pngs.map((png, index) => ({ name: `${index}.png`, width: 4, height: 3, isAfterInteraction: false, png })),
  findings: { console: [], errors: [], accessibility: [], blocked: [], interactions: [] },
  ...change,
})

describe('why a page is invisible', () => {
  it('it is not, if any picture shows something, or if no browser has opened it', () => {
    expect(whyInvisible(page({}))).toBeUndefined()
    expect(whyInvisible(page({ findings: undefined, notSeen: 'No browser.' }, []))).toBeUndefined()
  })

  it('names what happened', () => {
    expect(whyInvisible(page({}, [blank, blank]))).toBe('The page shows nothing.')
    expect(whyInvisible(page({ files: [], runs: false }, []))).toBe('There is no page in the answer.')
    expect(whyInvisible(page({ runs: false, problem: 'app.tsx does not compile.' }, []))).toBe(
      'app.tsx does not compile.',
    )
    const hung = {
      console: [],
      errors: ['It was not ready in time.'],
      accessibility: [],
      blocked: [],
      interactions: [],
    }
    expect(whyInvisible(page({ findings: hung }, []))).toBe('It was not ready in time.')
    // Slow at one width, or stuck after it was shown.
    expect(whyInvisible(page({ findings: hung }))).toBeUndefined()
    expect(whyInvisible(page({ findings: { ...hung, hang: 'It hangs.' } }))).toBe('It hangs.')
  })
})

describe('why a page is not seen', () => {
  const findings = { console: [], errors: [], accessibility: [], blocked: [], interactions: [] }
  const far = { url: 'https://api.example.org/v1', why: 'blocked while the page ran (connect-src)' }

  it('is what it lacks here, whatever it shows', () => {
    expect(whyNotSeen(page({ missing: ['far is not available here.'] }))).toBe('far is not available here.')
    expect(whyNotSeen(page({ runs: false, missing: ['Angular does not run here.'] }, []))).toBe(
      'Angular does not run here.',
    )
  })

  it('is code or data that was blocked, only if it shows nothing', () => {
    const blocked = [{ ...far, isCode: true }]
    expect(whyNotSeen(page({ findings: { ...findings, blocked } }, [blank]))).toBe(
      'There is no network here for https://api.example.org/v1.',
    )
    expect(whyNotSeen(page({ findings: { ...findings, blocked } }))).toBeUndefined()
    // A font or a picture makes no page blank.
    expect(whyNotSeen(page({ findings: { ...findings, blocked: [far] } }, [blank]))).toBeUndefined()
  })

  it('is a failure of ours, and no fault of its own', () => {
    const notSeen = 'No pictures: it is very slow.'
    expect(whyNotSeen(page({ notSeen }, []))).toBe(notSeen)
    expect(whyNotSeen(page({ notSeen, findings: { ...findings, hang: 'It hangs.' } }, []))).toBeUndefined()
    expect(whyNotSeen(page({}, [blank]))).toBeUndefined()
  })
})
