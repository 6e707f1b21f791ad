import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseLooseJson } from './loose-json.ts'
import { splitJson, type JsonPart } from './split-json.ts'

async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function split(text: string, decide: (path: readonly string[]) => 'take' | 'enter' | 'skip', size = 7) {
  const parts: JsonPart[] = []
  for await (const part of splitJson(inPieces(text, size), { name: 'f.json', decide })) parts.push(part)
  return parts
}

describe('splitJson', () => {
  it('takes whole values as JSON.parse reads them, in pieces of any size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue(),
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom(undefined, 2),
        async (value, size, indent) => {
          const text = ` ${JSON.stringify(value, null, indent)}\n`
          const parts = await split(text, () => 'take', size)
          expect(parts.map((part) => (part.kind === 'value' ? part.value : undefined))).toEqual([JSON.parse(text)])
        },
      ),
      { numRuns: 200 },
    )
  })

  it('puts together what it entered', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.integer({ min: 1, max: 9 }),
        async (value, size) => {
          const parts = await split(JSON.stringify(value), (path) => (path.length === 0 ? 'enter' : 'take'), size)
          const read = parts.flatMap((part) => (part.kind === 'value' ? [[part.path[0]!, part.value]] : []))
          expect(Object.fromEntries(read)).toEqual(JSON.parse(JSON.stringify(value)))
          expect(parts.at(-1)).toMatchObject({ kind: 'end', path: [] })
        },
      ),
      { numRuns: 200 },
    )
  })

  it('keeps only what is wanted', async () => {
    const text = '{"a": {"b": [1, {"c": "\\"}"}], "d": 2}, "e": [{"f": 1, "g": NaN}, {"f": 3}], "h": true}'
    const parts = await split(text, (path) => {
      const where = path.join('.')
      if (['a.d', 'e.*.f', 'h'].includes(where)) return 'take'
      return ['', 'a', 'e', 'e.*'].includes(where) ? 'enter' : 'skip'
    })
    expect(parts.map((part) => [part.path.join('.'), part.kind === 'value' ? part.value : 'end'])).toEqual([
      ['a.d', 2],
      ['a', 'end'],
      ['e.*.f', 1],
      ['e.*', 'end'],
      ['e.*.f', 3],
      ['e.*', 'end'],
      ['e', 'end'],
      ['h', true],
      ['', 'end'],
    ])
  })

  it.each([
    ['{"a": }', 'is not JSON: found "}" at byte 6'],
    ['{"a" 1}', 'is not JSON: found "1" at byte 5'],
    ['{"a": 1,}', 'is not JSON: found "}" at byte 8'],
    ['[1 2]', 'is not JSON: found "2" at byte 3'],
    ['[1}', 'is not JSON: found "}" at byte 2'],
    ['{"a": 1} x', 'is not JSON: found "x" at byte 9'],
    ['{"a": 1', 'is cut off: it ends at byte 7'],
    ['', 'f.json is empty'],
    ['[tru]', 'is not JSON near byte 1'],
  ])('refuses %j', async (text, message) => {
    await expect(split(text, (path) => (path.length === 0 ? 'enter' : 'take'))).rejects.toThrow(message)
  })

  it('refuses a value that is larger than allowed, and does not mind one that it passes over', async () => {
    const text = `{"a": "${'x'.repeat(100)}"}`
    const run = async (decision: 'take' | 'skip') => {
      const parts: JsonPart[] = []
      const options = {
        name: 'f.json',
        maxValueBytes: 50,
        decide: (path: readonly string[]) => (path.length === 0 ? ('enter' as const) : decision),
      }
      for await (const part of splitJson(inPieces(text, 10), options)) parts.push(part)
      return parts
    }
    await expect(run('take')).rejects.toThrow(/the value at byte 6 \(a\) is larger than/)
    expect(await run('skip')).toHaveLength(1)
  })
})

describe('parseLooseJson', () => {
  it('reads the tokens of Python, and leaves them alone in texts', () => {
    expect(parseLooseJson('{"a": NaN, "b": [Infinity, -Infinity], "c": "NaN \\" Infinity", "NaN": 1}')).toEqual({
      a: 'NaN',
      b: [Infinity, -Infinity],
      c: 'NaN " Infinity',
      NaN: 1,
    })
    expect(() => parseLooseJson('{"a": Nan}')).toThrow(SyntaxError)
  })
})
