import { z } from 'zod'
import { ScoringError, type ScoringJob, type ScoringResult } from '../contract/index.ts'
import { runTool } from './isolate.ts'

const optionsSchema = z.object({ holds: z.union([z.string(), z.array(z.string())]) })

/** Evaluates the expressions of the scorer `world`. One that throws does not hold: what it asks for is not there. */
export async function runWorldChecks(
  { input, options }: ScoringJob,
  { isolate, deadlineMs }: { isolate: WebAssembly.Module; deadlineMs: number },
): Promise<ScoringResult> {
  const { conversation } = input
  if (!conversation) throw new ScoringError('invalid-options', 'world scores conversations with tools')
  const { world, before } = conversation
  const expressions = [optionsSchema.parse(options).holds].flat()
  const failed: string[] = []
  for (const expression of expressions) {
    const run = await runTool(isolate, {
      code: `return !!(${expression.replace(/;\s*$/, '')}\n)`,
      world,
      args: { before },
      seed: 0,
      now: 0,
      deadlineMs,
    })
    if ('error' in run && run.isFaulty) throw new ScoringError('invalid-options', `world: ${expression}: ${run.error}`)
    if ('error' in run) failed.push(`${expression} (${run.error})`)
    else if (run.reply !== true) failed.push(expression)
  }
  return {
    score: conversation.as === 'tau2' && failed.length > 0 ? 0 : 1 - failed.length / expressions.length,
    notes: failed.length === 0 ? 'everything holds' : `does not hold: ${failed.join('; ')}`,
  }
}
