/** A vendor that is asked with a key of its own. */
export interface Vendor {
  /** Also the prefix of its models, `NAME/model`. */
  name: string
  label: string
  /** Environment variables that may hold its key; the first is the one to name. */
  variables: readonly [string, ...string[]]
  /** Scheme, host and port of its OpenAI-compatible API, if it has one: its key may go there by base URL. */
  origin?: string
}

/** Settings, `doctor` and the names that endpoints cannot have come from this list. */
export const vendors = [
  { name: 'openrouter', label: 'OpenRouter', variables: ['OPENROUTER_API_KEY'], origin: 'https://openrouter.ai' },
  { name: 'openai', label: 'OpenAI', variables: ['OPENAI_API_KEY'], origin: 'https://api.openai.com' },
  { name: 'anthropic', label: 'Anthropic', variables: ['ANTHROPIC_API_KEY'] },
  { name: 'google', label: 'Google', variables: ['GOOGLE_API_KEY', 'GEMINI_API_KEY'] },
] as const satisfies readonly Vendor[]

export type VendorName = (typeof vendors)[number]['name']
