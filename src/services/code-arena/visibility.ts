import { inflateSync } from 'node:zlib'
import type { InspectedPage } from '../../contract/index.ts'

/** Pictures of one colour compress to less than this, whatever their size; others need not be unpacked. */
const MOST_BYTES_OF_ONE_COLOUR = 300_000

const SIGNATURE_LENGTH = 8

/** Yields the chunks of a PNG (PNG specification, section 5.3). */
function* readChunks(png: Buffer): Generator<{ type: string; content: Buffer }> {
  for (let at = SIGNATURE_LENGTH; at + 12 <= png.length;) {
    const length = png.readUInt32BE(at)
    yield { type: png.toString('latin1', at + 4, at + 8), content: png.subarray(at + 8, at + 8 + length) }
    at += 12 + length
  }
}

/** What the filters of a row predict from the bytes around one (PNG specification, section 9.2). */
function predict(filter: number, left: number, above: number, aboveLeft: number): number {
  if (filter === 1) return left
  if (filter === 2) return above
  if (filter === 3) return (left + above) >> 1
  return filter === 4 ? predictPaeth(left, above, aboveLeft) : 0
}

function predictPaeth(left: number, above: number, aboveLeft: number): number {
  const estimate = left + above - aboveLeft
  const toLeft = Math.abs(estimate - left)
  const toAbove = Math.abs(estimate - above)
  const toBoth = Math.abs(estimate - aboveLeft)
  if (toLeft <= toAbove && toLeft <= toBoth) return left
  return toAbove <= toBoth ? above : aboveLeft
}

/** Returns true if every pixel of an 8-bit PNG has the same colour. */
export function isOneColour(picture: Uint8Array): boolean {
  const png = Buffer.from(picture)
  if (png.length > MOST_BYTES_OF_ONE_COLOUR) return false
  const chunks = [...readChunks(png)]
  const header = chunks.find(({ type }) => type === 'IHDR')?.content
  if (!header) return false
  const [width, depth, colourType] = [header.readUInt32BE(0), header[8], header[9]]
  const channels = { 0: 1, 2: 3, 4: 2, 6: 4 }[colourType ?? -1]
  if (depth !== 8 || channels === undefined) return false
  const rows = inflateSync(Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ content }) => content)))
  const stride = width * channels
  let above = new Uint8Array(stride)
  let first: Uint8Array | undefined
  for (let at = 0; at + stride < rows.length; at += stride + 1) {
    const filter = rows[at]!
    const row = new Uint8Array(rows.subarray(at + 1, at + 1 + stride))
    for (let x = 0; x < stride; x++) {
      const left = x < channels ? 0 : row[x - channels]!
      const aboveLeft = x < channels ? 0 : above[x - channels]!
      row[x] = row[x]! + predict(filter, left, above[x]!, aboveLeft)
      if (row[x] !== (first ?? row)[x % channels]) return false
    }
    first ??= row
    above = row
  }
  return first !== undefined
}

/**
 * Why a person who opens the page sees nothing; undefined if there is something to see, or if no browser has tried.
 */
export function whyInvisible({ runs, problem, files, findings, pictures }: InspectedPage): string | undefined {
  if (files.length === 0) return 'There is no page in the answer.'
  if (!runs) return problem ?? 'The code makes no page.'
  if (!findings) return undefined
  if (pictures.length === 0) return findings.errors[0] ?? 'The page never finished loading.'
  return pictures.every(({ png }) => isOneColour(png)) ? 'The page shows nothing.' : undefined
}
