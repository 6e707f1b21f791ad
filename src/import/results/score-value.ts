/** Texts that stand for a score. Inspect's letters: correct, partly, incorrect, no answer. */
const LETTERS: ReadonlyMap<string, number> = new Map([
  ['C', 1],
  ['P', 0.5],
  ['I', 0],
  ['N', 0],
])
const WORDS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    true: 1,
    correct: 1,
    pass: 1,
    passed: 1,
    yes: 1,
    false: 0,
    incorrect: 0,
    fail: 0,
    failed: 0,
    no: 0,
  }),
)

/** A measured value, as far as it can be a score. */
export type ScoreValue =
  | { kind: 'fixed'; score: number; written: string }
  | { kind: 'number'; value: number }
  /** A percentage: of the whole scale, whatever it is. */
  | { kind: 'share'; share: number }
  | { kind: 'none'; reason: string }

function nameKind(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `the text ${JSON.stringify(String(value).slice(0, 40))}`
}

/** `0,85` as spreadsheets in many countries write it; `1,234` may be a thousand, so it is not read. */
function readDecimalComma(text: string): string {
  return /^[-+]?\d+,\d+$/.test(text) && !/^[-+]?[1-9]\d{0,2},\d{3}$/.test(text) ? text.replace(',', '.') : text
}

function readScoreNumber(text: string): ScoreValue | undefined {
  const isPercent = text.endsWith('%')
  const written = readDecimalComma(isPercent ? text.slice(0, -1).trim() : text)
  if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(written)) return undefined
  const value = Number(written)
  if (!Number.isFinite(value)) return undefined
  return isPercent ? { kind: 'share', share: value / 100 } : { kind: 'number', value }
}

/** Reads a value of a metric. What is not a score stays without one, with the reason: it never becomes 0. */
export function readScoreValue(value: unknown): ScoreValue {
  if (value === undefined || value === null) return { kind: 'none', reason: 'the file has no score for it' }
  if (typeof value === 'boolean') return { kind: 'fixed', score: value ? 1 : 0, written: String(value) }
  if (typeof value === 'number')
    return Number.isFinite(value)
      ? { kind: 'number', value }
      : { kind: 'none', reason: `the score is ${String(value)}, not a finite number` }
  if (typeof value !== 'string') return { kind: 'none', reason: `the score is ${nameKind(value)}, not a number` }
  const text = value.trim()
  const fixed = LETTERS.get(text) ?? WORDS.get(text.toLowerCase())
  if (fixed !== undefined)
    return { kind: 'fixed', score: fixed, written: LETTERS.has(text) ? text : text.toLowerCase() }
  if (/^[-+]?(nan|inf(inity)?)$/i.test(text))
    return { kind: 'none', reason: `the score is ${text}, not a finite number` }
  return readScoreNumber(text) ?? { kind: 'none', reason: `the score is ${nameKind(text)}, not a number` }
}

function isScalar(value: unknown): boolean {
  return value === null || ['number', 'string', 'boolean', 'undefined'].includes(typeof value)
}

/** A metric may be an object or a list of several: each becomes one, as `scorer.part` and `scorer[0]`. */
export function flattenScore(name: string, value: unknown): [string, unknown][] {
  if (Array.isArray(value))
    return value.length > 0 && value.every(isScalar)
      ? value.map((item: unknown, index): [string, unknown] => [`${name}[${index}]`, item])
      : [[name, value]]
  if (typeof value !== 'object' || value === null) return [[name, value]]
  const entries = Object.entries(value)
  return entries.length > 0 && entries.every(([, item]) => isScalar(item))
    ? entries.map(([key, item]): [string, unknown] => [`${name}.${key}`, item])
    : [[name, value]]
}
