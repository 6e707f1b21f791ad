import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseExactJson } from '../../contract/index.ts'
import { readJsonRecords, type ReadOptions } from './json-records.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'json-records-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

async function read(content: string | Buffer, options?: ReadOptions) {
  const path = join(folder, 'file.json')
  writeFileSync(path, content)
  const values: unknown[] = []
  const parts: Buffer[] = []
  const rest: unknown[] = []
  for await (const piece of readJsonRecords(path, options)) {
    if (piece.kind === 'record') values.push(piece.value)
    else if (piece.kind !== 'between') rest.push(piece)
    if (piece.kind === 'record' || piece.kind === 'between') parts.push(Buffer.from(piece.bytes))
  }
  return { values, text: Buffer.concat(parts).toString('utf8'), rest }
}

const message = (content: string | Buffer, options?: ReadOptions) =>
  read(content, options).then(
    () => 'no error',
    (error: unknown) => (error instanceof Error ? error.message.replace(join(folder, 'file.json'), 'FILE') : ''),
  )

describe('reading records as a stream', () => {
  const records = fc.array(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { maxKeys: 4 }), {
    minLength: 1,
    maxLength: 8,
  })

  it.each([
    ['a compact list', (values: unknown[]) => JSON.stringify(values)],
    ['an indented list', (values: unknown[]) => `${JSON.stringify(values, null, 2)}\n`],
    [
      'a list with a record a line',
      (values: unknown[]) => `[\n${values.map((value) => JSON.stringify(value)).join(',\n')}\n]`,
    ],
    ['JSON lines', (values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\r\n`).join('')],
    [
      'objects one after another',
      (values: unknown[]) => values.map((value) => JSON.stringify(value, null, 1)).join('\n\n'),
    ],
  ])('gives what parsing the whole file gives, and its pieces are the file: %s', async (_name, write) => {
    await fc.assert(
      fc.asyncProperty(records, async (given) => {
        const text = write(given)
        const { values, text: again } = await read(text)
        expect(values).toEqual(parseExactJson(JSON.stringify(given)))
        expect(again).toBe(text)
      }),
      { numRuns: 60 },
    )
  })

  it('finds the list inside an object, and the fields before and after it', async () => {
    const text = '{"info": {"simulations": [1]}, "simulations": [ {"id": "]"}, {"id": "\\"}"} ], "tasks": [{"id": 1}]}'
    const { values, text: again, rest } = await read(text, { listKeys: ['simulations'] })
    expect(values).toEqual([{ id: ']' }, { id: '"}' }])
    expect(rest).toMatchObject([
      { kind: 'fields', fields: { info: { simulations: [1] }, simulations: null } },
      { kind: 'fields', fields: { tasks: [{ id: 1 }] } },
    ])
    expect(again).toBe(text)
  })

  it('reads records larger than a chunk, with quotes and backslashes on every border', async () => {
    const given = Array.from({ length: 5 }, (_, index) => ({ index, text: '\\"{['.repeat(400_000 + index) }))
    for (const text of [JSON.stringify(given), JSON.stringify(given, null, 2)]) {
      const { values, text: again } = await read(text)
      expect(values).toEqual(given)
      expect(again).toBe(text)
    }
  })

  it('is not misled by a line inside a record that looks like its end', async () => {
    const text = '[\n{\n"a": [\n{"x": 1\n}\n],\n"b": 1\n},\n{\n"a": {\n}\n,"b": 2\n}\n]'
    expect((await read(text)).values).toEqual([
      { a: [{ x: 1 }], b: 1 },
      { a: {}, b: 2 },
    ])
  })

  it('takes a UTF-8 byte order mark, and keeps it', async () => {
    const { values, text } = await read('\ufeff[{"a": 1}]')
    expect(values).toEqual([{ a: 1 }])
    expect(text).toBe('\ufeff[{"a": 1}]')
  })
})

describe('the error about a bad file is one line with the place', () => {
  it.each([
    ['', 'FILE is empty'],
    [' \n', 'FILE is empty'],
    ['hello', 'FILE is not JSON: found "hello" at byte 0 (line 1)'],
    [
      '[{"a": 1},\n {"a": NaN}]',
      'FILE is not JSON: found NaN, which Python writes and JSON does not have, at byte 18 (line 2)',
    ],
    ['[{"a": 1}\n {"a": 2}]', 'FILE is not JSON: found "{\\"a\\":" at byte 11 (line 2)'],
    ['[{"a": 1}, ]', 'FILE is not JSON: found "]" at byte 11 (line 1)'],
    ['[{"a": 1]]', 'FILE is not JSON: found "]" at byte 8 (line 1)'],
    ['[{"a": 1}] x', 'FILE is not JSON: found "x" at byte 10 (line 1)'],
    ['{"a": 1}\n{"a" 1}', 'FILE is not JSON: found "1" at byte 14 (line 2)'],
    ['[1, 2]', 'FILE: record 1, at byte 1, is not an object'],
    [
      '[{"a": 1}, {"a": 2',
      'FILE is cut off: it ends inside record 2, which begins at byte 11; --salvage takes the 1 whole record before it',
    ],
    [
      '[{"a": 1}',
      'FILE is cut off: it ends at byte 9, before the list of records is closed; --salvage takes the 1 whole record before it',
    ],
    ['[{"a": "', 'FILE is cut off: it ends inside record 1, which begins at byte 1; it contains no whole record'],
    [Buffer.from('[{"a": 1}]', 'utf16le'), 'FILE is UTF-16 text; save it as UTF-8 and try again'],
    [Buffer.from('\ufeff[]', 'utf16le'), 'FILE is UTF-16 text; save it as UTF-8 and try again'],
    [
      '['.repeat(100_000) + ']'.repeat(100_000),
      'FILE: nested more than 10,000 levels deep at byte 10001; no results file nests that deeply, so it was not read',
    ],
  ])('%#', async (content, expected) => {
    expect(await message(content)).toBe(expected)
  })

  it('reports a missing file', async () => {
    await expect(readJsonRecords(join(folder, 'none.json')).next()).rejects.toThrow(
      'cannot be read: there is no such file',
    )
  })

  it('takes the whole records of a file that is cut off anywhere, with salvage', async () => {
    const given = [{ a: '1' }, { b: [2, '}'] }, { c: { d: 'é' } }]
    const bytes = Buffer.from(JSON.stringify(given, null, 2))
    for (let length = 1; length < bytes.length; length += 1) {
      const whole = await read(bytes.subarray(0, length), { salvage: true }).catch(() => undefined)
      if (!whole) continue
      expect(whole.values).toEqual(given.slice(0, whole.values.length))
      expect(whole.rest).toMatchObject([{ kind: 'cut-off', closing: '\n]\n' }])
      expect(JSON.parse(`${whole.text}\n]`)).toEqual(whole.values)
    }
  })
})
