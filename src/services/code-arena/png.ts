import { crc32, deflateSync, inflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])

/** Far more than any screenshot that Benchmaker takes (1440 × 3000 pixels). */
const MAX_BYTES = 64_000_000

/** Bytes per pixel by the colour type of an 8-bit PNG; those with a palette are not read. */
const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 4: 2, 6: 4 }

export interface PngPixels {
  width: number
  height: number
  /** Bytes per pixel. */
  channels: number
  /** From the top; they are decoded as they are read. */
  rows: Iterable<Uint8Array>
}

/** Yields the chunks of a PNG (PNG specification, section 5.3). */
function* readChunks(png: Buffer): Generator<{ type: string; content: Buffer }> {
  for (let at = SIGNATURE.length; at + 12 <= png.length;) {
    const length = png.readUInt32BE(at)
    yield { type: png.toString('latin1', at + 4, at + 8), content: png.subarray(at + 8, at + 8 + length) }
    at += 12 + length
  }
}

function predictPaeth(left: number, above: number, aboveLeft: number): number {
  const estimate = left + above - aboveLeft
  const toLeft = Math.abs(estimate - left)
  const toAbove = Math.abs(estimate - above)
  const toBoth = Math.abs(estimate - aboveLeft)
  if (toLeft <= toAbove && toLeft <= toBoth) return left
  return toAbove <= toBoth ? above : aboveLeft
}

/** Undoes the filter of a row in place (PNG specification, section 9.2). */
function undoFilter(filter: number, row: Uint8Array, above: Uint8Array, channels: number): void {
  const { length } = row
  // A loop for each filter: one that asks for every byte takes several times as long.
  if (filter === 1) for (let x = channels; x < length; x++) row[x]! += row[x - channels]!
  else if (filter === 2) for (let x = 0; x < length; x++) row[x]! += above[x]!
  else if (filter === 3)
    for (let x = 0; x < length; x++) row[x]! += ((x < channels ? 0 : row[x - channels]!) + above[x]!) >> 1
  else if (filter === 4)
    for (let x = 0; x < length; x++)
      row[x]! += x < channels ? above[x]! : predictPaeth(row[x - channels]!, above[x]!, above[x - channels]!)
}

function* decodeRows(data: Buffer, stride: number, channels: number): Generator<Uint8Array> {
  let above = new Uint8Array(stride)
  for (let at = 0; at + stride < data.length; at += stride + 1) {
    const row = new Uint8Array(data.subarray(at + 1, at + 1 + stride))
    undoFilter(data[at]!, row, above, channels)
    yield row
    above = row
  }
}

/** The pixels of an 8-bit PNG that is neither interlaced nor has a palette; undefined for anything else. */
export function readPng(picture: Uint8Array): PngPixels | undefined {
  const png = Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength)
  if (!png.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return undefined
  const chunks = [...readChunks(png)]
  const header = chunks.find(({ type }) => type === 'IHDR')?.content
  if (!header || header.length < 13) return undefined
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const channels = CHANNELS[header[9]!]
  const stride = width * (channels ?? 0)
  if (header[8] !== 8 || channels === undefined || header[12] !== 0 || (stride + 1) * height > MAX_BYTES)
    return undefined
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ content }) => content))
  const rows = decodeRows(inflateSync(packed, { maxOutputLength: MAX_BYTES }), stride, channels)
  return { width, height, channels, rows }
}

function makeChunk(type: string, content: Uint8Array): Buffer {
  const chunk = Buffer.alloc(content.length + 12)
  chunk.writeUInt32BE(content.length, 0)
  chunk.write(type, 4, 'latin1')
  chunk.set(content, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, content.length + 8)), content.length + 8)
  return chunk
}

/** A PNG of RGB pixels, three bytes each. */
export function writePng({ width, height, rgb }: { width: number; height: number; rgb: Uint8Array }): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const stride = width * 3
  // Each row differs little from the one above (filter 2), which compresses well.
  const filtered = Buffer.alloc((stride + 1) * height)
  for (let y = 0; y < height; y++) {
    filtered[y * (stride + 1)] = 2
    for (let x = 0; x < stride; x++)
      filtered[y * (stride + 1) + 1 + x] = rgb[y * stride + x]! - (y === 0 ? 0 : rgb[(y - 1) * stride + x]!)
  }
  return Buffer.concat([
    SIGNATURE,
    makeChunk('IHDR', header),
    makeChunk('IDAT', deflateSync(filtered)),
    makeChunk('IEND', new Uint8Array()),
  ])
}
