import type { RecordProblem, ToolCallRecord } from './calls.ts'
import { giveCallsCredit } from './credit/calls-credit.ts'
import type { Credit } from './credit.ts'
import { giveEffectsCredit, type EffectfulTools } from './credit/effects-credit.ts'
import type { ToolCallReasons } from './reasons.ts'
import { scoreCalls } from './score-tool-calls.ts'

/** A record with its scores; `score` is `null` if the record does not say what was expected. */
export interface ScoredRecord {
  taskId: string
  trial: number
  reward?: number
  /** By the chosen credit. */
  score: number | null
  /** By both credits, so that each can be compared with the rewards. */
  scores: Record<Credit, number> | null
  reasons: ToolCallReasons | null
  problems: RecordProblem[]
}

interface RecordOptions {
  credit: Credit
  effectfulTools?: EffectfulTools
}

export function scoreRecord(record: ToolCallRecord, { credit, effectfulTools }: RecordOptions): ScoredRecord {
  const { taskId, trial, reward, expected, calls, failure, problems } = record
  const identity = { taskId, trial, ...(reward !== undefined && { reward }), problems }
  if (failure !== undefined) {
    const reasons = {
      credit,
      actions: [],
      extraCalls: [],
      leftOut: [],
      verdict: `the run ended in an error: ${failure}`,
    }
    return { ...identity, score: 0, scores: { calls: 0, effects: 0 }, reasons }
  }
  if (expected === null) return { ...identity, score: null, scores: null, reasons: null }
  const tools = effectfulTools ?? (record.everyToolCounts ? 'all' : undefined)
  const { score, reasons } = scoreCalls(expected, calls, { credit, effectfulTools: tools })
  const scores =
    credit === 'calls'
      ? { calls: score, effects: giveEffectsCredit(expected, calls, tools).score }
      : { calls: giveCallsCredit(expected, calls).score, effects: score }
  return { ...identity, score, scores, reasons }
}
