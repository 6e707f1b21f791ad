import { isList, isJsonObject, LongInteger } from '../../../contract/index.ts'

/** A number that Python reads as a float though it is whole: `5.0` is not an integer there. */
export class PythonFloat {
  readonly value: number

  constructor(value: number) {
    this.value = value
  }

  toJSON(): number {
    return this.value
  }
}

/** A tuple, which is never equal to a list. */
export class PythonTuple {
  readonly items: readonly unknown[]

  constructor(items: readonly unknown[]) {
    this.items = items
  }

  toJSON(): readonly unknown[] {
    return this.items
  }
}

export type PythonType = 'str' | 'int' | 'float' | 'bool' | 'list' | 'tuple' | 'dict' | 'none'

export function typeOf(value: unknown): PythonType {
  if (typeof value === 'string') return 'str'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float'
  if (value instanceof LongInteger) return 'int'
  if (value instanceof PythonFloat) return 'float'
  if (value instanceof PythonTuple) return 'tuple'
  if (isList(value)) return 'list'
  return isJsonObject(value) ? 'dict' : 'none'
}

/** Equality as in Python: 5 is 5.0 and True is 1, but no text is a number and no tuple a list. */
export function isEqual(a: unknown, b: unknown): boolean {
  const [first, second] = [numberOf(a), numberOf(b)]
  if (first instanceof LongInteger) return first.equals(second)
  if (second instanceof LongInteger) return second.equals(first)
  if (first !== undefined || second !== undefined) return first === second
  if (a instanceof PythonTuple && b instanceof PythonTuple) return isEqualList(a.items, b.items)
  if (typeOf(a) !== typeOf(b)) return false
  if (isList(a) && isList(b)) return isEqualList(a, b)
  if (isJsonObject(a) && isJsonObject(b)) {
    const keys = Object.keys(a)
    return (
      keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key], b[key]))
    )
  }
  return a === b || (a ?? null) === (b ?? null)
}

function isEqualList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => isEqual(item, b[index]))
}

function numberOf(value: unknown): number | LongInteger | undefined {
  if (value instanceof PythonFloat) return value.value
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'number' || value instanceof LongInteger ? value : undefined
}
