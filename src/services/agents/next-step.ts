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
  const ended = log.findLast((event) => event.kind === 'ended')
  if (ended) return { do: 'end', reason: ended.reason }
  const said = log.filter(isSaid)
  const last = said.at(-1)
  const answered = new Set(log.flatMap((event) => (event.kind === 'replied' ? [event.id] : [])))
  const limit = findLimit(log, conversation)
  const open = last?.calls?.find(({ id }) => !answered.has(id))
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

/** The limit that the conversation has reached; the first in the order of the suite's fields. */
function findLimit(
  log: readonly CellEvent[],
  { limits, as }: PlannedConversation,
): Exclude<EndReason, 'agent-stop' | 'user-stop'> | undefined {
  const asked = log.filter(isSaid).filter(({ by, attempt }) => by === 'agent' && attempt !== undefined)
  const ids = new Set(asked.flatMap(({ calls = [] }) => calls.map(({ id }) => id)))
  const replies = log.filter((event) => event.kind === 'replied').filter(({ id }) => ids.has(id))
  // tau2-bench counts what fails for the user too.
  const failing = as === 'tau2' ? log.filter((event) => event.kind === 'replied') : replies
  if (failing.filter(({ isError }) => isError).length >= limits.toolErrors) return 'tool-errors'
  const last = log.findLast(isSaid)
  const hasOpen = last?.calls?.some(({ id }) => !log.some((event) => event.kind === 'replied' && event.id === id))
  if (last?.by === 'agent' && hasOpen && replies.length >= limits.toolCalls) return 'tool-calls'
  if (!hasOpen && asked.length >= limits.turns) return 'turns'
  const ms = log.reduce(
    (sum, event) => sum + (event.kind === 'said' ? (event.usage?.ms ?? 0) : event.kind === 'replied' ? event.ms : 0),
    0,
  )
  if (ms >= limits.seconds * 1000) return 'seconds'
  const cost = asked.reduce((sum, { usage }) => sum + (usage?.cost ?? 0), 0)
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
