import { LongInteger, readNumeral } from '../../../contract/index.ts'
import { PythonFloat, PythonTuple, type ActualCall } from '../../../scoring/tool-calls/index.ts'

/**
 * Reads calls in Python syntax, as prompted models answer BFCL: `[f(a=1), g.h(b='x', c=[True, None])]`.
 * Returns `undefined` for any other text.
 */
export function readPythonCalls(text: string): ActualCall[] | undefined {
  return readOrUndefined(new PythonReader(text.trim().replace(/^```\w*\s*|\s*```$/g, '')))
}

/**
 * Reads calls as BFCL's own checker does: with Python's types, names and calls inside arguments as text, sums worked out,
 * positional arguments ignored, and no language after the three backticks of a fence.
 */
export function readTypedPythonCalls(text: string): ActualCall[] | undefined {
  const bare = text.replace(/^[`\n ]+|[`\n ]+$/g, '')
  const list = `${bare.startsWith('[') ? '' : '['}${bare}${bare.endsWith(']') ? '' : ']'}`
  return readOrUndefined(new PythonReader(list, { isTyped: true }))
}

function readOrUndefined(reader: PythonReader): ActualCall[] | undefined {
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

const operator = /\*\*|\/\/|[-+*/%]/y

function workOut(values: readonly number[], signs: readonly string[]): number {
  const numbers = [...values]
  const open = [...signs]
  for (const level of [['**'], ['*', '/', '//', '%'], ['+', '-']])
    for (let at = 0; at < open.length;) {
      const sign = open[at]!
      if (!level.includes(sign)) at += 1
      else {
        numbers.splice(at, 2, calculate(numbers[at]!, numbers[at + 1]!, sign))
        open.splice(at, 1)
      }
    }
  return numbers[0]!
}

function calculate(a: number, b: number, sign: string): number {
  if (sign === '**') return a ** b
  if (sign === '*') return a * b
  if (sign === '/') return a / b
  if (sign === '//') return Math.floor(a / b)
  if (sign === '%') return a - b * Math.floor(a / b)
  return sign === '+' ? a + b : a - b
}

class PythonReader {
  readonly #text: string
  readonly #isTyped: boolean
  #at = 0
  #depth = 0

  constructor(text: string, { isTyped = false } = {}) {
    this.#text = text
    this.#isTyped = isTyped
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
      const value = this.#readValue()
      // A positional argument has no name, so it is compared by its position.
      if (key !== undefined || !this.#isTyped) given.push([key ?? `#${given.length}`, value])
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
      if (this.#take('(')) return this.#isTyped ? this.#readTuple() : this.#readItems(')')
      if (this.#take('{')) return this.#readObject()
      const text = this.#readText()
      if (text !== undefined) return text
      return this.#isTyped ? this.#readSum() : this.#readSimple()
    } finally {
      this.#depth -= 1
    }
  }

  #readSimple(): unknown {
    const number = this.#match(/[+-]?(\d[\d_]*\.?\d*|\.\d+)([eE][+-]?\d+)?/y)
    if (number !== undefined) {
      const value = readNumeral(number.replaceAll('_', ''))
      return this.#isTyped && /[.eE]/.test(number) ? new PythonFloat(Number(value)) : value
    }
    const start = this.#at
    const word = this.#match(/[\p{L}_][\p{L}\p{N}_.]*/uy)
    if (word === undefined) throw new NotPython()
    if (words.has(word) && !(this.#isTyped && /^[a-z]/.test(word))) return words.get(word)
    if (!this.#isTyped) throw new NotPython()
    if (this.#text[this.#at] === '(' || this.#text[this.#at] === '[') this.#skipBrackets()
    return this.#text.slice(start, this.#at).trim()
  }

  /** Reads `3 * 4.5` or `2 ** 3` and works it out, from left to right, powers and products first. */
  #readSum(): unknown {
    const values = [this.#readSimple()]
    const signs: string[] = []
    for (let sign = this.#match(operator); sign !== undefined; sign = this.#match(operator)) {
      signs.push(sign)
      values.push(this.#take('(') ? this.#readTuple() : this.#readSimple())
    }
    if (signs.length === 0) return values[0]
    const isFloat =
      signs.includes('/') || values.some((value) => value instanceof PythonFloat || !Number.isInteger(Number(value)))
    const numbers = values.map((value) => {
      const number = value instanceof PythonFloat ? value.value : value instanceof LongInteger ? Number(value) : value
      if (typeof number !== 'number') throw new NotPython()
      return number
    })
    const sum = workOut(numbers, signs)
    return isFloat && Number.isInteger(sum) ? new PythonFloat(sum) : sum
  }

  /** After `(`: a tuple, or one value in brackets. */
  #readTuple(): unknown {
    const start = this.#at
    const items = this.#readItems(')')
    const isTuple = items.length !== 1 || /,\s*\)$/.test(this.#text.slice(start, this.#at))
    return isTuple ? new PythonTuple(items) : items[0]
  }

  #skipBrackets(): void {
    let depth = 0
    for (; this.#at < this.#text.length; this.#at += 1) {
      const character = this.#text[this.#at]!
      if (character === '"' || character === "'") {
        this.#readText()
        this.#at -= 1
      } else if (/[([{]/.test(character)) depth += 1
      else if (/[)\]}]/.test(character)) depth -= 1
      if (depth > 0) continue
      this.#at += 1
      return
    }
    throw new NotPython()
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

/** Parses JSON with Python's types: a number written with a point or an exponent is a float, even if it is whole. */
export function parseTypedJson(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) return value
    const source = context?.source ?? String(value)
    return /[.eE]/.test(source) ? new PythonFloat(value) : readNumeral(source)
  })
}
