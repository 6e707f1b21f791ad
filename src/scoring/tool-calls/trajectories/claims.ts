import { isFailedCall } from '../credit/failed-reply.ts'
import { splitWords } from '../credit/effectful-tools.ts'
import type { RecordedCall, Trajectory } from './trajectory.ts'

/** Deeds that people claim, with the verbs of the tools that do them. */
const deeds: readonly [said: string, verbs: readonly string[]][] = [
  ['cancelled|canceled', ['cancel']],
  ['booked|reserved', ['book', 'reserve']],
  ['refunded', ['refund']],
  ['deleted|removed', ['delete', 'remove']],
  ['sent|emailed|e-mailed', ['send', 'email', 'mail']],
  ['exchanged', ['exchange']],
  ['returned', ['return']],
  ['transferred', ['transfer']],
  ['scheduled', ['schedule', 'create']],
  ['updated|changed|modified', ['update', 'modify', 'change', 'set', 'edit']],
  ['created', ['create', 'add', 'open']],
  ['paid', ['pay', 'charge']],
]

const claims = deeds.map(([said, verbs]) => ({
  verbs,
  pattern: new RegExp(
    String.raw`\bI(?:['’]ve| have| just)(?: just| now| already| successfully)* (?:${said})\b(?![^.!?\n]{0,80}\?)`,
    'i',
  ),
}))

/** Tools that can do anything: who has called one may have done what it claims. */
const doesAnything = /^(bash|shell|sh|exec|execute|run|python|terminal|task|agent|computer|local_shell_call)/i

export interface Claim {
  /** Position among the steps, from 0. */
  step: number
  text: string
}

/**
 * Claims of an action whose tool was known and never called successfully before. Only where some tool of that verb is
 * known: nothing can be said of an agent whose tools are not.
 */
export function findEmptyClaims(
  { steps, tools = [], subagents }: Trajectory,
  knownTools: Iterable<string> = [],
): Claim[] {
  const known = new Set([...knownTools, ...tools.map(({ name }) => name)].flatMap((name) => splitWords(name)))
  // What a sub-agent did is not in this conversation.
  if (subagents.length > 0) return []
  const done = new Set<string>()
  const found: Claim[] = []
  let isOpen = false
  const add = (call: RecordedCall): void => {
    if (doesAnything.test(call.name)) isOpen = true
    if (!isFailedCall(call)) for (const word of splitWords(call.name)) done.add(word)
  }
  for (const [index, { source, text, calls }] of steps.entries()) {
    if (source === 'agent' && !isOpen)
      for (const { pattern, verbs } of claims) {
        if (!verbs.some((verb) => known.has(verb)) || verbs.some((verb) => done.has(verb))) continue
        // A reply that comes with calls announces them.
        const said = calls.length === 0 ? pattern.exec(text) : null
        if (said) found.push({ step: index, text: text.slice(said.index, said.index + 120) })
      }
    calls.forEach(add)
  }
  return found
}
