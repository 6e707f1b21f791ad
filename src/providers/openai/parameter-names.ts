/** The parameters that a model may not support: our names, with the names on the wire. */
export const WIRE_NAMES = {
  temperature: 'temperature',
  topP: 'top_p',
  maxTokens: 'max_tokens',
  frequencyPenalty: 'frequency_penalty',
  presencePenalty: 'presence_penalty',
  seed: 'seed',
  topK: 'top_k',
  stop: 'stop',
  reasoningEffort: 'reasoning_effort',
  thinkingBudget: 'thinking_budget',
  responseFormat: 'response_format',
  responseSchema: 'response_format',
} as const

export type OptionalParameter = keyof typeof WIRE_NAMES

export const OPTIONAL_PARAMETERS: readonly OptionalParameter[] = [
  'temperature',
  'topP',
  'maxTokens',
  'frequencyPenalty',
  'presencePenalty',
  'seed',
  'topK',
  'stop',
  'reasoningEffort',
  'thinkingBudget',
  'responseFormat',
  'responseSchema',
]
