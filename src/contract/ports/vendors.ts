/** A vendor that is asked with a key of its own. */
export interface Vendor {
  /** Also the prefix of its models, `NAME/model`. */
  name: string
  label: string
  /** Environment variables that may hold its key; the first is the one to name. */
  variables: readonly [string, ...string[]]
  /** Environment variables that say where it is or who asks. They are read only from the environment, never from `.env`. */
  settings?: readonly string[]
  /** Scheme, host and port of its OpenAI-compatible API, if it has one: its key may go there by base URL. */
  origin?: string
  /** OpenRouter uses the prefix too: with a key for OpenRouter, these models are asked there. */
  isOnOpenRouter?: boolean
  /** Endpoints of older versions may have its name; they come first. */
  isFreeForEndpoints?: boolean
}

/** Settings, `doctor` and the names that endpoints cannot have come from this list. */
export const vendors = [
  {
    name: 'openrouter',
    label: 'OpenRouter',
    variables: ['OPENROUTER_API_KEY'],
    settings: ['OPENROUTER_BASE_URL'],
    origin: 'https://openrouter.ai',
  },
  {
    name: 'openai',
    label: 'OpenAI',
    variables: ['OPENAI_API_KEY'],
    origin: 'https://api.openai.com',
    isOnOpenRouter: true,
  },
  { name: 'anthropic', label: 'Anthropic', variables: ['ANTHROPIC_API_KEY'], isOnOpenRouter: true },
  { name: 'google', label: 'Google', variables: ['GOOGLE_API_KEY', 'GEMINI_API_KEY'], isOnOpenRouter: true },
  {
    name: 'azure',
    label: 'Azure OpenAI',
    variables: ['AZURE_OPENAI_API_KEY', 'AZURE_API_KEY'],
    settings: ['AZURE_OPENAI_ENDPOINT', 'AZURE_RESOURCE_NAME'],
    isFreeForEndpoints: true,
  },
  {
    name: 'bedrock',
    label: 'Amazon Bedrock',
    variables: ['AWS_BEARER_TOKEN_BEDROCK', 'AWS_SECRET_ACCESS_KEY'],
    settings: [
      'AWS_ACCESS_KEY_ID',
      'AWS_SESSION_TOKEN',
      'AWS_REGION',
      'AWS_DEFAULT_REGION',
      'AWS_ENDPOINT_URL_BEDROCK_RUNTIME',
    ],
    isFreeForEndpoints: true,
  },
  {
    name: 'mistral',
    label: 'Mistral',
    variables: ['MISTRAL_API_KEY'],
    settings: ['MISTRAL_BASE_URL'],
    origin: 'https://api.mistral.ai',
    isFreeForEndpoints: true,
  },
  {
    name: 'groq',
    label: 'Groq',
    variables: ['GROQ_API_KEY'],
    settings: ['GROQ_BASE_URL'],
    origin: 'https://api.groq.com',
    isFreeForEndpoints: true,
  },
  {
    name: 'deepseek',
    label: 'DeepSeek',
    variables: ['DEEPSEEK_API_KEY'],
    settings: ['DEEPSEEK_BASE_URL'],
    origin: 'https://api.deepseek.com',
    isOnOpenRouter: true,
    isFreeForEndpoints: true,
  },
  {
    name: 'xai',
    label: 'xAI',
    variables: ['XAI_API_KEY'],
    settings: ['XAI_BASE_URL'],
    origin: 'https://api.x.ai',
    isFreeForEndpoints: true,
  },
  {
    name: 'together',
    label: 'Together AI',
    variables: ['TOGETHER_API_KEY', 'TOGETHER_AI_API_KEY'],
    settings: ['TOGETHER_BASE_URL'],
    origin: 'https://api.together.xyz',
    isFreeForEndpoints: true,
  },
  {
    name: 'fireworks',
    label: 'Fireworks AI',
    variables: ['FIREWORKS_API_KEY'],
    settings: ['FIREWORKS_BASE_URL'],
    origin: 'https://api.fireworks.ai',
    isFreeForEndpoints: true,
  },
] as const satisfies readonly Vendor[]

export type VendorName = (typeof vendors)[number]['name']
