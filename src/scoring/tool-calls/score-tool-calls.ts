import { ScoringError, type ScoringResult } from '../../contract/index.ts'
import {
  readActualCall,
  readExpectedAction,
  type ActualCall,
  type ActualCallInput,
  type ArgumentComparison,
  type ExpectedActionInput,
  type ExpectedCall,
  type ExpectedOutputs,
} from './calls.ts'
import { findDifferences } from './credit/argument-differences.ts'
import { giveCallsCredit } from './credit/calls-credit.ts'
import { creditSchema, type CreditName } from './credit.ts'
import {
  effectComparison,
  giveEffectsCredit,
  type EffectfulTools,
  type EffectOptions,
} from './credit/effects-credit.ts'
import { reasonsFor, pickCompared, type ToolCallReasons } from './reasons.ts'
import { rangeOf } from './score-ranges.ts'

export interface ToolCallOptions {
  /** `calls` (default): were the expected calls made? `effects`: what did the agent change? `seed` means `calls`. */
  credit?: CreditName
  /** For `effects`: the tools that change something, or `all`. By default the tool's name decides. */
  effectfulTools?: EffectfulTools
  /** For `effects`: what the agent must tell the user, and its messages to the user. */
  outputs?: ExpectedOutputs
}

export interface ToolCallScore extends ScoringResult {
  reasons: ToolCallReasons
}

/** Scores the calls an agent made against the calls it should have made. */
export function scoreToolCalls(
  expectedActions: readonly ExpectedActionInput[],
  actualCalls: readonly ActualCallInput[],
  options: ToolCallOptions = {},
): ToolCallScore {
  return scoreCalls(expectedActions.map(readExpectedAction), actualCalls.map(readActualCall), options)
}

/** Like `scoreToolCalls`, for calls that are already parsed. */
export function scoreCalls(
  expected: readonly ExpectedCall[],
  calls: readonly ActualCall[],
  { credit: name = 'calls', comparison = effectComparison, ...options }: ToolCallOptions & EffectOptions = {},
): ToolCallScore {
  // Plain JavaScript can pass anything, and an unknown credit must not silently score as another.
  const { data: credit } = creditSchema.safeParse(name)
  if (credit === undefined)
    throw new ScoringError('invalid-options', `credit is ${JSON.stringify(name)}; it must be "calls" or "effects"`)
  if (credit === 'calls') {
    const { score, matches } = giveCallsCredit(expected, calls)
    const reasons = reasonsFor({ credit, expected, calls, matches, differences: callsDifferences })
    return { score, notes: writeNotes(score, reasons), reasons }
  }
  const { score, ...found } = giveEffectsCredit(expected, calls, { ...options, comparison })
  const reasons = reasonsFor({ credit, expected, calls, ...found, differences: comparison.differences })
  return { score, notes: writeNotes(score, reasons), reasons }
}

const callsDifferences: ArgumentComparison['differences'] = (action, call) =>
  findDifferences(pickCompared(action, action.arguments), pickCompared(action, call.arguments), 'calls')

function writeNotes(score: number, { actions, extraCalls, credit, outputs = [] }: ToolCallReasons): string {
  const unsaid = outputs.filter(({ isSaid }) => !isSaid)
  if (actions.length === 0 && outputs.length === 0)
    return extraCalls.length === 0
      ? `no ${credit} expected, none made`
      : `no ${credit} expected, ${extraCalls.length} made`
  const right = actions.filter(({ kind }) => kind === 'exact').length + outputs.length - unsaid.length
  const differ = actions.filter(({ kind }) => kind === 'arguments differ')
  const missing = actions.filter(({ kind }) => kind === 'tool not called')
  return [
    `${rangeOf(score)}: ${right} of ${actions.length + outputs.length} expected ${credit} right`,
    ...(differ.length > 0 ? [`arguments differ in ${nameAll(differ)}`] : []),
    ...(missing.length > 0 ? [`missing ${nameAll(missing)}`] : []),
    ...(credit === 'effects' && extraCalls.length > 0 ? [`extra ${nameAll(extraCalls)}`] : []),
    ...(unsaid.length > 0 ? [`not told the user: ${nameAll(unsaid.map(({ text }) => ({ name: text })))}`] : []),
  ].join('; ')
}

function nameAll(calls: readonly { name: string }[]): string {
  const names = [...new Set(calls.map(({ name }) => name))]
  return names.length > 4 ? `${names.slice(0, 4).join(', ')} and ${names.length - 4} more` : names.join(', ')
}
