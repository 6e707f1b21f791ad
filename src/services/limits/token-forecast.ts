import type { ModelAnswer, ModelRequest } from '../../contract/index.ts'

/** Until an answer has come, it is assumed to be no longer than this. */
const FIRST_ANSWER_TOKENS = 512
const TOKENS_PER_CHARACTER = 0.25
const TOKENS_PER_IMAGE = 1000
/** How much the last answer counts. */
const WEIGHT = 0.1

function countCharacters({ messages, tools, embed }: ModelRequest): { characters: number; images: number } {
  let characters = tools ? JSON.stringify(tools).length : 0
  let images = 0
  for (const text of embed ?? []) characters += text.length
  for (const { content } of messages) {
    if (typeof content === 'string') characters += content.length
    else
      for (const part of content) {
        if (part.type === 'text') characters += part.text.length
        else images++
      }
  }
  return { characters, images }
}

export interface TokenForecast {
  /** What a request will probably use: prompt and answer. */
  expect(request: ModelRequest): number
  /** Returns what it used; undefined if the provider did not say. */
  learn(request: ModelRequest, answer: ModelAnswer): number | undefined
}

/**
 * Expects of a request what those before it used. Much quicker than counting, and good enough: what was wrong is
 * corrected when the answer is there.
 */
export function createTokenForecast(): TokenForecast {
  const answerTokens = new Map<string, number>()
  let perCharacter = TOKENS_PER_CHARACTER
  const follow = (before: number | undefined, seen: number) =>
    before === undefined ? seen : before + WEIGHT * (seen - before)

  return {
    expect(request) {
      const { characters, images } = countCharacters(request)
      const { maxTokens = Infinity } = request.parameters
      const answer = request.embed
        ? 0
        : Math.min(maxTokens, answerTokens.get(request.modelId) ?? Math.min(maxTokens, FIRST_ANSWER_TOKENS))
      return Math.ceil(characters * perCharacter + images * TOKENS_PER_IMAGE + answer)
    },
    learn(request, { promptTokens, completionTokens }) {
      if (promptTokens === undefined && completionTokens === undefined) return undefined
      const { modelId } = request
      if (completionTokens !== undefined) answerTokens.set(modelId, follow(answerTokens.get(modelId), completionTokens))
      const { characters, images } = countCharacters(request)
      if (promptTokens !== undefined && images === 0 && characters > 0)
        perCharacter = follow(perCharacter, promptTokens / characters)
      return (promptTokens ?? 0) + (completionTokens ?? 0)
    },
  }
}
