import { gzipSync } from 'node:zlib'

/** A column of texts, numbers or integers of 64 bits without gaps; `group` makes it the only one of a nested column. */
export interface ParquetColumn {
  name: string
  group?: string
  values: readonly string[] | readonly number[] | readonly bigint[]
  /** For integers: that they are decimals, with so many digits after the point. */
  scale?: number
}

const [INT32, INT64, DOUBLE, BYTE_ARRAY] = [1, 2, 5, 6]
const GZIP = 2
const [UTF8, DECIMAL] = [0, 5]

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80)
  return Buffer.from([...bytes, rest])
}

const zigzag = (value: number) => varint(value * 2)
const text = (value: string) => Buffer.concat([varint(Buffer.byteLength(value)), Buffer.from(value)])

/** Thrift's compact protocol: fields by number, with their types. */
type Field = [id: number, type: 'i32' | 'i64' | 'text' | 'struct' | 'structs' | 'texts' | 'i32s', value: unknown]
const TYPES = { i32: 5, i64: 6, text: 8, struct: 12, structs: 9, texts: 9, i32s: 9 }

function encode(type: Field[1], value: unknown): Buffer {
  if (type === 'i32' || type === 'i64') return zigzag(Number(value))
  if (type === 'text') return text(String(value))
  if (type === 'struct') return struct(value as Field[])
  const items = value as unknown[]
  const item = type === 'structs' ? 'struct' : type === 'texts' ? 'text' : 'i32'
  const head =
    items.length < 15
      ? Buffer.from([(items.length << 4) | TYPES[item]])
      : Buffer.concat([Buffer.from([0xf0 | TYPES[item]]), varint(items.length)])
  return Buffer.concat([head, ...items.map((each) => encode(item, each))])
}

function struct(fields: Field[]): Buffer {
  let before = 0
  const parts = fields.map(([id, type, value]) => {
    const head = Buffer.from([((id - before) << 4) | TYPES[type]])
    before = id
    return Buffer.concat([head, encode(type, value)])
  })
  return Buffer.concat([...parts, Buffer.from([0])])
}

function typeOf(value: unknown): number {
  if (typeof value === 'string') return BYTE_ARRAY
  return typeof value === 'bigint' ? INT64 : DOUBLE
}

function encodeValue(value: string | number | bigint): Buffer {
  if (typeof value === 'string') {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(Buffer.byteLength(value))
    return Buffer.concat([length, Buffer.from(value)])
  }
  const bytes = Buffer.alloc(8)
  if (typeof value === 'bigint') bytes.writeBigInt64LE(value)
  else bytes.writeDoubleLE(value)
  return bytes
}

/** A Parquet file of one row group, compressed with gzip; `claims` is what it says if that is not the truth. */
export function makeParquet(
  columns: readonly ParquetColumn[],
  claims: { rows?: number; pageBytes?: number } = {},
): Buffer {
  const parts = [Buffer.from('PAR1')]
  let offset = 4
  const rows = claims.rows ?? columns[0]?.values.length ?? 0
  const chunks = columns.map(({ name, group, values }): Field[] => {
    const plain = Buffer.concat(Array.from<string | number | bigint, Buffer>(values, encodeValue))
    const data = gzipSync(plain)
    const page: Field[] = [
      [1, 'i32', 0],
      [2, 'i32', claims.pageBytes ?? plain.length],
      [3, 'i32', data.length],
      [
        5,
        'struct',
        [
          [1, 'i32', values.length],
          [2, 'i32', 0],
          [3, 'i32', 3],
          [4, 'i32', 3],
        ] satisfies Field[],
      ],
    ]
    const bytes = Buffer.concat([struct(page), data])
    parts.push(bytes)
    const about: Field[] = [
      [1, 'i32', typeOf(values[0])],
      [2, 'i32s', [0]],
      [3, 'texts', group === undefined ? [name] : [group, name]],
      [4, 'i32', GZIP],
      [5, 'i64', values.length],
      [6, 'i64', plain.length],
      [7, 'i64', bytes.length],
      [9, 'i64', offset],
    ]
    const start = offset
    offset += bytes.length
    return [
      [2, 'i64', start],
      [3, 'struct', about],
    ]
  })
  const schema: Field[][] = [
    [
      [4, 'text', 'schema'],
      [5, 'i32', columns.length],
    ],
    ...columns.flatMap(({ name, group, values, scale }): Field[][] => [
      ...(group === undefined
        ? []
        : [
            [
              [3, 'i32', 0],
              [4, 'text', group],
              [5, 'i32', 1],
            ] satisfies Field[],
          ]),
      [
        [1, 'i32', typeOf(values[0])],
        [3, 'i32', 0],
        [4, 'text', name],
        ...(typeof values[0] === 'string' ? [[6, 'i32', UTF8] satisfies Field] : []),
        ...(scale === undefined
          ? []
          : ([
              [6, 'i32', DECIMAL],
              [7, 'i32', scale],
              [8, 'i32', 18],
            ] satisfies Field[])),
      ],
    ]),
  ]
  const group: Field[] = [
    [1, 'structs', chunks],
    [2, 'i64', offset],
    [3, 'i64', rows],
  ]
  const footer = struct([
    [1, 'i32', INT32],
    [2, 'structs', schema],
    [3, 'i64', rows],
    [4, 'structs', [group]],
  ])
  const length = Buffer.alloc(4)
  length.writeUInt32LE(footer.length)
  return Buffer.concat([...parts, footer, length, Buffer.from('PAR1')])
}
