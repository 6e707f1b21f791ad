import type { ActionReason, CallReference, OutputReason } from '../reasons.ts'
import type { CallTurns } from './grade-calls.ts'
import type { GradeSetting } from './grade-settings.ts'

/** Who caused what differs from the key. */
export type FaultCause = 'agent' | 'user' | 'key' | 'key or user' | 'file' | 'harness'

/** The rule that says so; the methodology lists them. */
export type FaultRule = 'H1' | 'H3' | 'U1' | 'U3' | 'U4' | 'K1' | 'K4' | 'K5' | 'K6'

export interface Fault {
  cause: FaultCause
  /** `null` for the agent, who is at fault unless the file shows otherwise. */
  rule: FaultRule | null
  /** What shows it: a quotation, or the names concerned. */
  evidence?: string
  /** Position of the step that shows it, from 0. */
  step?: number
}

export const agentsFault: Fault = { cause: 'agent', rule: null }

/** Something that cost credit. */
export interface Loss {
  kind: 'missing' | 'differs' | 'extra' | 'forbidden' | 'unsaid' | 'end state'
  /** The turn of the user, from 0. */
  turn: number
  /** The tool, what was to be said, or a path in the world. */
  name: string
  /** The actual call, if there is one. */
  call: CallReference | null
  /** Position among the expected calls, if it is about one. */
  expectedIndex: number | null
  /** Who caused it. */
  fault: Fault
}

interface Found {
  actions: readonly ActionReason[]
  extraCalls: readonly CallReference[]
  forbidden: readonly CallReference[]
  outputs: readonly OutputReason[]
  endState: readonly { path: string }[]
  turns: CallTurns
  setting: GradeSetting
}

/** All that cost credit, by turn. A missing call counts where it was expected, or after the last expected call that was made. */
export function findLosses({ actions, extraCalls, forbidden, outputs, endState, turns, setting }: Found): Loss[] {
  const lastTurn = turns.actual.reduce((last, turn) => Math.max(last, turn), 0)
  const losses: Omit<Loss, 'fault'>[] = []
  let reached = 0
  for (const { index, name, call, score } of actions) {
    const turn = call ? turns.actual[call.index]! : turns.count > 1 ? (turns.expected[index] ?? reached) : reached
    if (call) reached = turn
    if (call && score >= 1 - 1e-9) continue
    // Where missing calls are free, they lose nothing.
    if (!call && setting.extra === 'only') continue
    losses.push({ kind: call ? 'differs' : 'missing', turn, name, call, expectedIndex: index })
  }
  const isCostly = setting.extra !== 'free'
  for (const call of isCostly ? extraCalls : [])
    losses.push({ kind: 'extra', turn: turns.actual[call.index]!, name: call.name, call, expectedIndex: null })
  for (const call of forbidden)
    losses.push({ kind: 'forbidden', turn: turns.actual[call.index]!, name: call.name, call, expectedIndex: null })
  for (const { text, isSaid } of outputs)
    if (!isSaid) losses.push({ kind: 'unsaid', turn: lastTurn, name: text, call: null, expectedIndex: null })
  for (const { path } of endState)
    losses.push({ kind: 'end state', turn: lastTurn, name: path, call: null, expectedIndex: null })
  return losses.toSorted((a, b) => a.turn - b.turn).map((loss) => ({ ...loss, fault: agentsFault }))
}
