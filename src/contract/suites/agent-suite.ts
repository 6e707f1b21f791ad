import { z } from 'zod'
import { isRecord } from '../values.ts'
import { givenParametersSchema } from '../runs/model-parameters.ts'
import { pageTestsSchema } from './page-tests.ts'

/** What a suite says of agents: a case with tools, a world and a user. A case may override any of it. */

const text = z.string()
/** Any JSON. */
const json = z.unknown()

/** The defaults end every conversation that goes in circles; a run of many cases still ends in a night. */
export const defaultLimits = { turns: 50, toolCalls: 100, toolErrors: 10, seconds: 600 } as const

const limitsSchema = z.object({
  turns: z.int().min(1).optional().describe(`Answers of the agent; default ${defaultLimits.turns}`),
  toolCalls: z.int().min(0).optional().describe(`Calls of its tools; default ${defaultLimits.toolCalls}`),
  toolErrors: z.int().min(1).optional().describe(`Calls that fail; default ${defaultLimits.toolErrors}`),
  seconds: z.number().positive().optional().describe(`Time for answers and tools; default ${defaultLimits.seconds}`),
  cost: z.number().positive().optional().describe('US dollars for its answers; default none'),
})

const agentSchema = z.object({
  systemPrompt: text.optional().describe('What the agent is told first; by default the systemPrompt of the suite'),
  opening: text.optional().describe('What the agent says before the user speaks; it is not a request'),
  limits: limitsSchema.optional().describe('The first one reached ends the conversation, with the outcome limit'),
})

/** `{ create_task: { title: A } }`, or `{ name: create_task, arguments: { title: A } }`. */
function readCall(given: unknown): unknown {
  if (!isRecord(given)) return given
  const entries = Object.entries(given)
  const isNamed = typeof given['name'] === 'string' && entries.every(([key]) => key === 'name' || key === 'arguments')
  if (isNamed || entries.length !== 1) return given
  return { name: entries[0]![0], arguments: entries[0]![1] ?? {} }
}

const plainCallSchema = z.object({
  name: text.min(1).describe('Of the tool'),
  arguments: z.record(text, json).default({}).describe('What it is called with'),
})
const callSchema = z.preprocess(readCall, plainCallSchema)

/** Something that was said or called before the conversation goes on. */
const beforeSchema = z.preprocess(
  (given) => {
    if (!isRecord(given)) return given
    const isSaid =
      Object.keys(given).length === 1 && (typeof given['user'] === 'string' || typeof given['agent'] === 'string')
    return isSaid ? given : readCall(given)
  },
  z.union([
    z.strictObject({ user: text.describe('What the user said') }),
    z.strictObject({ agent: text.describe('What the agent said') }),
    plainCallSchema,
  ]),
)

const editSchema = z.union([
  z.strictObject({ set: text, to: json }),
  z.strictObject({ add: text, by: json }).describe('Adds to a number'),
  z.strictObject({ append: text, value: json }).describe('Adds to the end of a list'),
  z.strictObject({ remove: text }).describe('Removes a field, or an item of a list'),
])

const ruleSchema = z.strictObject({
  when: z
    .record(text, json)
    .optional()
    .describe(
      'Arguments or paths, each with a value or { in, notIn, is, not, atLeast, atMost, exists }; all must hold',
    ),
  edits: z.array(editSchema).optional().describe('What changes in the world, in order'),
  reply: json.optional().describe('{{ path }} is looked up in world and args'),
  error: text.optional().describe('The call fails with this message, and changes nothing'),
})

const toolSchema = z.object({
  description: text.optional().describe('What the model reads about it'),
  parameters: z.record(text, json).optional().describe('JSON Schema of the arguments'),
  changes: z.boolean().optional().describe('True if the tool changes the world'),
  of: z.enum(['agent', 'user']).optional().describe('Whose tool it is; default agent'),
  validate: z.boolean().optional().describe('False: arguments are not checked against parameters'),
  mock: z.array(ruleSchema).min(1).optional().describe('The first rule that matches replies'),
  code: text.min(1).optional().describe('The body of a JavaScript function of world and args, which returns the reply'),
  reply: json.optional().describe('The same reply always'),
})

const userSchema = z.object({
  model: text.min(1).optional().describe('The model that plays the user'),
  instructions: text.optional().describe('Who the user is and what it wants'),
  parameters: givenParametersSchema.optional().describe('Its own; by default temperature 0'),
  stopWords: z.array(text.min(1)).optional().describe('A message of the user with one of them ends the conversation'),
  tools: z.array(text).optional().describe('The tools it may use, of those that are of: user; default none'),
})

const serverSchema = z.object({
  command: text.min(1).optional().describe('Started for each cell in a folder of its own; needs --allow-commands'),
  args: z.array(text).optional().describe('{{ folder }} is that folder'),
  url: text.optional().describe('Of a server that speaks streamable HTTP'),
  tools: z.array(text).optional().describe('The tools that the agent gets; default all'),
  changes: z.array(text).optional().describe('Those of them that change something'),
})

const environmentSchema = z.object({
  mcp: z.record(text, serverSchema).optional().describe('MCP servers whose tools the agent gets'),
  folder: z.record(text, text.nullable()).optional().describe('Files at the start, by path; the folder is the world'),
  http: text.optional().describe('The address of an environment that keeps the world itself'),
})

const turnSchema = z.object({
  user: text.describe('What the user says'),
  expectedCalls: z
    .array(
      plainCallSchema.extend({
        ignoreArgs: z.array(text).optional().describe('Arguments that do not count'),
        compareArgs: z.array(text).optional().describe('The only arguments that count'),
      }),
    )
    .optional()
    .describe('The calls that the agent should make in this turn'),
  said: z.array(text).optional().describe('What the agent should say in this turn'),
  pageTests: pageTestsSchema.optional().describe('What the page must do after this turn (page-tests)'),
})

export const agentSuiteFields = {
  agent: agentSchema.optional().describe('The agent that the models play'),
  world: json.optional().describe('What tools read and change: any JSON'),
  environment: environmentSchema.optional().describe('Real tools instead of those of the suite'),
  user: userSchema.optional().describe('A model that plays the user'),
  as: z.literal('tau2').optional().describe('Scores as tau2-bench does: the product of all checks, 0 after a limit'),
}

/** Of a suite; in a case, a list is what it always was: the functions of a single request. */
export const suiteToolsSchema = z.record(text, toolSchema)

export const agentCaseFields = {
  agent: agentSuiteFields.agent,
  world: agentSuiteFields.world,
  environment: agentSuiteFields.environment,
  user: agentSuiteFields.user,
  turns: z.array(turnSchema).min(1).optional().describe('What the user says, turn by turn, instead of a model'),
  before: z.array(beforeSchema).optional().describe('What was said and called before: { user }, { agent } or a call'),
  setup: z.array(callSchema).optional().describe('Calls that make the world, before the conversation'),
  reference: z.array(callSchema).optional().describe('The calls of a right solution, replayed on a fresh world'),
  endState: json.optional().describe('A part of the world as it should be at the end; null: not there'),
  task: text.optional().describe('The name of the task, for an environment'),
}

export type SuiteTool = z.output<typeof toolSchema>
export type MockRule = z.output<typeof ruleSchema>
export type WorldEdit = z.output<typeof editSchema>
export type SuiteCall = z.output<typeof plainCallSchema>
export type BeforeStep = z.output<typeof beforeSchema>
export type ScriptedTurn = z.output<typeof turnSchema>
export type SuiteEnvironment = z.output<typeof environmentSchema>
export type ConversationLimits = z.output<typeof limitsSchema>

const fields = ['agent', 'world', 'environment', 'user', 'turns', 'before', 'setup', 'reference', 'endState'] as const

/** True if the case is a conversation with tools, a world or a user, and not a single request. */
export function isConversation(suite: object, testCase: object): boolean {
  const own = new Map(Object.entries(testCase))
  if (Array.isArray(own.get('tools'))) return false
  const shared = new Map(Object.entries(suite))
  const names: readonly string[] = fields
  return (
    isRecord(own.get('tools') ?? shared.get('tools')) ||
    names.some((name) => (own.get(name) ?? shared.get(name)) !== undefined)
  )
}
