import type { CompiledCase } from '../../scoring/index.ts'

/** True if the answers to the case are compared with each other, so that none has a score before all are there. */
export function isPairwise({ compiled }: { compiled: CompiledCase }): boolean {
  return compiled.checks[0]?.scorer.comparesAnswers === true
}
