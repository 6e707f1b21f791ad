import gateways from './gateways.json' with { type: 'json' }

/** How promptfoo's vendors are called here. */
const VENDORS: Record<string, string> = {
  openai: 'openai',
  anthropic: 'anthropic',
  google: 'google',
  vertex: 'google',
  palm: 'google',
  bedrock: 'bedrock',
  azure: 'azure',
  azureopenai: 'azure',
  mistral: 'mistral',
  groq: 'groq',
  deepseek: 'deepseek',
  xai: 'xai',
  togetherai: 'together',
  fireworks: 'fireworks',
  cohere: 'cohere',
  perplexity: 'perplexity',
  ollama: 'ollama',
}

/** `openai:chat:gpt-4o`: how the vendor is asked, not which model. */
const WAYS = new Set([
  'chat',
  'completion',
  'completions',
  'messages',
  'responses',
  'chat-completion',
  'converse',
  'text-generation',
  'foundation-model',
])

const NOT_TEXT = new Set([
  'embedding',
  'embeddings',
  'feature-extraction',
  'sentence-similarity',
  'text-classification',
  'token-classification',
  'image',
  'audio',
  'video',
  'realtime',
  'live',
  'moderation',
  'transcription',
  'speech',
  'tts',
  'voice',
  'assistant',
  'agents',
  'foundry-agent',
  'knowledge-base',
  'kb',
  'nova-sonic',
  'nova-reel',
  'luma-ray',
  'chatkit',
  'codex-sdk',
  'codex-security',
  'codex-app-server',
  'claude-agent-sdk',
  'claude-code',
  'mcp',
])

const NOT_TEXT_MODELS = /nova-(?:2-)?(?:\d-)?sonic|nova-(?:canvas|reel)|titan-(?:embed|image)|stability\.|luma\./

/** What a provider is here. */
export type ProviderKind =
  | { model: string; gateway?: { name: string; baseUrl: string } }
  /** Why it is not run here, to follow "is". */
  | { notRun: string }

const CODE = /^(?:exec|python|golang|ruby|docker|package|webhook):|^file:\/\/|\.(?:[cm]?[jt]s|py|rb|go|sh)(?::\w+)?$/

const NAMED_KINDS: [pattern: RegExp, kind: string][] = [
  [/^echo$/, 'no model: it repeats the prompt'],
  [/^https?(?::|$)/, 'an HTTP endpoint of its own format'],
  [/^wss?(?::|$)|^websocket$/, 'a WebSocket'],
  [/^(?:browser|mcp|a2a|n8n|slack|sequence|opencode|openclaw|openinterpreter)(?::|$)/, 'an application, not a model'],
  [/^promptfoo:/, 'a part of promptfoo'],
  [/^bedrock-agent(?:core)?:|^sagemaker:/, 'an application, not a model'],
]

/** Anthropic's models on Vertex AI have their date after `@`. */
function nameVertexModel(model: string): string {
  if (!model.startsWith('claude')) return `google/${model}`
  return `anthropic/${model.replace(/(?:-v\d+)?@(?=\d)/, '-').replace(/@\w+$/, '')}`
}

/** Tells what `openai:chat:gpt-4.1` is here. */
export function readProviderId(id: string): ProviderKind {
  if (CODE.test(id)) return { notRun: 'code, which is not run here' }
  const kind = NAMED_KINDS.find(([pattern]) => pattern.test(id))?.[1]
  if (kind !== undefined) return { notRun: kind }
  const [vendor = '', ...rest] = id.split(':')
  // A gateway that names the vendor behind it: `adaline:openai:chat:gpt-5`.
  if (vendor === 'adaline') return readProviderId(rest.join(':'))
  if (rest[0] !== undefined && NOT_TEXT.has(rest[0])) return { notRun: `of a kind (${rest[0]}) that is not asked here` }
  const model = (WAYS.has(rest[0] ?? '') ? rest.slice(1) : rest).join(':')
  if (model === '' || /\{\{|\$\{/.test(model)) return { notRun: 'not a model known here' }
  if (NOT_TEXT_MODELS.test(model)) return { notRun: 'a model that does not answer with text' }
  if (vendor === 'openrouter') return { model }
  if (vendor === 'vertex') return { model: nameVertexModel(model) }
  if (Object.hasOwn(VENDORS, vendor)) return { model: `${VENDORS[vendor]}/${model}` }
  const baseUrl = new Map(Object.entries(gateways)).get(vendor)
  if (baseUrl !== undefined) return { model: `${vendor}/${model}`, gateway: { name: vendor, baseUrl } }
  return { notRun: 'not a model known here' }
}

const NO_BODIES = new Set(['bedrock', 'cohere', 'ollama', 'adaline'])

/** Whose API asks the model: requests may have more of its fields. Undefined if promptfoo writes them in words of its own. */
export function bodyOf(id: string): 'openai' | 'anthropic' | 'google' | undefined {
  const [vendor = '', way] = id.split(':')
  const kind = readProviderId(id)
  if (!('model' in kind) || NO_BODIES.has(vendor) || way === 'responses') return undefined
  if (/^(?:anthropic|google|vertex|palm)$/.test(vendor))
    return kind.model.startsWith('anthropic/') ? 'anthropic' : 'google'
  return 'openai'
}

/** `openai:chat:gpt-4.1` → `openai/gpt-4.1`; `undefined` if it is not a model we can call. */
export function mapProvider(id: string): string | undefined {
  const kind = readProviderId(id)
  return 'model' in kind ? kind.model : undefined
}

/** The name of a model at its own server: `openai:chat:org/model` → `org/model`. */
export function bareModel(id: string): string {
  const rest = id.split(':').slice(1)
  return (WAYS.has(rest[0] ?? '') ? rest.slice(1) : rest).join(':')
}

/** The vendors whose embedding models are known here, by their names where the model list comes from. */
const EMBEDDING_VENDORS = new Map([
  ['openai', 'openai'],
  ['google', 'google'],
  ['vertex', 'google'],
  ['palm', 'google'],
  ['mistral', 'mistralai'],
  ['cohere', 'cohere'],
  ['ollama', 'ollama'],
  ['azure', 'azure'],
  ['azureopenai', 'azure'],
])

/** Providers that embed: `openai:embedding:…`, `ollama:embeddings:…`, `huggingface:sentence-similarity:…`. */
export function isEmbeddingProvider(id: string): boolean {
  return (
    /^(?:embeddings?|sentence-similarity|feature-extraction)$/.test(id.split(':')[1] ?? '') || id.startsWith('voyage:')
  )
}

/** `openai:embedding:text-embedding-3-small` → `openai/text-embedding-3-small`; undefined if it is not known here. */
export function mapEmbedder(id: string): string | undefined {
  const [vendor = '', kind = '', ...rest] = id.split(':')
  const model = rest.join(':')
  if (!/^embeddings?$/.test(kind) || model === '') return undefined
  if (vendor === 'openrouter') return model
  const name = EMBEDDING_VENDORS.get(vendor)
  return name === undefined ? undefined : `${name}/${model}`
}
