import type { Suite } from '../../contract/index.ts'
import { sha256 } from './sha256.ts'

/** JSON whose text does not depend on the order of keys. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, field: unknown) =>
    typeof field === 'object' && field !== null && !Array.isArray(field)
      ? Object.fromEntries(Object.entries(field).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : field,
  )
}

/** SHA-256 of the stored suite: the same hash means the same prompts, expected outputs, scoring and weights. */
export function hashSuite(suite: Suite): string {
  return sha256(canonicalJson(suite))
}
