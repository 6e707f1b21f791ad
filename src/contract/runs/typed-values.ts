import { InputError } from '../errors.ts'
import { isRecord } from '../values.ts'

/**
 * How people type a value that is neither a number, a choice nor a plain text: `json` is an object, `format` a word or an
 * object, `lines`, `headers` and `prices` one entry in a line. The terminal repeats the flag instead of writing lines.
 */
export type TypedAs = 'json' | 'format' | 'lines' | 'headers' | 'prices'

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', '\\': '\\' }

/** A stop sequence may be a line break, which neither a shell nor a text field takes as it is. */
const readEscapes = (text: string): string => text.replaceAll(/\\([ntr\\])/g, (_, letter: string) => ESCAPES[letter]!)

function writeEscapes(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r')
}

function readObject(text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new InputError('must be a JSON object, such as {"name": "value"}')
  }
  if (!isRecord(value)) throw new InputError('must be a JSON object, such as {"name": "value"}')
  return value
}

const linesOf = (text: string): string[] => text.split(/\r?\n/).filter((line) => line !== '')

function readHeader(line: string): [string, string] {
  const colon = line.indexOf(':')
  if (colon <= 0) throw new InputError('must be a name and a value, such as X-Project: tests')
  return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
}

function readPrice(line: string): [string, object] {
  const at = line.lastIndexOf('=')
  const parts = line.slice(at + 1).split(',')
  const numbers = parts.map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  if (at <= 0 || numbers.length < 2 || numbers.length > 3 || !numbers.every((number) => Number.isFinite(number)))
    throw new InputError('must be MODEL=in,out in US dollars per million tokens, such as openai/gpt-4o=2.5,10')
  const [input, output, cachedInput] = numbers
  return [line.slice(0, at).trim(), { input, output, ...(cachedInput !== undefined && { cachedInput }) }]
}

function writePrice([model, price]: [string, unknown]): string {
  const given = isRecord(price) ? [price['input'], price['output'], price['cachedInput']] : []
  return `${model}=${given.filter((value) => value !== undefined).join(',')}`
}

/** Throws `InputError` with words that follow the name of the option. The schema still checks the value. */
export function readTyped(typedAs: TypedAs, text: string): unknown {
  switch (typedAs) {
    case 'json':
      return readObject(text)
    case 'format':
      return text.trim().startsWith('{') ? readObject(text) : text.trim()
    case 'lines':
      return linesOf(text).map(readEscapes)
    case 'headers':
      return Object.fromEntries(linesOf(text).map(readHeader))
    case 'prices':
      return Object.fromEntries(linesOf(text).map(readPrice))
  }
}

/** The text that `readTyped` reads back. */
export function writeTyped(typedAs: TypedAs, value: unknown): string {
  if (value === undefined) return ''
  if (typedAs === 'lines')
    return [value]
      .flat()
      .map((line) => writeEscapes(String(line)))
      .join('\n')
  if (typedAs === 'prices')
    return Object.entries(isRecord(value) ? value : {})
      .map(writePrice)
      .join('\n')
  if (typedAs === 'headers')
    return Object.entries(isRecord(value) ? value : {})
      .map(([name, text]) => `${name}: ${String(text)}`)
      .join('\n')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
