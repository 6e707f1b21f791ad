import { isJsonObject, LongInteger } from '../../../contract/index.ts'

/** An object read from a file, not validated yet. */
export type Fields = Record<string, unknown>

/** Returns the value of `name` if `value` is an object that has it. Own fields only: `__proto__` is a key like any other. */
export function field(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

export function listField(value: unknown, name: string): readonly unknown[] | undefined {
  const found = field(value, name)
  return Array.isArray(found) ? found : undefined
}

export function textField(value: unknown, name: string): string | undefined {
  const found = field(value, name)
  return typeof found === 'string' ? found : undefined
}

export function numberField(value: unknown, name: string): number | undefined {
  const found = field(value, name)
  return typeof found === 'number' ? found : undefined
}

/** Returns the first id found under these names, as text even if the file has a number. */
export function idField(value: unknown, ...names: string[]): string | undefined {
  for (const name of names) {
    const found = field(value, name)
    if (typeof found === 'string' || typeof found === 'number' || found instanceof LongInteger) return String(found)
  }
  return undefined
}
