import {
  defaultLimits,
  isConversation,
  isJsonObject,
  messageOf,
  suiteToolsSchema,
  type BeforeStep,
  type ConversationLimits,
  type ModelRequest,
  type ScriptedTurn,
  type Suite,
  type SuiteCall,
  type SuiteEnvironment,
  type SuiteTool,
  type TestCase,
  type ToolDefinition,
} from '../../contract/index.ts'
import { mergeJson, validateValue } from '../../scoring/index.ts'
import { findMockProblems } from './mock-tools.ts'

/** A case with tools, a world and a user: what its suite and the case itself say, resolved once. */
export interface PlannedConversation {
  caseId: string
  systemPrompt: string | undefined
  opening: string | undefined
  limits: Required<Omit<ConversationLimits, 'cost'>> & { cost?: number | undefined }
  world: unknown
  tools: ReadonlyMap<string, SuiteTool>
  before: readonly BeforeStep[]
  setup: readonly SuiteCall[]
  /** What the user says first, if that is given. */
  prompt: string | undefined
  /** What the user says, turn by turn. */
  turns: readonly ScriptedTurn[] | undefined
  user: SimulatedUser | undefined
  reference: readonly SuiteCall[] | undefined
  endState: unknown
  environment: SuiteEnvironment | undefined
  /** Of the environment. */
  task: string | undefined
  as: 'tau2' | undefined
  /** The environment says itself how good the conversation was. */
  isGraded: boolean
}

/** A model that plays the user. */
interface SimulatedUser {
  modelId: string
  instructions: string
  parameters: ModelRequest['parameters']
  stopWords: readonly string[]
  tools: readonly string[]
}

/** For users of suites that name none; the caller of a library gives its client. */
export const UNNAMED_USER = 'user'

const DEFAULT_STOP_WORDS = ['###STOP###']

/** The tools of a case by themselves; null takes one of the suite away. */
const parseOwnTools = (own: unknown) =>
  suiteToolsSchema.safeParse(
    Object.fromEntries(isJsonObject(own) ? Object.entries(own).filter(([, tool]) => tool !== null) : []),
  )

/** The tools of the suite with those of the case. A tool has one way to reply: that of the case, if it has one. */
function mergeTools(shared: Suite['tools'], own: unknown): ReadonlyMap<string, SuiteTool> {
  const removed = isJsonObject(own) ? Object.entries(own).filter(([, tool]) => tool === null) : []
  const tools = new Map(Object.entries(shared ?? {}))
  for (const [name] of removed) tools.delete(name)
  const given = Object.entries(parseOwnTools(own).data ?? {})
  const merged = given.map(([name, tool]) => {
    const { mock, code, reply, ...rest } = tools.get(name) ?? {}
    const isWhole = [tool.mock, tool.code, tool.reply].some((way) => way !== undefined)
    return [name, mergeJson(isWhole ? rest : { ...rest, mock, code, reply }, tool)]
  })
  return new Map([...tools, ...Object.entries(suiteToolsSchema.parse(Object.fromEntries(merged)))])
}

/** Undefined if the case is a single request. */
export function planConversation(suite: Suite, testCase: TestCase): PlannedConversation | undefined {
  if (!isConversation(suite, testCase)) return undefined
  const agent = { ...suite.agent, ...testCase.agent }
  const user = { ...suite.user, ...testCase.user }
  const environment = suite.environment || testCase.environment ? mergeEnvironment(suite, testCase) : undefined
  const world = environment?.folder ?? mergeJson(suite.world, testCase.world) ?? {}
  const { instructions } = user
  return {
    caseId: testCase.id,
    systemPrompt: agent.systemPrompt ?? suite.systemPrompt,
    opening: agent.opening,
    limits: mergeLimits(suite.agent?.limits, testCase.agent?.limits),
    world: withoutNull(environment?.folder, world),
    tools: mergeTools(suite.tools, testCase['tools']),
    before: testCase.before ?? [],
    setup: testCase.setup ?? [],
    prompt: testCase.prompt,
    turns: testCase.turns,
    user:
      instructions === undefined
        ? undefined
        : {
            modelId: user.model ?? UNNAMED_USER,
            instructions,
            parameters: { temperature: 0, ...suite.user?.parameters, ...user.parameters },
            stopWords: user.stopWords ?? DEFAULT_STOP_WORDS,
            tools: user.tools ?? [],
          },
    reference: testCase.reference,
    endState: testCase.endState,
    environment,
    task: testCase.task,
    as: suite.as,
    isGraded: environment?.http !== undefined && !hasOwnChecks(testCase),
  }
}

function hasOwnChecks({ checks = [], scoringMethod, reference, endState, turns }: TestCase): boolean {
  return checks.length > 0 || [scoringMethod, reference, endState, turns].some((given) => given !== undefined)
}

function mergeLimits(shared: ConversationLimits = {}, own: ConversationLimits = {}): PlannedConversation['limits'] {
  return {
    turns: own.turns ?? shared.turns ?? defaultLimits.turns,
    toolCalls: own.toolCalls ?? shared.toolCalls ?? defaultLimits.toolCalls,
    toolErrors: own.toolErrors ?? shared.toolErrors ?? defaultLimits.toolErrors,
    seconds: own.seconds ?? shared.seconds ?? defaultLimits.seconds,
    cost: own.cost ?? shared.cost,
  }
}

function mergeEnvironment({ environment: shared }: Suite, { environment: own }: TestCase): SuiteEnvironment {
  return {
    ...shared,
    ...own,
    ...((shared?.folder || own?.folder) && { folder: { ...shared?.folder, ...own?.folder } }),
  }
}

/** A file that a case takes away is not there. */
function withoutNull(folder: SuiteEnvironment['folder'], world: unknown): unknown {
  if (!folder) return world
  return Object.fromEntries(Object.entries(folder).filter(([, text]) => text !== null))
}

const ANY_ARGUMENTS = { type: 'object', properties: {} }

function defineTool([name, { description, parameters = ANY_ARGUMENTS }]: readonly [string, SuiteTool]): ToolDefinition {
  return { name, ...(description !== undefined && { description }), parameters }
}

/** The tools of the suite that the agent is offered, or that the user is. */
export function listTools({ tools, user }: PlannedConversation, by: 'agent' | 'user'): ToolDefinition[] {
  return [...tools]
    .filter(([name, { of = 'agent' }]) => of === by && (by === 'agent' || (user?.tools.includes(name) ?? false)))
    .map(defineTool)
}

/** What is wrong with the tools and the calls of a case, one sentence each. */
export function findConversationProblems(conversation: PlannedConversation, testCase: TestCase): string[] {
  const { tools, user, reference = [], setup, before, environment } = conversation
  const own = parseOwnTools(testCase['tools'])
  const problems = own.error ? [`tools: ${own.error.issues[0]?.path.join('.')}: ${own.error.issues[0]?.message}`] : []
  for (const [name, { mock, code, reply, parameters }] of tools) {
    const ways = [mock, code, reply].filter((way) => way !== undefined)
    if (ways.length !== 1) problems.push(`tool ${name} needs one of mock, code and reply`)
    for (const problem of findMockProblems(mock ?? [])) problems.push(`tool ${name}: ${problem}`)
    const fault = parameters && findSchemaProblem(parameters)
    if (fault !== undefined) problems.push(`tool ${name}: parameters: ${fault}`)
  }
  const hasOthers = environment?.mcp !== undefined || environment?.http !== undefined
  if (environment?.mcp && environment.http !== undefined)
    problems.push('environment has mcp and http; leave out one of them')
  if (hasOthers && tools.size > 0)
    problems.push(`with environment, the agent has its tools only; leave out ${[...tools.keys()].join(', ')}`)
  if (hasOthers && setup.length > 0)
    problems.push('setup is for tools of the suite; an environment begins with its folder or its task')
  const calls = [...reference, ...setup, ...before.flatMap((step) => ('name' in step ? [step] : []))]
  for (const name of new Set(calls.map((call) => call.name)))
    if (!tools.has(name) && !hasOthers) problems.push(`it calls ${name}, and there is no tool of that name`)
  for (const name of user?.tools ?? [])
    if (tools.get(name)?.of !== 'user' && !hasOthers) problems.push(`the user has no tool ${name} (of: user)`)
  return problems.map((problem) => `test case ${testCase.id}: ${problem}`)
}

function findSchemaProblem(parameters: Record<string, unknown>): string | undefined {
  try {
    validateValue({}, parameters)
    return undefined
  } catch (error) {
    return messageOf(error).replace(/^json-schema: /, '')
  }
}
