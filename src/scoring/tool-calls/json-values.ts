export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

/** Reads own properties only: in JSON, `__proto__` and `constructor` are ordinary keys. */
export function ownValue(object: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}
