/** Parts of the tokens that vendors price or show apart. Each is contained in the count that it names. */
export interface TokenDetails {
  /** Prompt tokens that the vendor read from its prompt cache. */
  cachedPrompt?: number
  /** Prompt tokens that the vendor wrote to its prompt cache for five minutes. */
  cacheWrite?: number
  /** Prompt tokens that the vendor wrote to its prompt cache for an hour. */
  cacheWriteHour?: number
  /** Completion tokens that the model spent thinking. */
  reasoning?: number
}
