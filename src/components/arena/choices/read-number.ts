import { describeRange, isInRange, type NumberRange } from '../../../contract/index.ts'

export interface FieldRange extends NumberRange {
  /** An empty field is allowed and means "none". */
  isOptional?: boolean
}

/** Reads a typed number: `0,5` and ` 0.5 ` are 0.5; `1,000` is an error, because it could be 1 or 1000. */
export function readNumber(text: string, range: FieldRange): { value: number | undefined } | { error: string } {
  const typed = text.trim().replace(/^(-?\d*),(\d{1,2})$/, '$1.$2')
  if (typed === '' && range.isOptional) return { value: undefined }
  const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(typed) ? Number(typed) : Number.NaN
  return isInRange(value, range) ? { value } : { error: `must be ${describeRange(range)}` }
}
