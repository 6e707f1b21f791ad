import { writeSorted, type Suite } from '../../contract/index.ts'
import { sha256 } from './sha256.ts'

/** SHA-256 of the stored suite: the same hash means the same prompts, expected outputs, scoring and weights. */
export function hashSuite(suite: Suite): string {
  return sha256(writeSorted(suite))
}
