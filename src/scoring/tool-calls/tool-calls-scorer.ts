import { z } from 'zod'
import { ScoringError } from '../../contract/index.ts'
import { defineScorer } from '../scorer.ts'
import { creditSchema } from './credit.ts'
import { scoreToolCalls } from './score-tool-calls.ts'

const callSchema = z.object({
  name: z.string().min(1),
  arguments: z.record(z.string(), z.unknown()).default({}),
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
      .describe('The calls the model should make; an empty list if it should make none'),
    // Not `default`, which JSON Schema leaves out for a schema that transforms its input.
    credit: creditSchema
      .prefault('calls')
      .describe('calls: best match for each expected call, extra calls free; effects: one to one, extra calls cost'),
    effectfulTools: z
      .array(z.string())
      .optional()
      .describe('For effects: the tools that change something (default: judged by their names)'),
  }),
  validate(_expectedOutput, { tools, expectedCalls }) {
    const offered = tools?.map((tool) => tool.function.name)
    const unknown = offered && expectedCalls.find(({ name }) => !offered.includes(name))
    if (unknown)
      throw new ScoringError(
        'invalid-options',
        `expectedCalls has ${unknown.name}, which is not one of the tools (${offered.join(', ')})`,
      )
  },
  score: ({ toolCalls: made = [] }, { expectedCalls, credit, effectfulTools }) =>
    scoreToolCalls(expectedCalls, made, { credit, ...(effectfulTools && { effectfulTools }) }),
  isSlow: ({ toolCalls: made = [] }, { expectedCalls }) =>
    expectedCalls.length * made.length > MAX_PAIRS || countValues(expectedCalls) * countValues(made) > MAX_COMPARISONS,
})
