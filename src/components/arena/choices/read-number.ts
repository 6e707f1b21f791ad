export interface NumberRange {
  min?: number
  max?: number
  /** `min` itself is not allowed. */
  isMinExcluded?: boolean
  isWhole?: boolean
  /** An empty field is allowed and means "none". */
  isOptional?: boolean
}

function describeRange({ min, max, isMinExcluded, isWhole }: NumberRange): string {
  const kind = isWhole ? 'a whole number' : 'a number'
  if (min !== undefined && max !== undefined && !isMinExcluded) return `${kind} from ${min} to ${max}`
  const parts = [
    min !== undefined && `${isMinExcluded ? 'greater than' : 'of at least'} ${min}`,
    max !== undefined && `at most ${max}`,
  ].filter(Boolean)
  return [kind, parts.join(' and ')].filter(Boolean).join(' ')
}

/** Reads a typed number: `0,5` and ` 0.5 ` are 0.5; `1,000` is an error, because it could be 1 or 1000. */
export function readNumber(text: string, range: NumberRange): { value: number | undefined } | { error: string } {
  const typed = text.trim().replace(/^(-?\d*),(\d{1,2})$/, '$1.$2')
  if (typed === '') return range.isOptional ? { value: undefined } : { error: `must be ${describeRange(range)}` }
  const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(typed) ? Number(typed) : Number.NaN
  const { min, max, isMinExcluded, isWhole } = range
  const isTooSmall = min !== undefined && (isMinExcluded ? value <= min : value < min)
  if (
    !Number.isFinite(value) ||
    isTooSmall ||
    (max !== undefined && value > max) ||
    (isWhole && !Number.isInteger(value))
  )
    return { error: `must be ${describeRange(range)}` }
  return { value }
}
