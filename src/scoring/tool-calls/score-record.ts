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
  /** Why there is no score, if the record says more than that nothing was expected. */
  unscored?: string
}

const WRITTEN: RecordProblem = 'calls written as text, which calls credit does not read'

interface RecordOptions {
  credit: Credit
  effectfulTools?: EffectfulTools
  /** The calls of this file cannot be read: a record without calls says nothing about what the agent did. */
  hidesCalls?: boolean
}

export function scoreRecord(record: ToolCallRecord, settings: RecordOptions): ScoredRecord {
  const { credit, effectfulTools, hidesCalls } = settings
  const { taskId, trial, reward, expected, calls, failure } = record
  // Effects credit does read them.
  const problems = record.problems.filter((problem) => credit === 'calls' || problem !== WRITTEN)
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
  if (expected === null)
    return {
      ...identity,
      score: null,
      scores: null,
      reasons: null,
      ...(record.unscored !== undefined && { unscored: record.unscored }),
    }
  const { effectCalls = calls, outputs, comparison, isReplayed } = record
  const options = {
    effectfulTools: effectfulTools ?? (record.everyToolCounts ? ('all' as const) : undefined),
    ...(outputs && { outputs }),
    ...(comparison && { comparison }),
    ...(isReplayed && { isReplayed }),
  }
  if (hidesCalls && lacksCalls(record, settings)) {
    if (credit === 'effects') {
      problems.push('no readable call (not scored)')
      return { ...identity, score: null, scores: null, reasons: null, unscored: 'none of its calls could be read' }
    }
    problems.push('no readable call')
    return { ...identity, ...scoreCalls(expected, calls, { credit }), scores: null }
  }
  const { score, reasons } = scoreCalls(expected, credit === 'calls' ? calls : effectCalls, { credit, ...options })
  const scores =
    credit === 'calls'
      ? { calls: score, effects: giveEffectsCredit(expected, effectCalls, options).score }
      : { calls: giveCallsCredit(expected, calls).score, effects: score }
  return { ...identity, score, scores, reasons }
}

/** Returns true if the record expects an effect and has no call at all, so that nothing can be said for or against it. */
export function lacksCalls(record: ToolCallRecord, { effectfulTools }: Pick<RecordOptions, 'effectfulTools'>): boolean {
  const { expected, calls, effectCalls = calls, everyToolCounts, failure } = record
  if (expected === null || failure !== undefined || everyToolCounts || effectCalls.length > 0) return false
  return giveEffectsCredit(expected, [], effectfulTools === undefined ? {} : { effectfulTools }).matches.length > 0
}
