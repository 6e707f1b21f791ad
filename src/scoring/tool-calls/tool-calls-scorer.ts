import { z } from 'zod'
import { ScoringError, type ScoringResult } from '../../contract/index.ts'
import { readExpected } from '../agents/expected-calls.ts'
import { defineScorer } from '../scorer.ts'
import { creditSchema, type Credit } from './credit.ts'
import { scoreCalls } from './score-tool-calls.ts'
import { gradeCalls } from './trajectories/grade-calls.ts'
import { findGradeSetting, gradeSettings, type GradeSetting } from './trajectories/grade-settings.ts'

const callSchema = z.object({
  name: z.string().min(1),
  arguments: z.record(z.string(), z.unknown()).default({}),
  ignoreArgs: z.array(z.string()).optional(),
  compareArgs: z.array(z.string()).optional(),
})

/** Pairs of calls, and of values inside them: comparing more could block the thread for tens of milliseconds. */
const MAX_PAIRS = 20_000
const MAX_COMPARISONS = 200_000

/** Arguments may still be JSON text; this is the assumed length of a value in it. */
const CHARACTERS_PER_VALUE = 8

/** Counts nested values: each may be compared with every value on the other side. */
function countValues(root: unknown): number {
  let count = 0
  const open: unknown[] = [root]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) open.push(inner ?? '')
    else count += typeof value === 'string' ? 1 + Math.floor(value.length / CHARACTERS_PER_VALUE) : 1
  }
  return count
}

const toolSchema = z.looseObject({
  type: z.literal('function').default('function'),
  function: z.looseObject({ name: z.string().min(1) }),
})

/** For a test case that offers `tools` and lists the calls it expects. */
export const toolCalls = defineScorer({
  name: 'tool-calls',
  summary: 'Compares the model’s tool calls with the expected ones: 40 % for the tool, 60 % for its arguments',
  expectedOutput: 'unused',
  options: z.object({
    tools: z.array(toolSchema).optional().describe('The tools the model may call, as OpenAI function schemas'),
    expectedCalls: z
      .array(callSchema)
      .optional()
      .describe('The calls the model should make; an empty list if it should make none'),
    // Not `default`, which JSON Schema leaves out for a schema that transforms its input.
    credit: creditSchema
      .prefault('calls')
      .describe('calls: best match for each expected call, extra calls free; effects: one to one, extra calls cost'),
    effectfulTools: z
      .array(z.string())
      .optional()
      .describe('For effects: the tools that change something (default: judged by their names)'),
    match: z
      .string()
      .optional()
      .describe(`A grade with a name of its own: ${Object.keys(gradeSettings).join(', ')}`),
    order: z.enum(['any', 'same']).optional().describe('same: the expected calls in this order'),
    extra: z
      .enum(['free', 'cost', 'f1', 'forbid'])
      .optional()
      .describe('What calls that were not expected cost: nothing, as many expected ones, or everything'),
    forbid: z.array(z.string()).optional().describe('Tools that must not be called: then the score is 0'),
    maxCalls: z.int().min(0).optional().describe('More calls than this lower the score'),
  }),
  validate(_expectedOutput, { tools, expectedCalls, forbid, maxCalls, match, order, extra }) {
    if (!expectedCalls && !forbid && maxCalls === undefined)
      throw new ScoringError('invalid-options', 'tool-calls needs expectedCalls, forbid or maxCalls')
    if (match !== undefined && !findGradeSetting(match))
      throw new ScoringError(
        'invalid-options',
        `match is ${JSON.stringify(match)}; it must be one of ${Object.keys(gradeSettings).join(', ')}`,
      )
    if (match !== undefined && (order !== undefined || extra !== undefined))
      throw new ScoringError('invalid-options', 'match says how calls are compared; leave out order and extra')
    const offered = tools?.map((tool) => tool.function.name)
    const unknown = offered && expectedCalls?.find(({ name }) => !offered.includes(name))
    if (unknown)
      throw new ScoringError(
        'invalid-options',
        `expectedCalls has ${unknown.name}, which is not one of the tools (${offered.join(', ')})`,
      )
  },
  score: ({ toolCalls: given = [], conversation }, options) => {
    const made = conversation?.calls ?? given.map((call) => ({ ...call, by: 'agent' as const, isError: false }))
    return scoreMadeCalls(made, options, conversation?.changing)
  },
  isSlow: ({ toolCalls: made = [] }, { expectedCalls = [] }) =>
    expectedCalls.length * made.length > MAX_PAIRS || countValues(expectedCalls) * countValues(made) > MAX_COMPARISONS,
})

type MadeCall = Parameters<typeof readExpected>[1][number]

interface Options {
  expectedCalls?: z.output<typeof callSchema>[] | undefined
  credit: Credit
  effectfulTools?: string[] | undefined
  match?: string | undefined
  order?: 'any' | 'same' | undefined
  extra?: 'free' | 'cost' | 'f1' | 'forbid' | undefined
  forbid?: string[] | undefined
  maxCalls?: number | undefined
}

function scoreMadeCalls(made: readonly MadeCall[], options: Options, changing?: readonly string[]): ScoringResult {
  const { expectedCalls, forbid = [], maxCalls = Infinity } = options
  const own = made.filter(({ by }) => by === 'agent')
  const forbidden = own.find(({ name }) => forbid.includes(name))
  if (forbidden) return { score: 0, notes: `${forbidden.name} was called, which is forbidden` }
  const graded = expectedCalls ? gradeExpected(made, { ...options, expectedCalls }, changing) : { score: 1 }
  if (own.length <= maxCalls) return { notes: `${own.length} calls`, ...graded }
  return {
    ...graded,
    score: (graded.score * maxCalls) / own.length,
    notes: `${own.length} calls, more than ${maxCalls}`,
  }
}

/** As the options say: by a named grade, by the two switches, or by the credit of single requests. */
function gradeExpected(
  made: readonly MadeCall[],
  {
    expectedCalls,
    match,
    order,
    extra,
    credit,
    effectfulTools,
  }: Options & { expectedCalls: z.output<typeof callSchema>[] },
  changing: readonly string[] | undefined,
): ScoringResult {
  // tau2-bench looks for each action among the calls of the agent and of the user.
  const { calls, actual } = readExpected(
    expectedCalls,
    match === 'tau2' ? made : made.filter(({ by }) => by === 'agent'),
  )
  const tools = effectfulTools ?? changing
  if (match === undefined && order === undefined && extra === undefined)
    return scoreCalls(calls, actual, { credit, ...(tools && { effectfulTools: tools }) })
  const setting: GradeSetting = findGradeSetting(match ?? credit)?.setting ?? gradeSettings.calls
  const { score, matches } = gradeCalls(
    calls,
    actual,
    match === undefined
      ? {
          ...setting,
          ...(order && { align: order === 'same' ? ('in-order' as const) : ('one-to-one' as const) }),
          ...(extra && { extra }),
        }
      : setting,
    tools && { effectfulTools: tools },
  )
  const missing = matches.filter((one) => one.score < 1).map(({ expectedIndex }) => calls[expectedIndex]!.name)
  return {
    score,
    notes: missing.length === 0 ? 'every expected call was made' : `not as expected: ${missing.join(', ')}`,
  }
}
