import type { ActualCall, ExpectedCall } from './calls.ts'
import { findDifferences, type ArgumentDifference, type Credit } from './argument-differences.ts'

/** Why a score is what it is: what became of every expected action and of every call. */
export interface ToolCallReasons {
  credit: Credit
  actions: ActionReason[]
  /** Calls that count and serve no expected action. With effects credit each costs; with the seed's they are free. */
  extraCalls: CallReference[]
  /** What does not count, and why. */
  leftOut: LeftOut[]
  /** Why the whole record has the score it has, when not by its actions. */
  verdict?: string
}

export interface ActionReason {
  /** Place among the expected actions, from 0. */
  index: number
  name: string
  arguments: unknown
  score: number
  kind: 'exact' | 'arguments differ' | 'tool not called'
  call: CallReference | null
  /** 0 to 1; `null` when no call of that tool was found. */
  argumentScore: number | null
  differences: ArgumentDifference[]
}

export interface CallReference {
  /** Place among the actual calls, from 0. */
  index: number
  name: string
  arguments: unknown
}

export interface LeftOut extends CallReference {
  side: 'expected' | 'actual'
  why: string
}

/** The pair that a credit chose for one expected action. */
export interface Match {
  expectedIndex: number
  actualIndex: number | null
  score: number
  argumentScore: number | null
}

interface ReasonInput {
  credit: Credit
  expected: readonly ExpectedCall[]
  calls: readonly ActualCall[]
  matches: readonly Match[]
  leftOut?: LeftOut[]
}

export function explainMatches({ credit, expected, calls, matches, leftOut = [] }: ReasonInput): ToolCallReasons {
  const settled = new Set(leftOut.filter(({ side }) => side === 'actual').map(({ index }) => index))
  for (const { actualIndex } of matches) if (actualIndex !== null) settled.add(actualIndex)
  return {
    credit,
    actions: matches.map((match) => explainMatch(match, { credit, expected, calls })),
    extraCalls: calls.flatMap((call, index) => (settled.has(index) ? [] : [referTo(call, index)])),
    leftOut,
  }
}

function explainMatch(
  match: Match,
  { credit, expected, calls }: Pick<ReasonInput, 'credit' | 'expected' | 'calls'>,
): ActionReason {
  const { expectedIndex, actualIndex, score, argumentScore } = match
  const action = expected[expectedIndex]!
  const call = actualIndex === null ? null : calls[actualIndex]!
  return {
    index: expectedIndex,
    name: action.name,
    arguments: action.arguments,
    score,
    kind: call === null ? 'tool not called' : argumentScore === 1 ? 'exact' : 'arguments differ',
    call: call === null ? null : referTo(call, actualIndex!),
    argumentScore,
    differences:
      call === null || argumentScore === 1
        ? []
        : findDifferences(pickCompared(action, action.arguments), pickCompared(action, call.arguments), credit),
  }
}

export function referTo(call: { name: string; arguments: unknown }, index: number): CallReference {
  return { index, name: call.name, arguments: call.arguments }
}

/** The arguments that count: all of them, unless the action names some. */
export function pickCompared(action: ExpectedCall, given: unknown): unknown {
  const { compared } = action
  if (!compared || typeof given !== 'object' || given === null) return given
  return Object.fromEntries(Object.entries(given).filter(([key]) => compared.includes(key)))
}
