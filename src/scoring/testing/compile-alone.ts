import { compileCase, type CompiledCase } from '../compiling/compile-case.ts'
import type { Scorer } from '../scorer.ts'

/** Compiles a case with only this scoring method. */
export function compileAlone(scorer: Scorer, expectedOutput: string | undefined, options: object = {}): CompiledCase {
  const testCase = { id: 'case', prompt: '?', weight: 1, scoringMethod: scorer.name, ...options }
  return compileCase(expectedOutput === undefined ? testCase : { ...testCase, expectedOutput }, [scorer])
}
