import { visit } from 'jsonc-parser'

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const held: unknown[] = Object.values(value)
  return held.reduce<number>((sum, item) => sum + countKeys(item), Array.isArray(value) ? 0 : held.length)
}

/** The offset behind the string that starts at the quote. */
function findStringEnd(text: string, quote: number): number {
  let end = quote
  for (;;) {
    end = text.indexOf('"', end + 1)
    let backslashes = 0
    while (text[end - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return end + 1
  }
}

const COLON_NEXT = /[ \t\r\n]*:/y

function countWrittenKeys(text: string): number {
  let count = 0
  for (let quote = text.indexOf('"'); quote >= 0;) {
    COLON_NEXT.lastIndex = findStringEnd(text, quote)
    quote = text.indexOf('"', COLON_NEXT.lastIndex)
    if (COLON_NEXT.test(text)) count++
  }
  return count
}

export interface RepeatedKey {
  key: string
  offset: number
}

/** The first key that an object has twice, in a text that `JSON.parse` read as this value: it keeps only the last. */
export function findRepeatedKey(text: string, value: unknown): RepeatedKey | undefined {
  // Counting is many times faster than the visit below.
  if (countWrittenKeys(text) === countKeys(value)) return undefined
  const open: Set<string>[] = []
  let found: RepeatedKey | undefined
  visit(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty(key, offset) {
      if (open.at(-1)?.has(key)) found ??= { key, offset }
      open.at(-1)?.add(key)
    },
  })
  return found
}

export function describeRepeated({ key }: RepeatedKey): string {
  return `the key ${JSON.stringify(key)} is written twice`
}
