import type { ActualCall } from '../../../scoring/tool-calls/index.ts'

/**
 * Reads calls in Python syntax, as prompted models answer BFCL: `[f(a=1), g.h(b='x', c=[True, None])]`.
 * Returns `undefined` for any other text.
 */
export function readPythonCalls(text: string): ActualCall[] | undefined {
  const reader = new PythonReader(text.trim().replace(/^```\w*\s*|\s*```$/g, ''))
  try {
    return reader.readCalls()
  } catch (error) {
    if (error instanceof NotPython) return undefined
    throw error
  }
}

class NotPython extends Error {
  override name = 'NotPython'
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '\n': '',
}
const words = new Map<string, unknown>([
  ['True', true],
  ['False', false],
  ['None', null],
  ['true', true],
  ['false', false],
  ['null', null],
])
const DEEPEST = 200

class PythonReader {
  readonly #text: string
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  readCalls(): ActualCall[] {
    const isListed = this.#take('[')
    const calls: ActualCall[] = []
    let isClosed = isListed && this.#take(']')
    while (!isClosed) {
      calls.push(this.#readCall())
      if (!this.#take(',')) {
        if (isListed) this.#expect(']')
        isClosed = true
      } else isClosed = isListed && this.#take(']')
    }
    this.#skipBlanks()
    if (this.#at < this.#text.length) throw new NotPython()
    return calls
  }

  #readCall(): ActualCall {
    const name = this.#match(/[\p{L}_][\p{L}\p{N}_.]*/uy)
    if (name === undefined) throw new NotPython()
    this.#expect('(')
    const given: [string, unknown][] = []
    while (!this.#take(')')) {
      const key = this.#match(/[\p{L}_][\p{L}\p{N}_]*(?=\s*=[^=])/uy)
      if (key !== undefined) this.#expect('=')
      // A positional argument has no name, so it is compared by its position.
      given.push([key ?? `#${given.length}`, this.#readValue()])
      if (!this.#take(',')) {
        this.#expect(')')
        break
      }
    }
    return { name, arguments: Object.fromEntries(given) }
  }

  #readValue(): unknown {
    this.#depth += 1
    if (this.#depth > DEEPEST) throw new NotPython()
    try {
      if (this.#take('[')) return this.#readItems(']')
      if (this.#take('(')) return this.#readItems(')')
      if (this.#take('{')) return this.#readObject()
      const text = this.#readText()
      if (text !== undefined) return text
      const number = this.#match(/[+-]?(\d[\d_]*\.?\d*|\.\d+)([eE][+-]?\d+)?/y)
      if (number !== undefined) return Number(number.replaceAll('_', ''))
      const word = this.#match(/[\p{L}_][\p{L}\p{N}_.]*/uy)
      if (word !== undefined && words.has(word)) return words.get(word)
      throw new NotPython()
    } finally {
      this.#depth -= 1
    }
  }

  #readItems(closing: ']' | ')'): unknown[] {
    const items: unknown[] = []
    while (!this.#take(closing)) {
      items.push(this.#readValue())
      if (this.#take(',')) continue
      this.#expect(closing)
      break
    }
    return items
  }

  #readObject(): unknown {
    const entries: [string, unknown][] = []
    while (!this.#take('}')) {
      const key = this.#readValue()
      this.#expect(':')
      entries.push([String(key), this.#readValue()])
      if (this.#take(',')) continue
      this.#expect('}')
      break
    }
    return Object.fromEntries(entries)
  }

  #readText(): string | undefined {
    this.#skipBlanks()
    const isRaw = /[rR]["']/y
    isRaw.lastIndex = this.#at
    if (isRaw.test(this.#text)) this.#at += 1
    const quote = this.#text[this.#at]
    if (quote !== '"' && quote !== "'") return undefined
    let text = ''
    for (this.#at += 1; this.#at < this.#text.length; this.#at += 1) {
      const character = this.#text[this.#at]!
      if (character === quote) {
        this.#at += 1
        return text
      }
      if (character !== '\\') text += character
      else {
        this.#at += 1
        const escaped = this.#text[this.#at] ?? ''
        text += escapes[escaped] ?? `\\${escaped}`
      }
    }
    throw new NotPython()
  }

  #match(pattern: RegExp): string | undefined {
    this.#skipBlanks()
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    if (found !== undefined) this.#at += found.length
    return found
  }

  #take(character: string): boolean {
    this.#skipBlanks()
    if (this.#text[this.#at] !== character) return false
    this.#at += 1
    return true
  }

  #expect(character: string): void {
    if (!this.#take(character)) throw new NotPython()
  }

  #skipBlanks(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at += 1
  }
}
