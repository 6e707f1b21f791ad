import { defaultParameters, type ModelRequest } from '../contract/index.ts'

/** Claude models that think within a budget, which Anthropic and Bedrock count besides the answer. */
const WITH_BUDGET = /claude-(?:3|(?:opus|sonnet|haiku)-4(?!-[6-9]))/

/** The budget that the AI SDK makes of a reasoning effort: a share of the longest answer of these models. */
const LONGEST_ANSWER = 64_000
const SHARES = { none: 0, minimal: 0.02, low: 0.1, medium: 0.3, high: 0.6, max: 0.9 } as const

/** The most tokens that an answer may take, with the thoughts before it. */
export function countAnswerTokens({ modelId, parameters }: Pick<ModelRequest, 'modelId' | 'parameters'>): number {
  const { maxTokens = defaultParameters.maxTokens, thinkingBudget, reasoningEffort = 'none' } = parameters
  if (thinkingBudget !== undefined) return maxTokens + thinkingBudget
  return maxTokens + (WITH_BUDGET.test(modelId) ? Math.round(SHARES[reasoningEffort] * LONGEST_ANSWER) : 0)
}
