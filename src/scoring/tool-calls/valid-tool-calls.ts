import { z } from 'zod'
import { validateValue } from '../json-schema.ts'
import { defineScorer } from '../scorer.ts'

const toolSchema = z.object({
  function: z.object({
    name: z.string().min(1),
    parameters: z.record(z.string(), z.unknown()).default({}),
  }),
})

/** Arguments as an object; undefined if they are text that is not JSON. */
function readArguments(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? {}
  try {
    return value.trim() === '' ? {} : JSON.parse(value)
  } catch {
    return undefined
  }
}

/** For answers that must call the tools they were offered, with arguments that fit. */
export const validToolCalls = defineScorer({
  name: 'valid-tool-calls',
  summary: 'The model calls at least one of the tools, each call with arguments that match the tool’s parameters',
  expectedOutput: 'unused',
  options: z.object({
    tools: z.array(toolSchema).min(1).describe('The tools the model may call, as OpenAI function schemas'),
  }),
  score({ toolCalls = [] }, { tools }) {
    if (toolCalls.length === 0) return { score: 0, notes: 'no tool was called' }
    for (const { name, arguments: given } of toolCalls) {
      const tool = tools.find((offered) => offered.function.name === name)
      if (!tool) return { score: 0, notes: `${name} is not one of the tools` }
      const values = readArguments(given)
      const problem = values === undefined ? 'are not JSON' : validateValue(values, tool.function.parameters)
      if (problem !== undefined) return { score: 0, notes: `the arguments of ${name}: ${problem}` }
    }
    return { score: 1, notes: 'every call fits its tool' }
  },
  // A schema may contain slow patterns.
  isSlow: () => true,
})
