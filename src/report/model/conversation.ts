import { isFailedCall } from '../../scoring/tool-calls/credit/failed-reply.ts'
import type { Claim, Loss, RecordedCall, Trajectory, TrajectoryStep } from '../../scoring/tool-calls/index.ts'

interface RowPlace {
  /** Its address: `8`, or `a2898e3/8` inside a sub-agent. */
  id: string
  /** From 1, within its agent. */
  number: number
  /** 0, or how many agents are above it. */
  depth: number
  /** Position of its step in the trajectory. */
  step: number
  /** Milliseconds since the first entry; `null` if not recorded. */
  at: number | null
}

export interface MessageRow extends RowPlace {
  kind: 'message'
  message: TrajectoryStep
  /** Actions that it claims and nobody called. */
  claims: Claim[]
  /** Replies of the environment that answer no call. */
  observations: readonly string[]
}

export interface CallRow extends RowPlace {
  kind: 'call'
  call: RecordedCall
  /** Position among all calls of its trajectory. */
  index: number
  isError: boolean
}

export interface AgentRow extends RowPlace {
  kind: 'agent'
  agent: Trajectory
  isOpen: boolean
}

export type ConversationRow = MessageRow | CallRow | AgentRow

interface ConversationInput {
  trajectory: Trajectory
  claims?: readonly Claim[]
  /** Addresses of the sub-agents that are unfolded. */
  open: ReadonlySet<string>
}

/** The rows of a conversation: messages and calls, each with an address, and sub-agents where they were started. */
export function listConversation({ trajectory, claims = [], open }: ConversationInput): ConversationRow[] {
  const start = findStart(trajectory)
  return listRows({ trajectory, claims, open, start, prefix: '', depth: 0 })
}

function findStart(trajectory: Trajectory): number | null {
  const times = trajectory.steps
    .flatMap(({ time }) => (time === undefined ? [] : Date.parse(time)))
    .filter(Number.isFinite)
  return times.length === 0 ? null : times.reduce((first, time) => Math.min(first, time), Infinity)
}

interface Level extends Required<ConversationInput> {
  start: number | null
  prefix: string
  depth: number
}

function listRows(level: Level): ConversationRow[] {
  const { trajectory, claims, start, prefix, depth } = level
  const rows: ConversationRow[] = []
  const waiting = new Set(trajectory.subagents)
  let calls = 0
  let number = 0
  const next = (step: number, time?: string): RowPlace => {
    number += 1
    const at = time === undefined || start === null ? Number.NaN : Date.parse(time) - start
    return { id: `${prefix}${number}`, number, depth, step, at: Number.isNaN(at) ? null : at }
  }
  for (const [index, message] of trajectory.steps.entries()) {
    const { text, reasoning, observations = [], time } = message
    const own = claims.filter(({ step }) => step === index)
    if (text !== '' || reasoning !== undefined || observations.length > 0 || message.calls.length === 0)
      rows.push({ kind: 'message', message, claims: own, observations, ...next(index, time) })
    for (const call of message.calls) {
      const isError = trajectory.errors === null ? isFailedCall(call) : call.isError === true
      rows.push({ kind: 'call', call, index: calls, isError, ...next(index, time) })
      calls += 1
      for (const agent of waiting)
        if (agent.id !== null && agent.id.length > 4 && call.result?.includes(agent.id)) {
          waiting.delete(agent)
          rows.push(...listAgent(agent, index, level))
        }
    }
  }
  for (const agent of waiting) rows.push(...listAgent(agent, trajectory.steps.length - 1, level))
  return rows
}

function listAgent(
  agent: Trajectory,
  step: number,
  { open, start, prefix, depth, trajectory }: Level,
): ConversationRow[] {
  const name = agent.id ?? String(trajectory.subagents.indexOf(agent) + 1)
  const id = `${prefix}${name}`
  const isOpen = open.has(id)
  const row: AgentRow = { kind: 'agent', agent, isOpen, id, number: 0, depth, step, at: null }
  const inside = isOpen
    ? listRows({ trajectory: agent, claims: [], open, start, prefix: `${id}/`, depth: depth + 1 })
    : []
  return [row, ...inside]
}

/** The sub-agents that must be unfolded for the row with this address to be there. */
export function listAgentsAbove(id: string): string[] {
  const parts = id.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

/** The row that shows a loss: its call, what proves its cause, or the turn in which something is missing. */
export function findRowOfLoss(
  rows: readonly ConversationRow[],
  { call, fault, turn }: Loss,
): ConversationRow | undefined {
  const own = rows.filter(({ depth }) => depth === 0)
  if (call) return own.find((row) => row.kind === 'call' && row.index === call.index)
  if (fault.step !== undefined) return own.find((row) => row.kind !== 'agent' && row.step === fault.step)
  const turns = own.filter((row) => row.kind === 'message' && row.message.source === 'user' && !row.message.isInjected)
  return turns[turn] ?? turns.at(-1) ?? own.at(-1)
}

/** All that a search looks at in a row. */
export function textOfRow(row: ConversationRow): string {
  if (row.kind === 'agent') return row.agent.id ?? ''
  if (row.kind === 'call') return `${row.call.name} ${writeArguments(row.call)} ${row.call.result ?? ''}`
  return [row.message.text, row.message.reasoning ?? '', ...row.observations].join('\n')
}

/** A call's arguments as JSON, or as the text that could not be read. */
export function writeArguments({ arguments: given, unreadableArguments }: RecordedCall, indent?: number): string {
  return unreadableArguments ?? JSON.stringify(given, null, indent) ?? ''
}

/** `id: "ZK4T9", date: "2026-05-22"`: the arguments in one line. */
export function summariseArguments(call: RecordedCall): string {
  const { arguments: given, unreadableArguments } = call
  if (unreadableArguments !== undefined || typeof given !== 'object' || given === null || Array.isArray(given))
    return writeArguments(call).slice(0, 200)
  return Object.entries(given)
    .map(([name, value]) => `${name}: ${(JSON.stringify(value) ?? '').slice(0, 120)}`)
    .join(', ')
    .slice(0, 300)
}
