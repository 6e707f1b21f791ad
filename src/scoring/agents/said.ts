import { z } from 'zod'
import { defineScorer } from '../scorer.ts'
import { findOutputs } from '../tool-calls/credit/said-outputs.ts'
import { readConversation } from './end-state.ts'

/** As tau2-bench: case and the commas of what was said do not matter. */
function findLiterally(texts: readonly string[], said: readonly string[]): boolean[] {
  const messages = said.map((text) => text.toLowerCase().replaceAll(',', ''))
  return texts.map((text) => messages.some((message) => message.includes(text.toLowerCase())))
}

export const said = defineScorer({
  name: 'said',
  summary: 'Checks what the agent told the user: numbers and dates by value, other text as whole words',
  expectedOutput: 'unused',
  options: z.object({
    texts: z.array(z.coerce.string()).min(1).describe('What the agent must say, each in one of its messages'),
  }),
  score({ conversation }, { texts }) {
    const { said: messages, as } = readConversation(conversation, 'said')
    const heard = messages.map(({ text }) => text)
    const found = as === 'tau2' ? findLiterally(texts, heard) : findOutputs(texts, heard)
    const unsaid = texts.filter((_, index) => !found[index])
    const share = (texts.length - unsaid.length) / texts.length
    return {
      score: as === 'tau2' && unsaid.length > 0 ? 0 : share,
      notes: unsaid.length === 0 ? 'everything was said' : `not said: ${unsaid.join('; ')}`,
    }
  },
})
