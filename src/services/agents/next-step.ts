import type { CellEvent, ConversationCall, EndReason, RequestMessage, Speaker } from '../../contract/index.ts'
import { applyEdits } from '../../scoring/index.ts'
import type { PlannedConversation } from './planned-conversation.ts'

/** What happens next in a conversation. */
export type NextStep =
  | { do: 'ask'; by: Speaker; messages: RequestMessage[] }
  /** Something that is given: a scripted turn, or what the agent says first. */
  | { do: 'say'; by: Speaker; text: string }
  | { do: 'call'; by: Speaker; call: ConversationCall }
  | { do: 'end'; reason: EndReason }

type Said = Extract<CellEvent, { kind: 'said' }>

export const isSaid = (event: CellEvent): event is Said => event.kind === 'said'

const START = { agent: 'assistant', user: 'user' } as const

/** Replies are sent as text: JSON, unless they are text already. */
export function writeReply(reply: unknown): string {
  return typeof reply === 'string' ? reply : (JSON.stringify(reply) ?? 'null')
}

/** The world after the log: the edits are replayed, not the tools. */
export function readWorld(log: readonly CellEvent[]): unknown {
  const started = log.find((event) => event.kind === 'started')
  return log.reduce(
    (world, event) => (event.kind === 'replied' ? applyEdits(world, event.edits) : world),
    started?.world,
  )
}

/**
 * Pure: what happens next follows from the log alone, so that a resume and a first run are the same program. An event
 * `asked` without what was said is a request whose answer never arrived: it is asked again.
 */
export function nextStep(log: readonly CellEvent[], conversation: PlannedConversation): NextStep {
  const end = log.at(-1)
  if (end?.kind === 'ended') return { do: 'end', reason: end.reason }
  const sums = sumUp(log)
  const { said } = sums
  const last = said.at(-1)
  const open = last?.calls?.find(({ id }) => !sums.answered.includes(id))
  const limit = findLimit(sums, open !== undefined, conversation)
  if (open) return limit ? { do: 'end', reason: limit } : { do: 'call', by: last!.by, call: open }
  const next = whoIsNext(log, said, conversation)
  // A conversation that is over by itself did not reach a limit.
  if (next.do === 'ask' && limit) return { do: 'end', reason: limit }
  return next
}

function whoIsNext(log: readonly CellEvent[], said: readonly Said[], conversation: PlannedConversation): NextStep {
  const { user, turns, prompt, before } = conversation
  const last = said.at(-1)
  const opening = conversation.opening ?? log.find((event) => event.kind === 'started')?.opening
  if (!last && opening !== undefined) return { do: 'say', by: 'agent', text: opening }
  const ask = (by: Speaker): NextStep => ({ do: 'ask', by, messages: writeMessages(log, by, conversation) })
  // Who made calls reads their replies.
  if (last?.calls && last.calls.length > 0) return ask(last.by)
  if (last?.by === 'user') return hasStopWord(last, user?.stopWords) ? { do: 'end', reason: 'user-stop' } : ask('agent')
  const hasAgentAnswered = last !== undefined && last.attempt !== undefined
  if (last && hasAgentAnswered && (last.text.trim() === '' || stopsItself(last, conversation)))
    return { do: 'end', reason: 'agent-stop' }
  // What was said before the conversation went on is no turn of it.
  const begun = said.slice(before.length)
  const spoken = begun.filter(({ by, attempt }) => by === 'user' && attempt === undefined).length
  if (turns) {
    const turn = turns[spoken]
    return turn ? { do: 'say', by: 'user', text: turn.user } : { do: 'end', reason: 'agent-stop' }
  }
  if (prompt !== undefined && spoken === 0 && !hasAgentAnswered) return { do: 'say', by: 'user', text: prompt }
  return user ? ask('user') : { do: 'end', reason: 'agent-stop' }
}

function hasStopWord({ text }: Said, stopWords: readonly string[] = []): boolean {
  return stopWords.some((word) => text.includes(word))
}

/** tau2-bench lets the agent stop too, in the user's words. */
function stopsItself(said: Said, { as, user }: PlannedConversation): boolean {
  return as === 'tau2' && hasStopWord(said, user?.stopWords.slice(0, 1))
}

interface Sums {
  said: Said[]
  /** Of the calls that were made last, the ids of those that have a reply. */
  answered: string[]
  /** Answers of the agent, what they cost, its calls that have a reply, and how many of those failed. */
  answers: number
  cost: number
  calls: number
  errors: number
  /** Calls of the agent or its user that failed. */
  anyErrors: number
  ms: number
}

/** In one pass: a long log is read again for each of its steps. */
function sumUp(log: readonly CellEvent[]): Sums {
  const sums: Sums = { said: [], answered: [], answers: 0, cost: 0, calls: 0, errors: 0, anyErrors: 0, ms: 0 }
  // Replies are to the calls that were made last.
  let isOwn = false
  for (const event of log)
    if (event.kind === 'said') {
      sums.said.push(event)
      if (sums.answered.length > 0) sums.answered = []
      sums.ms += event.usage?.ms ?? 0
      isOwn = event.by === 'agent' && event.attempt !== undefined
      if (!isOwn) continue
      sums.answers++
      sums.cost += event.usage?.cost ?? 0
    } else if (event.kind === 'replied') {
      sums.answered.push(event.id)
      sums.ms += event.ms
      if (isOwn) sums.calls++
      if (event.isError) sums.anyErrors++
      if (isOwn && event.isError) sums.errors++
    }
  return sums
}

/** The limit that the conversation has reached; the first in the order of the suite's fields. */
function findLimit(
  { said, answers, cost, calls, errors, anyErrors, ms }: Sums,
  hasOpen: boolean,
  { limits, as }: PlannedConversation,
): Exclude<EndReason, 'agent-stop' | 'user-stop'> | undefined {
  // tau2-bench counts what fails for the user too.
  if ((as === 'tau2' ? anyErrors : errors) >= limits.toolErrors) return 'tool-errors'
  if (said.at(-1)?.by === 'agent' && hasOpen && calls >= limits.toolCalls) return 'tool-calls'
  if (!hasOpen && answers >= limits.turns) return 'turns'
  if (ms >= limits.seconds * 1000) return 'seconds'
  return limits.cost !== undefined && cost >= limits.cost ? 'cost' : undefined
}

/** The conversation as one of the two reads it: each is the assistant of its own, and sees only its own calls. */
export function writeMessages(
  log: readonly CellEvent[],
  by: Speaker,
  { systemPrompt, user }: PlannedConversation,
): RequestMessage[] {
  const started = log.find((event) => event.kind === 'started')
  const policy = started?.policy
  const prompt =
    by === 'agent'
      ? [systemPrompt, policy].filter(Boolean).join('\n\n')
      : writeInstructions(user?.instructions ?? '', user?.stopWords)
  const messages: RequestMessage[] = prompt === '' ? [] : [{ role: 'system', content: prompt }]
  const names = new Map<string, string>()
  for (const event of log) {
    if (event.kind === 'said') {
      const isOwn = event.by === by
      const { text, calls = [], opaque } = event
      // What comes with a call is not said to the other.
      if (!isOwn && (calls.length > 0 || text === '')) continue
      for (const { id, name } of isOwn ? calls : []) names.set(id, name)
      messages.push({
        role: isOwn ? START.agent : START.user,
        content: text,
        ...(isOwn && calls.length > 0 && { toolCalls: calls }),
        ...(isOwn && opaque !== undefined && { opaque }),
      })
    }
    const name = event.kind === 'replied' ? names.get(event.id) : undefined
    if (event.kind === 'replied' && name !== undefined)
      messages.push({
        role: 'tool',
        toolCallId: event.id,
        name,
        content: writeReply(event.reply),
        ...(event.isError && { isError: true }),
      })
  }
  // The user speaks first: models answer, they do not begin.
  if (by === 'user' && !messages.some(({ role }) => role === 'user'))
    messages.push({ role: 'user', content: 'Hello. How can I help you?' })
  return messages
}

function writeInstructions(instructions: string, [stopWord = '###STOP###']: readonly string[] = []): string {
  return [
    'You play the user in a conversation with an assistant. Stay in this role; never help the assistant with its work.',
    'Write one message at a time, as a person would: short, in your own words, and only what is needed now. Do not make up what your instructions do not say.',
    `When you have what you want, or the assistant cannot help you, write only ${stopWord}`,
    `Your instructions:\n${instructions}`,
  ].join('\n\n')
}
