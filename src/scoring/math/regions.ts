import { splitRelation, splitTop } from './split-latex.ts'

interface Interval {
  low: string
  isLowClosed: boolean
  high: string
  isHighClosed: boolean
}

/** A part of the number line, however it is written. */
export interface Region {
  intervals: Interval[]
  /** Undefined for `(1, 2)`, which names none. */
  variable: string | undefined
}

const LOWEST = '-\\infty'
const HIGHEST = '\\infty'
const ALL: Interval = { low: LOWEST, isLowClosed: false, high: HIGHEST, isHighClosed: false }
const VARIABLE = /^(?:\p{L}|\\[a-z]{2,8})(?:_(?:\{[^{}]*\}|\w))?$/u
const OR = /^(?:\\cup(?![A-Za-z])|\\(?:text|mathrm)\s*\{\s*,?\s*or\s*\}|\s*,?\s(?:or|\\lor)\s|\\lor(?![A-Za-z]))/
const AND = /^(?:\\(?:text|mathrm)\s*\{\s*and\s*\}|\s(?:and|\\land)\s|\\land(?![A-Za-z]))/

function readInterval(text: string): Interval | undefined {
  const match = /^([([])(.*)([)\]])$/s.exec(text)
  const ends = match ? splitTop(match[2]!, /^[,;]/) : []
  if (!match || ends.length !== 2) return undefined
  return { low: ends[0]!, isLowClosed: match[1] === '[', high: ends[1]!, isHighClosed: match[3] === ']' }
}

const DOWN: Readonly<Record<string, boolean>> = { '<': false, '\\leq': true }
const UP: Readonly<Record<string, boolean>> = { '>': false, '\\geq': true }

function readInequality(text: string): Region | undefined {
  const { sides, operators } = splitRelation(text)
  if (sides.length === 3) {
    const [left, middle, right] = sides as [string, string, string]
    const [first, second] = operators as [string, string]
    if (!VARIABLE.test(middle)) return undefined
    if (first in DOWN && second in DOWN)
      return {
        variable: middle,
        intervals: [{ low: left, isLowClosed: DOWN[first]!, high: right, isHighClosed: DOWN[second]! }],
      }
    if (first in UP && second in UP)
      return {
        variable: middle,
        intervals: [{ low: right, isLowClosed: UP[second]!, high: left, isHighClosed: UP[first]! }],
      }
    return undefined
  }
  const [left, right] = sides as [string, string]
  const [operator] = operators
  if (sides.length !== 2 || operator === undefined || VARIABLE.test(left) === VARIABLE.test(right)) return undefined
  const isFirst = VARIABLE.test(left)
  const [variable, bound] = isFirst ? [left, right] : [right, left]
  if (operator === '\\ne') return { variable, intervals: without([bound]) }
  const isBelow = operator in DOWN === isFirst
  if (!(operator in DOWN) && !(operator in UP)) return undefined
  const isClosed = DOWN[operator] ?? UP[operator]!
  return {
    variable,
    intervals: [
      isBelow
        ? { low: LOWEST, isLowClosed: false, high: bound, isHighClosed: isClosed }
        : { low: bound, isLowClosed: isClosed, high: HIGHEST, isHighClosed: false },
    ],
  }
}

/** All numbers but these, in the order in which they are written. */
function without(points: readonly string[]): Interval[] {
  return [LOWEST, ...points].map((low, index) => ({
    low,
    isLowClosed: false,
    high: points[index] ?? HIGHEST,
    isHighClosed: false,
  }))
}

function readPart(text: string): Region | undefined {
  if (/^\\reals$|^(?:\\text\s*\{\s*)?all real(?: number)?s\s*\}?$/i.test(text))
    return { variable: undefined, intervals: [ALL] }
  const excluded = /^(?:\\reals|\(-\\infty\s*,\s*\\infty\s*\))\s*(?:\\setminus|\\backslash|-)\s*\\\{(.*)\\\}$/s.exec(
    text,
  )?.[1]
  if (excluded !== undefined) return { variable: undefined, intervals: without(splitTop(excluded, /^,/)) }
  const interval = readInterval(text)
  if (interval) return { variable: undefined, intervals: [interval] }
  const both = splitTop(text, AND).map(readInequality)
  if (both.length !== 2) return readInequality(text)
  const [first, second] = both
  if (!first || !second || first.variable !== second.variable) return undefined
  const [one, other] = first.intervals[0]!.low === LOWEST ? [second, first] : [first, second]
  const [low, high] = [one.intervals[0]!, other.intervals[0]!]
  if (high.low !== LOWEST || low.high !== HIGHEST) return undefined
  return {
    variable: first.variable,
    intervals: [{ low: low.low, isLowClosed: low.isLowClosed, high: high.high, isHighClosed: high.isHighClosed }],
  }
}

/** Reads `x \in [a, b)`, `a \leq x < b`, `x > a \text{ or } x < b`, unions, `\{x \mid x > a\}`; undefined for anything else. */
export function readRegion(text: string): Region | undefined {
  const built = /^\\\{\s*((?:\p{L}|\\[a-z]{2,8})(?:_\w)?)\s*(?:\\in\s*\\reals\s*)?(?:\||:)(.*)\\\}$/su.exec(text)?.[2]
  const member = /^((?:\p{L}|\\[a-z]{2,8})(?:_(?:\{[^{}]*\}|\w))?)\s*\\in(?![A-Za-z])(.*)$/su.exec(text)
  if (member) {
    const inner = readRegion(member[2]!.trim())
    return inner && { ...inner, variable: member[1] }
  }
  const parts = splitTop((built ?? text).trim(), OR).map(readPart)
  const [first] = parts
  if (!first || parts.some((part) => !part)) return undefined
  const variables = new Set(parts.map((part) => part!.variable))
  return variables.size > 1
    ? undefined
    : { variable: first.variable, intervals: parts.flatMap((part) => part!.intervals) }
}
