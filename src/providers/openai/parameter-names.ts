/** Our names of what a model may not take, with the names on the wire. */
export const WIRE_NAMES = {
  temperature: 'temperature',
  topP: 'top_p',
  maxTokens: 'max_tokens',
  frequencyPenalty: 'frequency_penalty',
  presencePenalty: 'presence_penalty',
  responseSchema: 'response_format',
} as const

export type LeavableName = keyof typeof WIRE_NAMES

export const LEAVABLE_NAMES: readonly LeavableName[] = [
  'temperature',
  'topP',
  'maxTokens',
  'frequencyPenalty',
  'presencePenalty',
  'responseSchema',
]
