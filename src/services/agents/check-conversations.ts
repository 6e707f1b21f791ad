import { z } from 'zod'
import {
  ScoringError,
  type CellEvent,
  type ConversationFinding,
  type EventBody,
  type ScoredConversation,
  type Suite,
} from '../../contract/index.ts'
import {
  applyEdits,
  compileSuite,
  findEdits,
  findOutputs,
  isJudged,
  listScoring,
  type CompiledCase,
  type Scorer,
  type Scoring,
} from '../../scoring/index.ts'
import { EnvironmentFailed, openSuiteEnvironment, replayCalls, seedOf, type Environment } from './environment.ts'
import { writeReply } from './next-step.ts'
import { planConversation, type PlannedConversation } from './planned-conversation.ts'
import { readScored } from './score-conversation.ts'

/** What a conversation would look like in which exactly these calls are made, and nothing is said. */
async function playCalls(
  calls: readonly { name: string; arguments: unknown }[],
  environment: Environment,
  { tools, caseId }: PlannedConversation,
): Promise<CellEvent[]> {
  const log: CellEvent[] = []
  const add = (body: EventBody) => log.push({ seq: log.length, at: 0, ...body })
  let { world } = environment
  add({ kind: 'started', world, worldHash: '', tools: environment.tools, seed: seedOf(caseId) })
  for (const [index, { name, arguments: args }] of calls.entries()) {
    const by = tools.get(name)?.of ?? 'agent'
    const id = `call_${index}`
    add({ kind: 'said', by, text: '', calls: [{ id, name, arguments: args }], outcome: 'ok' })
    add({ kind: 'called', by, id, name, arguments: args })
    const place = calls.slice(0, index).filter((one) => one.name === name).length
    const done = await environment.call({ id, by, name, arguments: args, world, place, seed: seedOf(caseId) })
    const edits = 'error' in done ? [] : findEdits(world, done.world)
    world = applyEdits(world, edits)
    const reply = 'error' in done ? `Error: ${done.error}` : done.reply
    add({ kind: 'replied', id, reply, isError: 'error' in done, edits, worldHash: '', ms: 0 })
  }
  add({ kind: 'ended', reason: 'agent-stop' })
  return log
}

interface CheckedCase {
  compiled: CompiledCase
  conversation: PlannedConversation
  scoring: Scoring
}

/** The checks that fail of those that `counts` chooses, with what they say. */
async function findFailed(
  { compiled, scoring }: CheckedCase,
  scored: ScoredConversation,
  counts: (scoringMethod: string) => boolean,
): Promise<string[]> {
  const checks = compiled.checks.filter(({ scorer }) => counts(scorer.name))
  if (checks.length === 0) return []
  const { scoringMethod: _method, ...testCase } = compiled.testCase
  const { as: _as, ...conversation } = scored
  const result = await scoring.scoreCompiled({ ...compiled, checks, testCase }, { response: '', conversation })
  return (result.checks ?? []).flatMap(({ scoringMethod, score, notes = '' }, index) => {
    const { passAt } = compiled.testCase.checks?.filter((one) => counts(one.scoringMethod))[index] ?? {}
    return score >= (passAt ?? checks[index]!.scorer.passAt) - 1e-9 ? [] : [`${scoringMethod}: ${notes}`]
  })
}

/** All texts in which an agent could find what it has to say. */
function listSources(
  log: readonly CellEvent[],
  { systemPrompt = '', prompt = '', turns = [], user, before, tools }: PlannedConversation,
): string[] {
  const worlds = log.flatMap((event) => (event.kind === 'started' ? [JSON.stringify(event.world)] : []))
  const replies = log.flatMap((event) => (event.kind === 'replied' ? [writeReply(event.reply)] : []))
  const spoken = [
    systemPrompt,
    prompt,
    user?.instructions ?? '',
    ...turns.map((turn) => turn.user),
    JSON.stringify(before),
  ]
  // An error message that a tool may give.
  const written = Array.from(
    tools.values(),
    ({ code, mock, reply }) => `${code ?? ''} ${JSON.stringify([mock, reply])}`,
  )
  const texts = [...worlds, ...replies, ...spoken, ...written]
  // Names in JSON are no words with their quotes around them.
  return texts.map((text) => text.replaceAll(/["{}[\],:_]+/g, ' '))
}

const SAYING = new Set(['said', 'turns'])

/** False for what no calls alone can pass: a judge, a page, or no scoring at all. */
const isPlayed = (scorer: Scorer): boolean => !isJudged(scorer) && !scorer.opensPages && scorer.name !== 'none'

async function checkCase(checked: CheckedCase): Promise<ConversationFinding[]> {
  const { compiled, conversation, scoring } = checked
  const { caseId, reference, before, turns = [] } = conversation
  const environment = await openSuiteEnvironment(conversation, scoring.runToolCode)
  const called = before.flatMap((step) => ('name' in step ? [step] : []))
  const expected = reference && (await replayCalls([...called, ...reference], environment, conversation))
  const findings: ConversationFinding[] = []
  const counted = compiled.checks.filter(({ scorer }) => isPlayed(scorer)).map(({ scorer }) => scorer.name)
  const isCounted = (method: string) => counted.includes(method)

  const replayed = await playCalls([...called, ...(reference ?? [])], environment, conversation)
  // Only its calls were played, each in a message of its own.
  const played = { ...conversation, before: called }
  const scored = readScored(replayed, played, expected)
  if (reference) {
    const replies = replayed.filter((event) => event.kind === 'replied').slice(called.length)
    const failing = replies.flatMap(({ isError, reply }, index) =>
      isError ? [`${reference[index]!.name}: ${writeReply(reply)}`] : [],
    )
    const failed = await findFailed(checked, scored, (method) => isCounted(method) && !SAYING.has(method))
    if (failing.length + failed.length > 0)
      findings.push({ kind: 'reference-fails', caseId, details: [...failing, ...failed] })
  }

  const idle = await playCalls(called, environment, conversation)
  const isPlayedWhole = counted.length === compiled.checks.length
  if (isPlayedWhole && (await findFailed(checked, readScored(idle, played, expected), isCounted)).length === 0)
    findings.push({
      kind: 'nothing-passes',
      caseId,
      details: [compiled.checks.length === 0 ? 'it has no checks' : `checks: ${counted.join(', ')}`],
    })

  const texts = [
    ...compiled.checks.flatMap(({ options: { texts: wanted } }) => (Array.isArray(wanted) ? wanted.map(String) : [])),
    ...turns.flatMap(({ said = [] }) => said),
  ]
  const sources = listSources(replayed, conversation)
  const isKnown = findOutputs(texts, sources)
  const unknown = texts.filter((_, index) => !isKnown[index])
  if (unknown.length > 0) findings.push({ kind: 'unknown-reply', caseId, details: unknown })
  return findings
}

const referenceSchema = z.object({ referencePage: z.string() })

/** Tries the reference pages of a case as its answers are tried. */
async function checkReferencePages(compiled: CompiledCase, scoring: Scoring): Promise<ConversationFinding[]> {
  const { id: caseId } = compiled.testCase
  const findings: ConversationFinding[] = []
  for (const check of listScoring(compiled.checks)) {
    const { data } = referenceSchema.safeParse(check.options)
    if (!data || !check.scorer.opensPages) continue
    const testCase = { ...compiled.testCase, scoringMethod: check.scorer.name }
    try {
      const response = `\`\`\`html\n${data.referencePage}\n\`\`\``
      const { checks = [] } = await scoring.scoreCompiled({ ...compiled, checks: [check], testCase }, { response })
      const failed = checks.filter(({ score }) => score < 1)
      if (failed.length > 0)
        findings.push({
          kind: 'reference-page-fails',
          caseId,
          details: failed.map(({ name, notes }) => `${name}: ${notes}`),
        })
    } catch (error) {
      if (!(error instanceof ScoringError)) throw error
      findings.push({ kind: 'reference-page-unseen', caseId, details: [error.message] })
    }
  }
  return findings
}

/** What is wrong with the conversations and the reference pages of a suite, found by playing them without any model. */
export async function checkConversations(suite: Suite, scoring: Scoring): Promise<ConversationFinding[]> {
  const findings: ConversationFinding[] = []
  for (const compiled of compileSuite(suite, scoring.scorers)) {
    const conversation = planConversation(suite, compiled.testCase)
    const { mcp, http } = conversation?.environment ?? {}
    // Servers of others are not started for a check.
    if (!conversation) findings.push(...(await checkReferencePages(compiled, scoring)))
    if (!conversation || mcp || http !== undefined) continue
    try {
      findings.push(...(await checkCase({ compiled, conversation, scoring })))
    } catch (error) {
      if (!(error instanceof EnvironmentFailed)) throw error
      findings.push({ kind: 'tools-fail', caseId: conversation.caseId, details: [error.message] })
    }
  }
  return findings
}
