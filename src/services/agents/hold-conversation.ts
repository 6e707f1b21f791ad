import {
  ClientError,
  type CellEvent,
  type CellKey,
  type ConversationCall,
  type EventBody,
  type ModelAnswer,
  type ModelRequest,
  type Speaker,
  sumDollars,
  type ToolCall,
} from '../../contract/index.ts'
import { applyEdits, findEdits } from '../../scoring/index.ts'
import type { Contestant } from '../plan.ts'
import { effectiveParameters } from '../plan.ts'
import { requestAnswer, type Question, type RequestContext, type RequestWatch } from '../requesting/request-answer.ts'
import { EnvironmentFailed, hashWorld, seedOf, type Environment } from './environment.ts'
import { isSaid, nextStep, readWorld, writeMessages } from './next-step.ts'
import type { PlannedConversation } from './planned-conversation.ts'

function addAll(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined)
  return known.length === values.length ? known.reduce((sum, value) => sum + value, 0) : undefined
}

/** A conversation as one answer: the agent's last words, all of its calls, and what its answers took together. */
function summariseConversation(log: readonly CellEvent[]): ModelAnswer {
  const said = log.filter(isSaid).filter(({ by, attempt }) => by === 'agent' && attempt !== undefined)
  const last = said.at(-1)
  const reason = log.findLast((event) => event.kind === 'ended')?.reason
  const isLimit = reason !== undefined && reason !== 'agent-stop' && reason !== 'user-stop'
  const toolCalls = said.flatMap(({ calls = [] }): ToolCall[] => calls)
  const promptTokens = addAll(said.map(({ usage }) => usage?.promptTokens))
  const completionTokens = addAll(said.map(({ usage }) => usage?.completionTokens))
  const costs = said.map(({ usage }) => usage?.cost).filter((cost) => cost !== undefined)
  const outcome = last?.outcome ?? 'empty'
  return {
    outcome: isLimit ? 'limit' : isAnswered(outcome) ? outcome : 'ok',
    response: last?.text ?? '',
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(promptTokens !== undefined && { promptTokens }),
    ...(completionTokens !== undefined && { completionTokens }),
    ...(costs.length === said.length && { cost: sumDollars(costs) }),
    latencyMs: said.reduce((sum, { usage }) => sum + (usage?.ms ?? 0), 0),
    ...(reason !== undefined && { finishReason: reason }),
  }
}

function isAnswered(outcome: string): outcome is ModelAnswer['outcome'] {
  return ['ok', 'empty', 'refusal', 'filtered', 'truncated'].includes(outcome)
}

/** The simulated user gave no answer: nothing that the agent did. */
class UserFailed extends Error {
  override name = 'UserFailed'
}

/** What a conversation needs of its run. */
export interface Host {
  context: RequestContext
  contestant: Contestant
  /** How a model is asked. */
  reach(request: ModelRequest): Pick<Question, 'client' | 'price' | 'estimate' | 'request'>
  openEnvironment(conversation: PlannedConversation, log: readonly CellEvent[]): Promise<Environment>
}

interface Talk {
  cell: CellKey
  conversation: PlannedConversation
  host: Host
  watch: RequestWatch | undefined
  log: CellEvent[]
  /** As it is after the log. */
  world: unknown
  worldHash: string
  environment: Environment
}

/** What follows in the log, stored before anything goes on. */
async function append(talk: Talk, ...bodies: EventBody[]): Promise<void> {
  const { host, cell, log } = talk
  const events = bodies.map((body, index): CellEvent => ({
    seq: log.length + index,
    at: host.context.clock.now(),
    ...body,
  }))
  await host.context.storage.appendEvents(cell, events)
  log.push(...events)
  for (const event of events) host.context.emit({ type: 'conversation-went-on', cell, event })
}

/** Unique in the conversation: some vendors give none, and some the same again. */
function nameCalls(calls: ModelAnswer['toolCalls'], log: readonly CellEvent[]): ConversationCall[] {
  const taken = new Set(log.filter(isSaid).flatMap((said) => (said.calls ?? []).map(({ id }) => id)))
  return (calls ?? []).map(({ id = '', name, arguments: given }) => {
    let own = id
    for (let number = taken.size + 1; own === '' || taken.has(own); number++) own = `call_${number}`
    taken.add(own)
    return { id: own, name, arguments: given }
  })
}

async function ask(talk: Talk, by: Speaker, messages: ModelRequest['messages']): Promise<void> {
  const { host, cell, conversation, log, watch, environment } = talk
  const { contestant } = host
  const { user } = conversation
  const isAgent = by === 'agent'
  const tools = isAgent ? environment.tools : environment.userTools
  const modelId = isAgent ? contestant.modelId : user!.modelId
  const request: ModelRequest = {
    modelId,
    messages,
    parameters: isAgent ? effectiveParameters(contestant.parameters) : user!.parameters,
    ...(tools.length > 0 && { tools }),
  }
  const isFirst = !log.some((event) => event.kind === 'asked')
  await requestAnswer(
    {
      cell,
      purpose: isAgent ? 'answer' : 'user',
      ...host.reach(request),
      watch: isAgent ? watch : undefined,
      turn: {
        isFirst,
        asked: () => ({ seq: log.length, by }),
        onAsked(attempt, at) {
          log.push({ seq: log.length, at, kind: 'asked', by, attempt })
        },
        async keep(attempt, end, answer) {
          const { response, reasoning, opaque, outcome, latencyMs, promptTokens, completionTokens } = answer
          const calls = nameCalls(answer.toolCalls, log)
          const said: CellEvent = {
            seq: log.length,
            at: end.endedAt,
            kind: 'said',
            by,
            attempt,
            text: response,
            ...(reasoning !== undefined && { reasoning }),
            ...(calls.length > 0 && { calls }),
            ...(opaque !== undefined && { opaque }),
            outcome,
            usage: {
              ms: Math.max(0, latencyMs),
              ...(promptTokens !== undefined && { promptTokens }),
              ...(completionTokens !== undefined && { completionTokens }),
              ...(end.cost !== undefined && { cost: end.cost }),
            },
          }
          await host.context.storage.saveTurn(attempt, end, cell, said)
          log.push(said)
          host.context.emit({ type: 'conversation-went-on', cell, event: said })
        },
      },
    },
    host.context,
  )
}

async function askUser(talk: Talk, messages: ModelRequest['messages']): Promise<void> {
  const { log, conversation } = talk
  const calls = log.filter(isSaid).flatMap(({ by, calls: made = [] }) => (by === 'user' ? made : []))
  if (calls.length > conversation.limits.toolCalls)
    throw new UserFailed('the simulated user called its tools too often')
  try {
    await ask(talk, 'user', messages)
  } catch (error) {
    if (!(error instanceof ClientError) || error.kind === 'cancelled') throw error
    throw new UserFailed(`the simulated user: ${error.message}`, { cause: error })
  }
  const said = log.findLast(isSaid)
  if (said?.text.trim() === '' && !said.calls) throw new UserFailed('the simulated user said nothing')
}

/** Written before the tool runs, and after. A call whose reply is not in the log is made again: it changed nothing yet. */
async function makeCall(talk: Talk, by: Speaker, { id, name, arguments: args }: ConversationCall): Promise<void> {
  const { log, environment } = talk
  if (!log.findLast((event) => event.kind === 'called' && event.id === id))
    await append(talk, {
      kind: 'called',
      by,
      id,
      name,
      arguments: typeof args === 'string' ? {} : args,
      ...(typeof args === 'string' && { argumentsText: args }),
    })
  const place = log.filter((event) => event.kind === 'called' && event.name === name && event.id !== id).length
  const startedAt = performance.now()
  const seed = seedOf(talk.conversation.caseId)
  const done = await environment.call({ id, by, name, arguments: args, world: talk.world, place, seed })
  const ms = performance.now() - startedAt
  const isError = 'error' in done
  const edits = done.world === undefined ? [] : findEdits(talk.world, done.world)
  if (edits.length > 0) {
    talk.world = applyEdits(talk.world, edits)
    talk.worldHash = hashWorld(talk.world)
  }
  const reply = isError ? `Error: ${done.error}` : done.reply
  await append(talk, { kind: 'replied', id, reply, isError, edits, worldHash: talk.worldHash, ms })
}

/** What was said and called before the conversation goes on: part of its log, but nothing that anybody paid for. */
async function begin(talk: Talk): Promise<void> {
  const { conversation, environment } = talk
  const { tools, userTools, policy, opening, session } = environment
  talk.world = environment.world
  talk.worldHash = hashWorld(talk.world)
  await append(talk, {
    kind: 'started',
    world: talk.world,
    worldHash: talk.worldHash,
    tools,
    ...(userTools.length > 0 && { userTools }),
    seed: seedOf(conversation.caseId),
    ...(policy !== undefined && { policy }),
    ...(opening !== undefined && { opening }),
    ...(session !== undefined && { session }),
  })
}

/** The steps of `before` that are not in the log yet: a process may have died among them. */
async function goBefore(talk: Talk): Promise<void> {
  const { conversation, log } = talk
  for (;;) {
    const said = log.filter(isSaid)
    const last = said.at(-1)
    const open = last?.calls?.find(({ id }) => !log.some((event) => event.kind === 'replied' && event.id === id))
    if (open) {
      await makeCall(talk, last!.by, open)
      continue
    }
    const step = conversation.before[said.length]
    if (!step) return
    if ('name' in step) {
      const by = conversation.tools.get(step.name)?.of ?? 'agent'
      const calls = nameCalls([{ name: step.name, arguments: step.arguments }], log)
      await append(talk, { kind: 'said', by, text: '', calls, outcome: 'ok' })
    } else if ('user' in step) await append(talk, { kind: 'said', by: 'user', text: step.user, outcome: 'ok' })
    else await append(talk, { kind: 'said', by: 'agent', text: step.agent, outcome: 'ok' })
  }
}

async function goOn(talk: Talk): Promise<ModelAnswer> {
  const { conversation, log, host, cell } = talk
  if (log.length === 0) await begin(talk)
  else {
    talk.world = readWorld(log)
    talk.worldHash = hashWorld(talk.world)
  }
  if (log.filter(isSaid).length <= conversation.before.length) await goBefore(talk)
  for (;;) {
    if (host.context.signal?.aborted) throw new ClientError('cancelled', 'cancelled during a conversation')
    const step = nextStep(log, conversation)
    if (step.do === 'ask' && step.by === 'agent') await ask(talk, 'agent', step.messages)
    else if (step.do === 'ask') await askUser(talk, step.messages)
    else if (step.do === 'say') await append(talk, { kind: 'said', by: step.by, text: step.text, outcome: 'ok' })
    else if (step.do === 'call') await makeCall(talk, step.by, step.call)
    else {
      const { grade } = talk.environment
      const verdict =
        grade && conversation.isGraded ? await grade(writeMessages(log, 'agent', conversation), step.reason) : undefined
      const ended: CellEvent = {
        seq: log.length,
        at: host.context.clock.now(),
        kind: 'ended',
        reason: step.reason,
        ...(verdict && { grade: verdict }),
      }
      const hasEnded = log.at(-1)?.kind === 'ended'
      if (!hasEnded) log.push(ended)
      const answer = summariseConversation(log)
      await host.context.storage.saveConversation(cell, answer, hasEnded ? undefined : ended)
      host.context.emit({ type: 'conversation-went-on', cell, event: ended })
      return answer
    }
  }
}

export interface HeldConversation {
  answer: ModelAnswer
  /** Why it has no score, although nothing was wrong with the agent. */
  failure?: { code: 'user-error' | 'environment-error'; message: string }
}

/**
 * Holds the conversation of a cell, from its beginning or from where its log ends. Every event is stored before the next
 * one; nothing is paid twice but a request that was in flight. Throws the `ClientError` of an agent that does not answer.
 */
export async function holdConversation(
  cell: CellKey,
  conversation: PlannedConversation,
  host: Host,
  watch?: RequestWatch,
): Promise<HeldConversation> {
  const { storage } = host.context
  const log = await storage.loadEvents(cell)
  let environment: Environment | undefined
  try {
    const opened = await host.openEnvironment(conversation, log)
    environment = opened
    const talk: Talk = {
      cell,
      conversation,
      host,
      watch,
      log,
      world: undefined,
      worldHash: '',
      environment: opened,
    }
    const answer = await goOn(talk)
    host.context.emit({ type: 'answer-stored', cell, answer, cost: answer.cost })
    return { answer }
  } catch (error) {
    if (!(error instanceof UserFailed) && !(error instanceof EnvironmentFailed)) throw error
    // It goes on from here when the run is resumed.
    const answer = summariseConversation(log)
    await storage.saveConversation(cell, answer)
    const code = error instanceof UserFailed ? 'user-error' : 'environment-error'
    return { answer, failure: { code, message: error.message } }
  } finally {
    await environment?.close(log.at(-1)?.kind === 'ended')
  }
}
