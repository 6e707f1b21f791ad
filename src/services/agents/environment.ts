import { createHash } from 'node:crypto'
import {
  ClientError,
  isJsonObject,
  messageOf,
  type CancelSignal,
  type CellEvent,
  type ExternalEnvironment,
  type OpenExternal,
  type RunToolCode,
  type Speaker,
  type SuiteTool,
  type ToolDefinition,
} from '../../contract/index.ts'
import { readWorld, writeReply } from './next-step.ts'
import { fillTemplate, ownOf } from './paths.ts'
import { validateValue, writeCanonical } from '../../scoring/index.ts'
import { runMock, type ToolResult } from './mock-tools.ts'
import { listTools, type PlannedConversation } from './planned-conversation.ts'

/** Nothing is the agent's fault here: the cell stays without a score. */
export class EnvironmentFailed extends Error {
  override name = 'EnvironmentFailed'
}

interface EnvironmentCall {
  id: string
  by: Speaker
  name: string
  arguments: unknown
  world: unknown
  /** How many calls of this tool were made before: its chance depends on it. */
  place: number
  seed: number
}

/** What tools a conversation has, and what they do to its world. */
export interface Environment {
  tools: ToolDefinition[]
  userTools: ToolDefinition[]
  /** The world at the start, with the setup of the case. */
  world: unknown
  policy?: string
  opening?: string
  /** Rejects with `EnvironmentFailed`; a tool that fails is a reply. */
  call(call: EnvironmentCall): Promise<ToolResult>
  /** By which a resume finds it again. */
  session?: string
  grade?: ExternalEnvironment['grade']
  /** `isOver`: nobody will go on in it. */
  close(isOver: boolean): Promise<void>
}

export const hashWorld = (world: unknown): string => createHash('sha256').update(writeCanonical(world)).digest('hex')

/** The same for every model and repeat: only the agent and its user differ. */
export const seedOf = (caseId: string): number => createHash('sha256').update(caseId).digest().readUInt32BE(0)

/** The clock of a world that does not say what time it is. */
const DEFAULT_NOW = Date.UTC(2026, 0, 1, 9)

function clockOf(world: unknown): number {
  const now = ownOf(world, 'now')
  const time =
    typeof now === 'string'
      ? Date.parse(/[zZ]|[+-]\d\d:?\d\d$/.test(now) || !now.includes('T') ? now : `${now}Z`)
      : Number.NaN
  return Number.isNaN(time) ? DEFAULT_NOW : time
}

/** Python refuses arguments that a function does not have, whatever their types; an optional one may be null. */
function checkLikePython(
  args: Record<string, unknown>,
  { parameters = {} }: SuiteTool,
  name: string,
): string | undefined {
  const { properties, required } = parameters
  const known = isJsonObject(properties) ? Object.keys(properties) : []
  const unknown = Object.keys(args).find((key) => !known.includes(key))
  if (unknown !== undefined) return `${name}() got an unexpected keyword argument '${unknown}'`
  const missing = Array.isArray(required)
    ? required.find((key) => typeof key === 'string' && !Object.hasOwn(args, key))
    : undefined
  return missing === undefined ? undefined : `${name}() missing 1 required positional argument: '${missing}'`
}

function withoutOptionalNull(args: Record<string, unknown>, { parameters = {} }: SuiteTool): Record<string, unknown> {
  const required: unknown[] = Array.isArray(parameters['required']) ? parameters['required'] : []
  return Object.fromEntries(Object.entries(args).filter(([key, value]) => value !== null || required.includes(key)))
}

function findArgumentProblem(
  args: Record<string, unknown>,
  tool: SuiteTool,
  name: string,
  as: PlannedConversation['as'],
): string | undefined {
  if (as === 'tau2') {
    const problem = checkLikePython(args, tool, name)
    if (problem !== undefined) return problem
  }
  if (tool.validate === false || !tool.parameters) return undefined
  const problem = validateValue(as === 'tau2' ? withoutOptionalNull(args, tool) : args, tool.parameters)
  return problem === undefined ? undefined : `invalid arguments: ${problem}`
}

/** What a run that is being stopped interrupts is no failure. */
function asFailure(error: unknown, signal: CancelSignal | undefined): Error {
  if (error instanceof EnvironmentFailed) return error
  if (signal?.aborted) return new ClientError('cancelled', 'cancelled during a conversation', { cause: error })
  return new EnvironmentFailed(`the environment: ${messageOf(error)}`, { cause: error })
}

/** What reaches the tools of a conversation. */
interface ToolAccess {
  runToolCode: RunToolCode | undefined
  external: OpenExternal | undefined
  signal?: CancelSignal | undefined
}

/** Tools outside of this program. A log that has begun goes on with the world that it has. */
async function openExternalEnvironment(
  conversation: PlannedConversation,
  { external, signal }: ToolAccess,
  log: readonly CellEvent[],
): Promise<Environment> {
  const { environment: wanted = {}, caseId, task = caseId, user } = conversation
  if (!external)
    throw new EnvironmentFailed('the tools of the suite lie outside of this program, and cannot be reached from here')
  const started = log.find((event) => event.kind === 'started')
  const world = log.length > 0 ? readWorld(log) : conversation.world
  try {
    const opened = await external.open(wanted, { task, world, session: started?.session, signal })
    const { tools, userTools, policy, opening, session, grade } = opened
    return {
      tools,
      userTools: user ? userTools : [],
      world: await opened.readWorld(),
      ...(policy !== undefined && { policy }),
      ...(opening !== undefined && { opening }),
      ...(session !== undefined && { session }),
      ...(grade && {
        grade: (messages, end) =>
          grade(messages, end).catch((error: unknown) => Promise.reject(asFailure(error, signal))),
      }),
      async call({ id, by, name, arguments: args }) {
        if (!isJsonObject(args)) return { error: 'the arguments are not a JSON object' }
        try {
          const { reply, isError } = await opened.call({ id, by, name, arguments: args })
          // Real tools may have changed something before they failed.
          const after = await opened.readWorld()
          return isError ? { error: writeReply(reply).replace(/^Error: /, ''), world: after } : { world: after, reply }
        } catch (error) {
          throw asFailure(error, signal)
        }
      },
      close: (isOver) => opened.close(isOver),
    }
  } catch (error) {
    throw asFailure(error, signal)
  }
}

/** The tools and the world of a conversation. */
export function openEnvironment(
  conversation: PlannedConversation,
  access: ToolAccess,
  log: readonly CellEvent[] = [],
): Promise<Environment> {
  const { mcp, http } = conversation.environment ?? {}
  return mcp || http !== undefined
    ? openExternalEnvironment(conversation, access, log)
    : openSuiteEnvironment(conversation, access.runToolCode)
}

/** The tools of the suite itself: rules, code in the isolate, and constant replies. */
export async function openSuiteEnvironment(
  conversation: PlannedConversation,
  runToolCode: RunToolCode | undefined,
): Promise<Environment> {
  const { tools, as } = conversation

  const run = async (
    tool: SuiteTool,
    { name, arguments: args, world, place, seed }: EnvironmentCall,
  ): Promise<ToolResult> => {
    if (tool.mock) return runMock(tool.mock, world, args)
    if (tool.code === undefined) return { world, reply: fillTemplate(tool.reply ?? null, { world, args }) }
    if (!runToolCode) throw new EnvironmentFailed('tools with code run only where there are threads')
    const ran = await runToolCode({
      code: tool.code,
      world,
      args,
      seed: seed + 0x9e3779b1 * place,
      now: clockOf(world),
    })
    if (!('error' in ran)) return ran
    if (ran.isFaulty) throw new EnvironmentFailed(`tool ${name}: ${ran.error}`)
    return { error: ran.error }
  }

  const environment: Environment = {
    tools: listTools(conversation, 'agent'),
    userTools: listTools(conversation, 'user'),
    world: conversation.world,
    async call(call) {
      const { name, by, arguments: args } = call
      const tool = tools.get(name)
      if (!tool || (tool.of ?? 'agent') !== by) return { error: `there is no tool ${name}` }
      if (!isJsonObject(args)) return { error: 'the arguments are not a JSON object' }
      const problem = findArgumentProblem(args, tool, name, as)
      return problem === undefined ? run(tool, call) : { error: problem }
    },
    close: async () => undefined,
  }
  return { ...environment, world: await replayCalls(conversation.setup, environment, conversation, true) }
}

/** The world after these calls on a fresh one. A call of a reference that fails changes nothing, as tau2-bench has it. */
export async function replayCalls(
  calls: readonly { name: string; arguments: unknown }[],
  environment: Environment,
  { tools, caseId }: PlannedConversation,
  isStrict = false,
): Promise<unknown> {
  let { world } = environment
  const made = new Map<string, number>()
  for (const [index, { name, arguments: args }] of calls.entries()) {
    const place = made.get(name) ?? 0
    made.set(name, place + 1)
    const by = tools.get(name)?.of ?? 'agent'
    const id = `replayed_${index}`
    const done = await environment.call({ id, by, name, arguments: args, world, place, seed: seedOf(caseId) })
    world = 'error' in done ? (done.world ?? world) : done.world
    if ('error' in done && isStrict)
      throw new EnvironmentFailed(`the setup of case ${caseId} fails: ${name}: ${done.error}`)
  }
  return world
}
