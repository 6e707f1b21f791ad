import { compileCase, type CompiledCase } from '../compile-case.ts'
import type { Scorer } from '../scorer.ts'

/** A case of this one scoring method, compiled. */
export function compileAlone(scorer: Scorer, expectedOutput: string | undefined, options: object = {}): CompiledCase {
  const testCase = { id: 'case', prompt: '?', weight: 1, scoringMethod: scorer.name, ...options }
  return compileCase(expectedOutput === undefined ? testCase : { ...testCase, expectedOutput }, [scorer])
}
