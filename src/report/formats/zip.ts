/** A file of an archive. */
export interface ZipEntry {
  name: string
  text: string
}

const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = TABLE[(crc ^ byte) & 0xff]! ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}

function numbers(...fields: readonly (readonly [value: number, bytes: 2 | 4])[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(fields.reduce((sum, [, bytes]) => sum + bytes, 0)))
  let at = 0
  for (const [value, bytes] of fields) {
    if (bytes === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += bytes
  }
  return new Uint8Array(view.buffer)
}

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

/** UTF-8 names; the first day that the format knows, so that the same files are the same bytes. */
const [VERSION, UTF8, STORED, TIME, DATE] = [20, 0x0800, 0, 0, 0x21]

/** An archive without compression: this room has no library for it, and every reader takes it. */
export function writeZip(entries: readonly ZipEntry[]): Uint8Array {
  const encoder = new TextEncoder()
  const bodies: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let offset = 0
  for (const { name, text } of entries) {
    const [nameBytes, data] = [encoder.encode(name), encoder.encode(text)]
    const common = [
      [VERSION, 2],
      [UTF8, 2],
      [STORED, 2],
      [TIME, 2],
      [DATE, 2],
      [crc32(data), 4],
      [data.length, 4],
      [data.length, 4],
      [nameBytes.length, 2],
      [0, 2],
    ] as const
    const head = numbers([0x04034b50, 4], ...common)
    bodies.push(head, nameBytes, data)
    directory.push(
      numbers([0x02014b50, 4], [VERSION, 2], ...common, [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]),
      nameBytes,
    )
    offset += head.length + nameBytes.length + data.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const end = numbers(
    [0x06054b50, 4],
    [0, 2],
    [0, 2],
    [entries.length, 2],
    [entries.length, 2],
    [size, 4],
    [offset, 4],
    [0, 2],
  )
  return joinBytes([...bodies, ...directory, end])
}
