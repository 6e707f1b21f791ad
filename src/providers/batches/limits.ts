/** The most requests in one batch, from the documentation of OpenAI's Batch API and Anthropic's Message Batches API. */
export const MAX_OPENAI_ENTRIES = 50_000
export const MAX_ANTHROPIC_ENTRIES = 100_000
