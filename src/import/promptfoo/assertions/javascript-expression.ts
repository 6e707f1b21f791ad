import { escapePattern } from '../../../contract/index.ts'
/** What a one-line assertion in JavaScript says of an answer, as far as it can be said without code. */
export type Condition =
  | { kind: 'not'; inner: Condition }
  | { kind: 'and' | 'or'; parts: Condition[] }
  | { kind: 'text'; operation: 'includes' | 'startsWith' | 'endsWith' | 'equals'; text: Text; literal: string }
  | { kind: 'size'; unit: 'characters' | Separator; text: Text; from: number; to: number }
  | { kind: 'pattern'; text: Text; source: string; flags: string }
  | { kind: 'json'; path: string[]; schema: Record<string, unknown> }

/** `output`, perhaps trimmed or in lower case. */
export interface Text {
  trim: boolean
  lower: boolean
}

/** How `split` cuts a text: at a character, a class of characters, or at runs of blanks. */
interface Separator {
  /** As a pattern for one character. */
  one: string
  runs: boolean
  /** Empty parts are left out: `.filter(Boolean)`. */
  filled: boolean
}

type Literal = string | number | boolean | null

class NotPlain extends Error {}

const TOKEN =
  /\s*(?:(\d+(?:\.\d+)?)|('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\$]|\\.)*`)|([A-Za-z_$][\w$]*)|(===|!==|==|!=|>=|<=|=>|&&|\|\||[-!<>()[\].,?:]))/y

type Token = { kind: 'number' | 'string' | 'name' | 'sign'; text: string }

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', '0': '\0' }

function readString(written: string): string {
  return written.slice(1, -1).replaceAll(/\\(.)/gs, (_, character: string) => {
    if (/[xu\d\n]/.test(character) && character !== '0') throw new NotPlain()
    return ESCAPES[character] ?? character
  })
}

const FLIPPED: Record<string, string> = { '<': '>', '>': '<', '<=': '>=', '>=': '<=' }

/** Properties that every object has. */
function isOwnName(name: string): boolean {
  return !(name in {}) && name !== 'length'
}

interface Reading {
  variables: Readonly<Record<string, unknown>>
  /** True if promptfoo hands code the parsed JSON of an answer. */
  isParsed: boolean
}

/** Reads an expression by recursive descent; everything that is not named here is refused. */
class Reader {
  #at = 0
  readonly #source: string
  readonly #reading: Reading

  constructor(source: string, reading: Reading) {
    this.#source = source
    this.#reading = reading
  }

  readWhole(): Condition {
    const condition = this.#readOr()
    if (this.#take('?')) {
      // `… ? 1 : 0` and `… ? true : false` are the condition itself.
      const [yes, no] = [this.#readLiteral(), (this.#expect(':'), this.#readLiteral())]
      if (!((yes === true && no === false) || (yes === 1 && no === 0))) throw new NotPlain()
    }
    if (/\S/.test(this.#source.slice(this.#at))) throw new NotPlain()
    return condition
  }

  #peek(): Token | undefined {
    TOKEN.lastIndex = this.#at
    const match = TOKEN.exec(this.#source)
    if (!match) return undefined
    const [, number, string, name, sign] = match
    if (number !== undefined) return { kind: 'number', text: number }
    if (string !== undefined) return { kind: 'string', text: string }
    return name === undefined ? { kind: 'sign', text: sign! } : { kind: 'name', text: name }
  }

  #next(): Token {
    const token = this.#peek()
    if (!token) throw new NotPlain()
    this.#at = TOKEN.lastIndex
    return token
  }

  #take(text: string): boolean {
    const token = this.#peek()
    if (token?.text !== text || token.kind === 'string') return false
    this.#at = TOKEN.lastIndex
    return true
  }

  #expect(...texts: string[]): void {
    for (const text of texts) if (!this.#take(text)) throw new NotPlain()
  }

  #readOr(): Condition {
    const parts = [this.#readAnd()]
    while (this.#take('||')) parts.push(this.#readAnd())
    return parts.length === 1 ? parts[0]! : { kind: 'or', parts }
  }

  #readAnd(): Condition {
    const parts = [this.#readNot()]
    while (this.#take('&&')) parts.push(this.#readNot())
    return parts.length === 1 ? parts[0]! : { kind: 'and', parts }
  }

  #readNot(): Condition {
    if (this.#take('!')) return { kind: 'not', inner: this.#readNot() }
    if (this.#take('(')) {
      const inner = this.#readOr()
      this.#expect(')')
      return inner
    }
    return this.#readStatement()
  }

  #readStatement(): Condition {
    const pattern = this.#readPattern()
    if (pattern) {
      this.#expect('.', 'test', '(')
      const text = this.#readText()
      this.#expect(')')
      return { kind: 'pattern', text, ...pattern }
    }
    if (this.#take('[')) return this.#readChoice()
    const token = this.#peek()
    if (token?.text === 'typeof') return this.#readType()
    if (token?.text === 'JSON' || token?.text === 'Array' || (token?.text === 'output' && this.#reading.isParsed))
      return this.#readJson()
    if (token?.text === 'output') return this.#readOfText(this.#readText())
    // `100 > output.length`, `'yes' === output`
    const literal = this.#readLiteral()
    const sign = this.#next().text
    const text = this.#readText()
    if (typeof literal === 'string') return this.#equals(text, sign, literal)
    this.#expect('.', 'length')
    return this.#compare(text, 'characters', FLIPPED[sign] ?? sign, literal)
  }

  /** `output`, `output.trim()`, `output.toLowerCase().trim()` */
  #readText(): Text {
    this.#expect('output')
    if (this.#reading.isParsed) throw new NotPlain()
    const text = { trim: false, lower: false }
    for (;;) {
      const before = this.#at
      const method = this.#take('.') ? this.#next().text : ''
      if (method === 'trim') text.trim = true
      else if (method === 'toLowerCase') text.lower = true
      else {
        this.#at = before
        return text
      }
      this.#expect('(', ')')
    }
  }

  #readOfText(text: Text): Condition {
    if (!this.#take('.')) return this.#equals(text, this.#next().text, this.#readLiteral())
    const method = this.#next().text
    if (method === 'length') return this.#compare(text, 'characters', this.#next().text, this.#readLiteral())
    this.#expect('(')
    if (method === 'includes' || method === 'startsWith' || method === 'endsWith') {
      const literal = this.#readTextLiteral()
      this.#expect(')')
      return { kind: 'text', operation: method, text, literal }
    }
    if (method === 'indexOf') {
      const literal = this.#readTextLiteral()
      this.#expect(')')
      const found: Condition = { kind: 'text', operation: 'includes', text, literal }
      const written = this.#next().text + (this.#take('-') ? '-' : '') + this.#next().text
      if (['>-1', '>=0', '!==-1', '!=-1'].includes(written)) return found
      if (['===-1', '==-1', '<0'].includes(written)) return { kind: 'not', inner: found }
      throw new NotPlain()
    }
    if (method === 'match') {
      const pattern = this.#readPattern()
      if (!pattern) throw new NotPlain()
      this.#expect(')')
      const found: Condition = { kind: 'pattern', text, ...pattern }
      const sign = this.#next().text
      this.#expect('null')
      if (sign === '!==' || sign === '!=') return found
      if (sign === '===' || sign === '==') return { kind: 'not', inner: found }
      throw new NotPlain()
    }
    if (method === 'split') {
      const separator = this.#readSeparator()
      return this.#compare(text, separator, this.#next().text, this.#readLiteral())
    }
    throw new NotPlain()
  }

  #readSeparator(): Separator {
    const pattern = this.#readPattern()
    const written = pattern ? pattern.source : this.#readTextLiteral()
    this.#expect(')')
    if (pattern ? !/^\\s\+?$/.test(written) || pattern.flags !== '' : written.length !== 1) throw new NotPlain()
    this.#expect('.')
    let filled = false
    if (this.#take('filter')) {
      this.#expect('(', 'Boolean', ')', '.')
      filled = true
    }
    this.#expect('length')
    const one = pattern ? String.raw`\s` : written
    return { one, runs: pattern !== undefined && written.endsWith('+'), filled }
  }

  #equals(text: Text, sign: string, literal: Literal): Condition {
    if (typeof literal !== 'string') throw new NotPlain()
    const equal: Condition = { kind: 'text', operation: 'equals', text, literal }
    if (sign === '===' || sign === '==') return equal
    if (sign === '!==' || sign === '!=') return { kind: 'not', inner: equal }
    throw new NotPlain()
  }

  #compare(text: Text, unit: 'characters' | Separator, sign: string, limit: Literal): Condition {
    if (typeof limit !== 'number') throw new NotPlain()
    const range = (from: number, to: number): Condition => ({ kind: 'size', unit, text, from: Math.max(0, from), to })
    if (sign === '<') return range(0, Math.ceil(limit) - 1)
    if (sign === '<=') return range(0, Math.floor(limit))
    if (sign === '>') return range(Math.floor(limit) + 1, Infinity)
    if (sign === '>=') return range(Math.ceil(limit), Infinity)
    if (!Number.isInteger(limit)) throw new NotPlain()
    if (sign === '===' || sign === '==') return range(limit, limit)
    if (sign === '!==' || sign === '!=') return { kind: 'not', inner: range(limit, limit) }
    throw new NotPlain()
  }

  /** `['a', 'b'].some(word => output.includes(word))` */
  #readChoice(): Condition {
    const words: string[] = []
    while (!this.#take(']')) {
      words.push(this.#readTextLiteral())
      if (!this.#take(',') && this.#peek()?.text !== ']') throw new NotPlain()
    }
    this.#expect('.')
    const how = this.#next().text
    if ((how !== 'some' && how !== 'every') || words.length === 0) throw new NotPlain()
    this.#expect('(')
    const hasBrackets = this.#take('(')
    const name = this.#next()
    if (name.kind !== 'name') throw new NotPlain()
    if (hasBrackets) this.#expect(')')
    this.#expect('=>')
    const text = this.#readText()
    this.#expect('.')
    const operation = this.#next().text
    if (operation !== 'includes' && operation !== 'startsWith' && operation !== 'endsWith') throw new NotPlain()
    this.#expect('(', name.text)
    const isLowered = this.#take('.')
    if (isLowered) this.#expect('toLowerCase', '(', ')')
    this.#expect(')', ')')
    const parts = words.map((word): Condition => ({
      kind: 'text',
      operation,
      text,
      literal: isLowered ? word.toLowerCase() : word,
    }))
    return { kind: how === 'some' ? 'or' : 'and', parts }
  }

  /** `typeof output === 'object'`, where promptfoo has parsed the answer. */
  #readType(): Condition {
    this.#expect('typeof', 'output')
    const sign = this.#next().text
    if ((sign !== '===' && sign !== '==') || this.#readLiteral() !== 'object' || !this.#reading.isParsed)
      throw new NotPlain()
    return { kind: 'json', path: [], schema: { type: ['object', 'array', 'null'] } }
  }

  /** `JSON.parse(output).a.b === 'x'`, `Array.isArray(JSON.parse(output).a)` */
  #readJson(): Condition {
    if (this.#take('Array')) {
      this.#expect('.', 'isArray', '(')
      const path = this.#readPath()
      this.#expect(')')
      return { kind: 'json', path, schema: { type: 'array' } }
    }
    const path = this.#readPath()
    if (path.at(-1) === 'includes' && this.#take('(')) {
      const literal = this.#readLiteral()
      this.#expect(')')
      // A list contains the value; a text contains the text.
      const inText =
        typeof literal === 'string' && literal !== '' ? [{ type: 'string', pattern: escapePattern(literal) }] : []
      if (typeof literal === 'string' && inText.length === 0) throw new NotPlain()
      const inList = { type: 'array', contains: { const: literal } }
      if (inText.length === 0) throw new NotPlain()
      return { kind: 'json', path: path.slice(0, -1), schema: { anyOf: [inList, ...inText] } }
    }
    this.#expect('===')
    const literal = this.#readLiteral()
    if (path.length === 0) throw new NotPlain()
    return { kind: 'json', path, schema: { const: literal } }
  }

  #readPath(): string[] {
    if (this.#reading.isParsed) this.#expect('output')
    else this.#expect('JSON', '.', 'parse', '(', 'output', ')')
    const path: string[] = []
    for (;;) {
      if (this.#take('.')) path.push(this.#next().text)
      else if (this.#peek()?.text === '[') {
        this.#expect('[')
        path.push(this.#readTextLiteral())
        this.#expect(']')
      } else break
    }
    if (!path.every((name) => isOwnName(name) && /\D/.test(name))) throw new NotPlain()
    return path
  }

  #readPattern(): { source: string; flags: string } | undefined {
    const match = /\s*\/(?![*/])((?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([a-z]*)/y
    match.lastIndex = this.#at
    const found = match.exec(this.#source)
    if (!found) return undefined
    this.#at = match.lastIndex
    // A pattern that is used once has no state, so g changes nothing.
    return { source: found[1]!, flags: found[2]!.replace('g', '') }
  }

  #readTextLiteral(): string {
    const literal = this.#readLiteral()
    if (typeof literal !== 'string' || literal === '') throw new NotPlain()
    return literal
  }

  #readLiteral(): Literal {
    if (this.#take('-')) {
      const value = this.#readLiteral()
      if (typeof value !== 'number') throw new NotPlain()
      return -value
    }
    const token = this.#next()
    if (token.kind === 'number') return Number(token.text)
    if (token.kind === 'string') return this.#lowered(readString(token.text))
    if (token.text === 'true' || token.text === 'false') return token.text === 'true'
    if (token.text === 'null') return null
    if (token.text !== 'context') throw new NotPlain()
    this.#expect('.', 'vars')
    const name = this.#take('.') ? this.#next().text : this.#readKey()
    const value = Object.hasOwn(this.#reading.variables, name) ? this.#reading.variables[name] : undefined
    if (typeof value === 'number' || typeof value === 'boolean') return value
    if (typeof value !== 'string') throw new NotPlain()
    return this.#lowered(value)
  }

  #readKey(): string {
    this.#expect('[')
    const token = this.#next()
    if (token.kind !== 'string') throw new NotPlain()
    this.#expect(']')
    return readString(token.text)
  }

  /** `'Text'.toLowerCase()` */
  #lowered(text: string): string {
    const before = this.#at
    if (this.#take('.') && this.#take('toLowerCase')) {
      this.#expect('(', ')')
      return text.toLowerCase()
    }
    this.#at = before
    return text
  }
}

/** Reads one expression, with `return` and a semicolon or without; undefined if it says more than a condition can. */
export function readCondition(code: string, reading: Reading): Condition | undefined {
  const source = code
    .trim()
    .replace(/;+$/, '')
    .replace(/^return\b/, '')
  // In a body of several lines only what is returned counts.
  if (source.includes('\n') && !/^\s*return\b/.test(code)) return undefined
  try {
    return new Reader(source, reading).readWhole()
  } catch (error) {
    if (error instanceof NotPlain) return undefined
    throw error
  }
}
