export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}
