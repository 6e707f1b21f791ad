import { z } from 'zod'
import { ScoringError } from '../../contract/index.ts'
import { defineScorer } from '../scorer.ts'
import { scoreToolCalls } from './score-tool-calls.ts'

const callSchema = z.object({
  name: z.string().min(1),
  arguments: z.record(z.string(), z.unknown()).default({}),
})

/** Of calls, and of values inside them: more could hold the thread for tens of milliseconds. */
const MOST_PAIRS = 20_000
const MOST_COMPARISONS = 200_000

/** Arguments may still be JSON text, in which a value takes some characters. */
const CHARACTERS_A_VALUE = 8

/** Values inside values: each may be compared with each of the other side. */
function countValues(root: unknown): number {
  let count = 0
  const open: unknown[] = [root]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) open.push(inner ?? '')
    else count += typeof value === 'string' ? 1 + Math.floor(value.length / CHARACTERS_A_VALUE) : 1
  }
  return count
}

const toolSchema = z.looseObject({
  type: z.literal('function').default('function'),
  function: z.looseObject({ name: z.string().min(1) }),
})

/** The scoring method of a test case that offers `tools` and lists the calls it expects. */
export const toolCalls = defineScorer({
  name: 'tool-calls',
  summary: 'The tool calls the model made against those expected: 40 % the tool, 60 % its arguments',
  expectedOutput: 'unused',
  options: z.object({
    tools: z.array(toolSchema).optional().describe('What the model may call: OpenAI function schemas'),
    expectedCalls: z.array(callSchema).describe('The calls it should make; empty: it should make none'),
    credit: z
      .enum(['seed', 'effects'])
      .default('seed')
      .describe('seed: best match for each expected call, extra calls free; effects: one to one, extra calls cost'),
    effectfulTools: z
      .array(z.string())
      .optional()
      .describe('For effects: the tools that change something; default by the verb in their names'),
  }),
  validate(_expectedOutput, { tools, expectedCalls }) {
    const offered = tools?.map((tool) => tool.function.name)
    const unknown = offered && expectedCalls.find(({ name }) => !offered.includes(name))
    if (unknown)
      throw new ScoringError(
        'invalid-options',
        `expectedCalls names ${unknown.name}, which is not among the tools (${offered.join(', ')})`,
      )
  },
  score: ({ toolCalls: made = [] }, { expectedCalls, credit, effectfulTools }) =>
    scoreToolCalls(expectedCalls, made, { credit, ...(effectfulTools && { effectfulTools }) }),
  isSlow: ({ toolCalls: made = [] }, { expectedCalls }) =>
    expectedCalls.length * made.length > MOST_PAIRS ||
    countValues(expectedCalls) * countValues(made) > MOST_COMPARISONS,
})
