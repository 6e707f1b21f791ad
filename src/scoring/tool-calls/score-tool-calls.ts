import { ScoringError, type ScoringResult } from '../../contract/index.ts'
import type { Credit } from './argument-differences.ts'
import {
  readActualCall,
  readExpectedAction,
  type ActualCall,
  type ActualCallInput,
  type ExpectedActionInput,
  type ExpectedCall,
} from './calls.ts'
import { giveEffectsCredit, type EffectfulTools } from './effects-credit.ts'
import { explainMatches, type ToolCallReasons } from './reasons.ts'
import { rangeOf } from './score-ranges.ts'
import { giveSeedCredit } from './seed-credit.ts'

export interface ToolCallOptions {
  /** `seed` (default): the seed authors' number. `effects`: what the agent did to the world. */
  credit?: Credit
  /** For effects: the tools that change something, or `all`. Default: known domains, else by the name's verb. */
  effectfulTools?: EffectfulTools
}

export interface ToolCallScore extends ScoringResult {
  reasons: ToolCallReasons
}

/** Scores the calls an agent made against those it should have made. */
export function scoreToolCalls(
  expectedActions: readonly ExpectedActionInput[],
  actualCalls: readonly ActualCallInput[],
  options: ToolCallOptions = {},
): ToolCallScore {
  return scoreCalls(expectedActions.map(readExpectedAction), actualCalls.map(readActualCall), options)
}

/** As `scoreToolCalls`, for calls that are already read. */
export function scoreCalls(
  expected: readonly ExpectedCall[],
  calls: readonly ActualCall[],
  { credit = 'seed', effectfulTools }: ToolCallOptions = {},
): ToolCallScore {
  // From plain JavaScript anything may come: a score by a credit that was not asked for must not pass for it.
  if (credit !== 'seed' && credit !== 'effects')
    throw new ScoringError('invalid-options', `credit is ${JSON.stringify(credit)}; it is "seed" or "effects"`)
  const { score, matches, leftOut } =
    credit === 'seed'
      ? { ...giveSeedCredit(expected, calls), leftOut: [] }
      : giveEffectsCredit(expected, calls, effectfulTools)
  const reasons = explainMatches({ credit, expected, calls, matches, leftOut })
  return { score, notes: describe(score, reasons), reasons }
}

function describe(score: number, { actions, extraCalls, credit }: ToolCallReasons): string {
  const things = credit === 'seed' ? 'calls' : 'effects'
  if (actions.length === 0)
    return extraCalls.length === 0
      ? `no ${things} expected, none made`
      : `no ${things} expected, ${extraCalls.length} made`
  const exact = actions.filter(({ kind }) => kind === 'exact').length
  const differ = actions.filter(({ kind }) => kind === 'arguments differ')
  const missing = actions.filter(({ kind }) => kind === 'tool not called')
  return [
    `${rangeOf(score)}: ${exact} of ${actions.length} expected ${things} right`,
    ...(differ.length > 0 ? [`arguments differ in ${nameAll(differ)}`] : []),
    ...(missing.length > 0 ? [`missing ${nameAll(missing)}`] : []),
    ...(credit === 'effects' && extraCalls.length > 0 ? [`extra ${nameAll(extraCalls)}`] : []),
  ].join('; ')
}

function nameAll(calls: readonly { name: string }[]): string {
  const names = [...new Set(calls.map(({ name }) => name))]
  return names.length > 4 ? `${names.slice(0, 4).join(', ')} and ${names.length - 4} more` : names.join(', ')
}
