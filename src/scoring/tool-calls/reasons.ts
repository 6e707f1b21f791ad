import type { ActualCall, ArgumentComparison, ExpectedCall } from './calls.ts'
import type { ArgumentDifference } from './credit/argument-differences.ts'
import type { Credit } from './credit.ts'

/** Explains a score: how every expected action and every call was counted. */
export interface ToolCallReasons {
  credit: Credit
  actions: ActionReason[]
  /** Calls that count and match no expected action. Each costs with `effects` credit; they are free with `calls`. */
  extraCalls: CallReference[]
  /** Actions and calls that do not count, and why. */
  leftOut: LeftOut[]
  /** What the agent had to tell the user; only if there is any. */
  outputs?: OutputReason[]
  /** Set if the score does not come from the actions: why the record has it. */
  verdict?: string
}

export interface OutputReason {
  text: string
  isSaid: boolean
}

export interface ActionReason {
  /** Position among the expected actions, from 0. */
  index: number
  name: string
  arguments: unknown
  score: number
  kind: 'exact' | 'arguments differ' | 'tool not called'
  call: CallReference | null
  /** 0 to 1; `null` if no call of that tool was found. */
  argumentScore: number | null
  differences: ArgumentDifference[]
}

export interface CallReference {
  /** Position among the actual calls, from 0. */
  index: number
  name: string
  arguments: unknown
}

export interface LeftOut extends CallReference {
  side: 'expected' | 'actual'
  why: string
}

/** The call matched with an expected action, if any. */
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
  outputs?: OutputReason[]
  differences: ArgumentComparison['differences']
}

export function reasonsFor(input: ReasonInput): ToolCallReasons {
  const { credit, calls, matches, leftOut = [], outputs = [] } = input
  const settled = new Set(leftOut.filter(({ side }) => side === 'actual').map(({ index }) => index))
  for (const { actualIndex } of matches) if (actualIndex !== null) settled.add(actualIndex)
  return {
    credit,
    actions: matches.map((match) => reasonFor(match, input)),
    extraCalls: calls.flatMap((call, index) => (settled.has(index) ? [] : [referTo(call, index)])),
    leftOut,
    ...(outputs.length > 0 && { outputs }),
  }
}

function reasonFor(
  match: Match,
  { expected, calls, differences }: Pick<ReasonInput, 'expected' | 'calls' | 'differences'>,
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
    differences: call === null || argumentScore === 1 ? [] : differences(action, call),
  }
}

export function referTo(call: { name: string; arguments: unknown }, index: number): CallReference {
  return { index, name: call.name, arguments: call.arguments }
}

/** The arguments that count: all of them, unless the action lists some. */
export function pickCompared(action: ExpectedCall, args: unknown): unknown {
  const { compared } = action
  if (!compared || typeof args !== 'object' || args === null) return args
  return Object.fromEntries(Object.entries(args).filter(([key]) => compared.includes(key)))
}
