import { crc32, deflateRawSync, zstdCompressSync } from 'node:zlib'

export interface ZipPart {
  name: string
  content: string | Buffer
  method?: 0 | 8 | 93
  /** What the archive says, if that is not the truth. */
  claims?: { size?: number; crc?: number; method?: number; data?: Buffer; flags?: number }
}

const COMPRESS = { 0: (bytes: Buffer) => bytes, 8: deflateRawSync, 93: zstdCompressSync }

/** A zip archive, also a wrong one. */
export function makeZip(parts: readonly ZipPart[]): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, method = 8, claims = {} } of parts) {
    const bytes = Buffer.from(content)
    const data = claims.data ?? COMPRESS[method](bytes)
    const encoded = Buffer.from(name)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(63, 0)
    fields.writeUInt16LE(claims.flags ?? 0x800, 2)
    fields.writeUInt16LE(claims.method ?? method, 4)
    fields.writeUInt32LE(claims.crc ?? crc32(bytes), 10)
    fields.writeUInt32LE(data.length, 14)
    fields.writeUInt32LE(claims.size ?? bytes.length, 18)
    fields.writeUInt16LE(encoded.length, 22)
    files.push(Buffer.from([0x50, 0x4b, 3, 4]), fields, encoded, data)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    directory.push(Buffer.from([0x50, 0x4b, 1, 2, 63, 0]), fields, rest, encoded)
    offset += 4 + fields.length + encoded.length + data.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, listed, end])
}
