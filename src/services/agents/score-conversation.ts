import { createHash } from 'node:crypto'
import type { CellEvent, ScoredConversation } from '../../contract/index.ts'
import { writeCanonical } from '../../scoring/index.ts'
import { isSaid, readWorld, writeReply } from './next-step.ts'
import type { PlannedConversation } from './planned-conversation.ts'

/** The conversation as a person would read it, for judges. */
function writeTranscript(log: readonly CellEvent[]): string {
  return log
    .flatMap((event) => {
      if (event.kind === 'said')
        return event.text === '' ? [] : [`${event.by === 'agent' ? 'Agent' : 'User'}: ${event.text}`]
      if (event.kind === 'called') {
        const who = event.by === 'agent' ? 'Agent' : 'User'
        return [`${who} calls ${event.name}(${event.argumentsText ?? JSON.stringify(event.arguments)})`]
      }
      return event.kind === 'replied' ? [`Tool: ${writeReply(event.reply)}`] : []
    })
    .join('\n\n')
}

/** A number that is the same where the simulated user said and did the same; undefined without one. */
export function readUserWords(log: readonly CellEvent[], { user }: PlannedConversation): number | undefined {
  if (!user) return undefined
  const said = log.filter(isSaid).filter(({ by, attempt }) => by === 'user' && attempt !== undefined)
  const words = said.map(({ text, calls = [] }) => [text, calls.map(({ name, arguments: args }) => [name, args])])
  // As many bits as a number holds exactly.
  return createHash('sha256').update(writeCanonical(words)).digest().readUIntBE(0, 6)
}

/** The tools that change something, as the suite says; undefined if it says of none. */
function listChanging({ tools, environment }: PlannedConversation): string[] | undefined {
  const servers = Object.values(environment?.mcp ?? {}).flatMap(({ changes }) => (changes ? [changes] : []))
  const own = [...tools].filter(([, { changes }]) => changes !== undefined)
  if (servers.length + own.length === 0) return undefined
  return [...servers.flat(), ...own.flatMap(([name, { changes }]) => (changes ? [name] : []))]
}

/** What scorers read of a conversation. `expected` is the world after the reference. */
export function readScored(
  log: readonly CellEvent[],
  conversation: PlannedConversation,
  expected: unknown,
): ScoredConversation {
  const { endState, turns, as, before } = conversation
  const changing = listChanging(conversation)
  const replies = new Map(log.flatMap((event) => (event.kind === 'replied' ? [[event.id, event] as const] : [])))
  const calls: ScoredConversation['calls'] = []
  const said: ScoredConversation['said'] = []
  let turn = -1
  for (const [index, event] of log.filter(isSaid).entries()) {
    const isGiven = index < before.length
    if (event.by === 'user' && !event.calls && !isGiven) turn++
    // What the case has the agent say or call is not its doing; tau2-bench counts it.
    if (isGiven && as !== 'tau2') continue
    const isSpoken = event.attempt !== undefined || as === 'tau2'
    if (event.by === 'agent' && event.text !== '' && isSpoken) said.push({ text: event.text, turn })
    for (const { id, name, arguments: given } of event.calls ?? []) {
      const reply = replies.get(id)
      calls.push({
        by: event.by,
        name,
        arguments: typeof given === 'string' ? {} : given,
        ...(reply && { reply: writeReply(reply.reply) }),
        isError: reply?.isError ?? false,
        turn,
        changed: (reply?.edits.length ?? 0) > 0,
      })
    }
  }
  const { reason: end, grade } = log.findLast((event) => event.kind === 'ended') ?? {}
  const own = new Set(
    log
      .filter(isSaid)
      .slice(before.length)
      .flatMap((event) => (event.calls ?? []).map(({ id }) => id)),
  )
  return {
    // What was called before belongs to the beginning.
    before: readWorld(log.filter((event) => event.kind !== 'replied' || !own.has(event.id))),
    world: readWorld(log),
    ...(expected !== undefined && { expected }),
    ...(endState !== undefined && { endState }),
    calls,
    said,
    transcript: writeTranscript(log),
    ...(turns && { turns }),
    ...(changing && { changing }),
    ...(end && { end }),
    ...(grade && { grade }),
    ...(as && { as }),
  }
}
