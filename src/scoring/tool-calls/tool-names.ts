import { z } from 'zod'
import { defineScorer } from '../scorer.ts'

/** For answers of which only the called functions matter, not their arguments. */
export const toolNames = defineScorer({
  name: 'tool-names',
  summary: 'Compares the names of the called tools with the expected ones: the F1 score, ignoring order and repeats',
  expectedOutput: 'unused',
  options: z.object({
    expectedTools: z.array(z.string().min(1)).min(1).describe('The tools that should be called'),
    tools: z.array(z.unknown()).optional().describe('The tools the model may call, as OpenAI function schemas'),
  }),
  score({ toolCalls = [] }, { expectedTools }) {
    const expected = new Set(expectedTools)
    const called = new Set(toolCalls.map(({ name }) => name))
    const both = [...called].filter((name) => expected.has(name)).length
    const score = (2 * both) / (expected.size + called.size)
    return { score, notes: `${both} of ${expected.size} expected tools called, ${called.size - both} others` }
  },
})
