import { size, type Complex } from './complex.ts'
import { LONGEST, UnreadableMath, compileExpression, type Expression } from './compile-expression.ts'
import { normalizeLatex } from './normalize-latex.ts'
import { readRegion } from './regions.ts'
import { splitRelation, splitTop } from './split-latex.ts'
import { isSameDimension, splitUnit } from './units.ts'

/** Below this, whole numbers must be the same. */
const DEFAULT_TOLERANCE = 1e-6
/** What sums of rounded values leave where 0 is meant. */
const ROUNDING = 1e-12
const NEEDED_SAMPLES = 4
const MOST_SAMPLES = 16

/** The answer is words, where mathematics was expected. */
export class WordsForMath extends UnreadableMath {}

function isClose(a: Complex, b: Complex, tolerance: number, floor: number): boolean {
  const difference = Math.hypot(a.re - b.re, a.im - b.im)
  if (difference === 0) return true
  const isWhole = [a, b].every(({ re, im }) => im === 0 && Number.isSafeInteger(re))
  if (isWhole && tolerance <= DEFAULT_TOLERANCE) return false
  return difference <= tolerance * Math.max(size(a), size(b)) || difference <= floor
}

/** Points of both signs that no formula was made for. */
function sampleAt(turn: number, index: number): Complex {
  return { re: ((turn * 7919 + index * 104_729 + 13) % 997) / 311 - 1.4, im: 0 }
}

const isFinitePoint = ({ re, im }: Complex) => Number.isFinite(re) && Number.isFinite(im)

function sampleBoth(a: Expression, b: Expression): { a: Complex; b: Complex }[] {
  const variables = [...new Set([...a.variables, ...b.variables])].sort()
  if (variables.length === 0) return [{ a: a.evaluate(new Map()), b: b.evaluate(new Map()) }]
  const samples: { a: Complex; b: Complex }[] = []
  for (let turn = 0; turn < MOST_SAMPLES && samples.length < NEEDED_SAMPLES; turn++) {
    const values = new Map(variables.map((name, index) => [name, sampleAt(turn, index)]))
    const sample = { a: a.evaluate(values), b: b.evaluate(values) }
    if (isFinitePoint(sample.a) || isFinitePoint(sample.b)) samples.push(sample)
  }
  if (samples.length < 2) throw new UnreadableMath('it has no value at the points where it was compared')
  return samples
}

function isInfinite(source: string): boolean {
  return /^[-+]?\s*\\infty$/.test(source.trim())
}

/** Two expressions have the same value: wherever they were sampled, if they have variables. */
function isSameValue(first: string, second: string, tolerance: number): boolean {
  const [a, b] = [compileExpression(first), compileExpression(second)]
  if (isInfinite(first) || isInfinite(second)) return first.replaceAll(/[\s+]/g, '') === second.replaceAll(/[\s+]/g, '')
  const floor = a.isProduct && b.isProduct ? 0 : ROUNDING
  return sampleBoth(a, b).every((sample) => {
    if (isFinitePoint(sample.a) && isFinitePoint(sample.b)) return isClose(sample.a, sample.b, tolerance, floor)
    if (a.variables.length + b.variables.length > 0) return false
    throw new UnreadableMath('it is too large or not defined')
  })
}

/** `2x + 3y = 6` and `4x + 6y = 12`: the sides' differences have one ratio everywhere, positive for an inequality. */
function isProportional(first: string, second: string, isEquation: boolean): boolean {
  const [a, b] = [compileExpression(first), compileExpression(second)]
  let ratio: number | undefined
  for (const sample of sampleBoth(a, b)) {
    if (!isFinitePoint(sample.a) || !isFinitePoint(sample.b)) return false
    if (size(sample.a) < ROUNDING !== size(sample.b) < ROUNDING) return false
    if (size(sample.a) < ROUNDING) continue
    const found = (sample.a.re * sample.b.re + sample.a.im * sample.b.im) / size(sample.a) ** 2
    const isReal =
      Math.abs(sample.a.re * sample.b.im - sample.a.im * sample.b.re) <= 1e-9 * size(sample.a) * size(sample.b)
    if (!isReal || (!isEquation && found <= 0)) return false
    if (ratio !== undefined && Math.abs(found - ratio) > 1e-9 * Math.abs(ratio)) return false
    ratio = found
  }
  return ratio !== undefined
}

const WRAPPER = /\\(?:text|textbf|textit|textrm|mathrm|mathbf|mbox|operatorname)\s*\{([^{}]*)\}/g

/** What is written, without blanks and without what only says how it is set. */
function spell(text: string): string {
  return text.replaceAll(WRAPPER, '$1').replaceAll(/\s+/g, '')
}

function simplifyWords(text: string): string {
  return text
    .replaceAll(WRAPPER, ' $1 ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase()
}

const NOTHING =
  /^(?:no (?:real )?solutions?|none|no solution exists|empty set|the empty set|there (?:is|are) no (?:real )?solutions?|does not exist|dne|undefined)$/

/** Short words are no products of variables. */
const WORD = /(?<![\\\p{L}])(?:\p{L}{3,}|so|it|is|in|of|to|at|be|we|by|on|an|as|if|no|or)(?!\p{L})/giu

function isWords(text: string): boolean {
  return /[A-Za-z]{3,}|\p{Script=Han}|\p{Script=Cyrillic}{2}|(?<![A-Za-z])(?:so|it|is|of|to|no)(?![A-Za-z])/iu.test(
    text.replaceAll(WRAPPER, ' $1 ').replaceAll(/\\[A-Za-z]+|_\{[^{}]*\}/g, ' '),
  )
}

function isNothing(text: string): boolean {
  return /^(?:\\emptyset|\\\{\s*\\\})$/.test(text) || NOTHING.test(simplifyWords(text))
}

function matrixRows(text: string): string[][] | undefined {
  const inside = /^\\begin\s*\{([pbvBV]?matrix|array)\}(?:\s*\{[clr|]+\})?(.*)\\end\s*\{\1\}$/s.exec(text)?.[2]
  return inside
    ?.split(/\\\\(?:\[[^\]]{0,10}\])?/)
    .map((row) => row.trim())
    .filter(Boolean)
    .map((row) => row.split('&').map((cell) => cell.trim()))
}

interface Bracketed {
  open: string
  close: string
  items: string[]
}

/** False for what stands between the brackets of `(1,2),(3,4)`. */
function isBalanced(inside: string): boolean {
  let depth = 0
  for (const character of inside) {
    if ('([{'.includes(character)) depth++
    else if (')]}'.includes(character) && --depth < 0) return false
  }
  return true
}

function readBracketed(text: string): Bracketed | undefined {
  const match = /^([([])(.*)([)\]])$/s.exec(text) ?? /^(\\langle)(.*)(\\rangle)$/s.exec(text)
  if (!match || !isBalanced(match[2]!)) return undefined
  const items = splitTop(match[2]!, /^[,;]/)
  return items.length > 1 ? { open: match[1]!, close: match[3]!, items } : undefined
}

function readSet(text: string): string[] | undefined {
  const inside = /^\\\{(.*)\\\}$/s.exec(text)?.[1]
  return inside === undefined || /[|:]/.test(inside.replaceAll(/\|[^|]*\|/g, ''))
    ? undefined
    : splitTop(inside, /^[,;]/)
}

function expandSigns(text: string): string[] {
  if (!/\\(?:pm|mp)(?![A-Za-z])/.test(text)) return [text]
  return [text.replaceAll('\\pm', '+').replaceAll('\\mp', '-'), text.replaceAll('\\pm', '-').replaceAll('\\mp', '+')]
}

const JOINT = /^(?:[,;]|\\(?:text|mathrm|mbox)\s*\{\s*,?\s*(?:and|or)\s*\}|\s(?:and|or)\s)/

/** `2, 3 and 5`, or what `\pm` stands for. */
function readList(text: string): string[] | undefined {
  const items = splitTop(text, JOINT)
    .filter((item) => item !== '')
    .flatMap(expandSigns)
  return items.length > 1 ? items : undefined
}

const VARIABLE = String.raw`(?:\p{L}|\\[A-Za-z]+)(?:_(?:\{[^{}]*\}|\w))?'*(?:\s?\([^()]{1,20}\))?`
const ONE_VARIABLE = new RegExp(`^${VARIABLE}$`, 'u')
/** `f(-2) + f(0)` and `P(A)` name what they are said to be. */
const FUNCTION_VALUE = /(?<![\p{L}\\])[fghpFGHP]'*\s?\([^()]{1,40}\)/gu

function isNamed(side: string): boolean {
  const rest = side.replaceAll(FUNCTION_VALUE, '')
  return ONE_VARIABLE.test(side) || (rest !== side && !/\p{L}/u.test(rest))
}

const FLIPPED: Readonly<Record<string, string>> = {
  '<': '>',
  '>': '<',
  '\\leq': '\\geq',
  '\\geq': '\\leq',
  '=': '=',
  '\\ne': '\\ne',
}

/** The answers mean the same. Throws `UnreadableMath` where that cannot be said. */
export function isEquivalent(wanted: string, given: string, tolerance: number): boolean {
  if (Math.max(wanted.length, given.length) > LONGEST) throw new UnreadableMath('it is too long')
  const [a, b] = [normalizeLatex(wanted), normalizeLatex(given)]
  if (isProse(b) && !isWords(splitUnit(a).value)) throw new WordsForMath('it is a sentence, not mathematics')
  return compare(a, b, { tolerance, depth: 0 })
}

/** A sentence: its numbers and signs are no expression. */
function isProse(text: string): boolean {
  const words = splitUnit(text).value.match(WORD) ?? []
  return words.length >= 3 && !isNothing(text) && readRegion(text) === undefined
}

interface Comparing {
  tolerance: number
  depth: number
}

const MOST_NESTED = 20
const MOST_ITEMS = 200

function compare(a: string, b: string, { tolerance, depth }: Comparing): boolean {
  if (depth > MOST_NESTED) throw new UnreadableMath('it is nested too deeply')
  const inside = { tolerance, depth: depth + 1 }
  const again = (first: string, second: string) => compare(first.trim(), second.trim(), inside)
  if (spell(a) === spell(b)) return true
  if (a === '' || b === '') throw new UnreadableMath('it is empty')
  if (isNothing(a) || isNothing(b)) return isNothing(a) && isNothing(b)
  return (
    compareMatrices(a, b, again) ??
    compareRegions(a, b, again) ??
    compareCollections(a, b, again) ??
    compareRelations(a, b, again) ??
    compareBases(a, b) ??
    compareSingles(a, b, inside, again)
  )
}

type Again = (first: string, second: string) => boolean

function compareMatrices(a: string, b: string, again: Again): boolean | undefined {
  const [first, second] = [matrixRows(a), matrixRows(b)]
  if (!first && !second) return undefined
  if (first && second)
    return (
      first.length === second.length &&
      first.every((row, y) => row.length === second[y]!.length && row.every((cell, x) => again(cell, second[y]![x]!)))
    )
  const column = (first ?? second)!
  const tuple = readBracketed(first ? b : a)
  if (!tuple || !(column.length === 1 || column.every((row) => row.length === 1))) return false
  return areAll(column.flat(), tuple.items, again)
}

function areAll(a: readonly string[], b: readonly string[], again: Again): boolean {
  return a.length === b.length && a.length <= MOST_ITEMS && a.every((item, index) => again(item, b[index]!))
}

/** The same items in any order. */
function areSame(a: readonly string[], b: readonly string[], again: Again): boolean {
  if (a.length !== b.length || a.length > MOST_ITEMS) return false
  const left = [...b]
  return a.every((item) => {
    const at = left.findIndex((other) => again(item, other))
    if (at < 0) return false
    left.splice(at, 1)
    return true
  })
}

/** Intervals, unions and inequalities of one variable. */
function compareRegions(a: string, b: string, again: Again): boolean | undefined {
  const isRegion = /\\(?:leq|geq|ne|in|reals|cup|setminus)(?![A-Za-z])|[<>]/
  if (!isRegion.test(a) && !isRegion.test(b)) return undefined
  const [first, second] = [readRegion(a), readRegion(b)]
  if (!first || !second) return undefined
  if (first.variable !== undefined && second.variable !== undefined && first.variable !== second.variable) return false
  return (
    first.intervals.length === second.intervals.length &&
    first.intervals.every((one) =>
      second.intervals.some(
        (other) =>
          one.isLowClosed === other.isLowClosed &&
          one.isHighClosed === other.isHighClosed &&
          again(one.low, other.low) &&
          again(one.high, other.high),
      ),
    )
  )
}

function compareCollections(a: string, b: string, again: Again): boolean | undefined {
  const [tupleA, tupleB] = [readBracketed(a), readBracketed(b)]
  if (tupleA && tupleB)
    return tupleA.open === tupleB.open && tupleA.close === tupleB.close && areAll(tupleA.items, tupleB.items, again)
  const [listA, listB] = [readSet(a) ?? readList(a), readSet(b) ?? readList(b)]
  const tuple = tupleA ?? tupleB
  const list = tupleA ? listB : listA
  if (tuple && list) return areAll(tuple.items, list.map(dropName), again)
  if (tuple) return false
  if (!listA && !listB) return undefined
  return areSame(listA ?? [a], listB ?? [b], again)
}

/** `x = 5` as an item of `(5, 3)`. */
function dropName(item: string): string {
  const { sides, operators } = splitRelation(item)
  return operators.length === 1 && operators[0] === '=' && ONE_VARIABLE.test(sides[0]!) ? sides[1]! : item
}

function compareRelations(a: string, b: string, again: Again): boolean | undefined {
  const [first, second] = [splitRelation(a), splitRelation(b)]
  if (first.operators.length === 0 && second.operators.length === 0) return undefined
  if (second.operators.length > 0 && second.sides.some((side) => isWords(splitUnit(side).value)))
    throw new WordsForMath('it is a sentence, not mathematics')
  if (first.operators.length === 1 && second.operators.length === 1) {
    const [[l1, r1], [l2, r2]] = [first.sides as [string, string], second.sides as [string, string]]
    const [op1, op2] = [first.operators[0]!, second.operators[0]!]
    if (op1 === op2 && sameSides(again, l1, l2, r1, r2)) return true
    if (FLIPPED[op1] === op2 && sameSides(again, l1, r2, r1, l2)) return true
    const isEquation = op1 === '=' || op1 === '\\ne'
    if (op1 === op2) return isProportional(`(${l1})-(${r1})`, `(${l2})-(${r2})`, isEquation)
    return FLIPPED[op1] === op2 && isProportional(`(${l1})-(${r1})`, `(${r2})-(${l2})`, isEquation)
  }
  // `x = 5`, `A = πr² = 25π` and `48/2 = 24` give their last side.
  const [relation, other] = first.operators.length > 0 ? [first, b] : [second, a]
  if (first.operators.length > 0 && second.operators.length > 0) return areAll(first.sides, second.sides, again)
  if (!relation.operators.every((operator) => operator === '=' || operator === '\\approx')) return false
  const value = relation.sides.at(-1)!
  if (relation.operators.at(-1) === '\\approx') return relation.sides.slice(0, -1).some((side) => again(side, other))
  const [name] = relation.sides
  return (isNamed(name!) || isTrue(again, name!, value)) && again(value, other)
}

function sameSides(again: Again, l1: string, l2: string, r1: string, r2: string): boolean {
  return isTrue(again, l1, l2) && isTrue(again, r1, r2)
}

/** False also where it cannot be said. */
function isTrue(again: Again, first: string, second: string): boolean {
  try {
    return again(first, second)
  } catch (error) {
    if (error instanceof UnreadableMath) return false
    throw error
  }
}

const IN_BASE = /^([0-9A-Za-z]+)_\{?(?:\\text\s*\{)?(\d{1,2})\}?\}?$/

/** `2516_8`: the digits and the base; the base may be left out, as the question names it. */
function compareBases(a: string, b: string): boolean | undefined {
  const [first, second] = [IN_BASE.exec(unwrap(a)), IN_BASE.exec(unwrap(b))]
  if (!first && !second) return undefined
  const digits = (match: RegExpExecArray | null, text: string) =>
    (match?.[1] ?? text).replaceAll(/\s/g, '').toLowerCase()
  if (first && second && first[2] !== second[2]) return false
  return digits(first, a) === digits(second, b)
}

function unwrap(text: string): string {
  return text.replace(/^\\(?:text|mathrm)\s*\{([0-9A-Za-z]+)\}/, '$1').replace(/^\(([0-9A-Za-z]+)\)_/, '$1_')
}

function compareSingles(a: string, b: string, { tolerance }: Comparing, again: Again): boolean {
  const [percentA, percentB] = [a, b].map((text) => /^(.*\S)\s*%$/s.exec(text)?.[1])
  if (percentA !== undefined || percentB !== undefined) {
    if (percentA !== undefined && percentB !== undefined) return again(percentA, percentB)
    const [percent, plain] = percentA === undefined ? [percentB!, a] : [percentA, b]
    return again(percent, plain) || again(`\\frac{${percent}}{100}`, plain)
  }
  const [measuredA, measuredB] = [splitUnit(a), splitUnit(b)]
  const [wordsA, wordsB] = [isWords(measuredA.value), isWords(measuredB.value)]
  if (wordsA || wordsB) {
    if (simplifyWords(a) === simplifyWords(b)) return true
    if (wordsA) return false
    throw new WordsForMath('it is words, not mathematics')
  }
  if (measuredA.unit && measuredB.unit) {
    if (!isSameDimension(measuredA.unit, measuredB.unit)) return false
    const ratio = measuredB.unit.factor / measuredA.unit.factor
    const value = Math.abs(ratio - 1) < ROUNDING ? measuredB.value : `(${measuredB.value})*${ratio}`
    return isSameValue(dropWrappers(measuredA.value), dropWrappers(value), tolerance)
  }
  return isSameValue(dropWrappers(measuredA.value), dropWrappers(measuredB.value), tolerance)
}

/** `\text{A}` and `(A)` are the variable A. */
function dropWrappers(text: string): string {
  return text
    .replaceAll(WRAPPER, ' $1 ')
    .replaceAll(/\^\\circ/g, '')
    .trim()
}
