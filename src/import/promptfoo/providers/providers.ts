import { type ModelParameters, isRecord, givenParametersSchema } from '../../../contract/index.ts'
import type { LocatedDocument } from '../../text/located-json.ts'
import type { ImportWarnings } from '../import-warnings.ts'

type Parameters = Partial<ModelParameters>

/** What vendors and promptfoo call our parameters. */
const NAMES = new Map<string, keyof Parameters>([
  ['temperature', 'temperature'],
  ['top_p', 'topP'],
  ['topP', 'topP'],
  ['max_tokens', 'maxTokens'],
  ['maxTokens', 'maxTokens'],
  ['max_output_tokens', 'maxTokens'],
  ['maxOutputTokens', 'maxTokens'],
  ['max_completion_tokens', 'maxTokens'],
  ['max_new_tokens', 'maxTokens'],
  ['max_length', 'maxTokens'],
  ['num_predict', 'maxTokens'],
  ['frequency_penalty', 'frequencyPenalty'],
  ['frequencyPenalty', 'frequencyPenalty'],
  ['presence_penalty', 'presencePenalty'],
  ['presencePenalty', 'presencePenalty'],
])

/** Objects in which some vendors keep their parameters. */
const GROUPS = new Set(['generationConfig', 'inferenceConfig', 'options'])

const ENDPOINTS = new Set(['apiBaseUrl', 'apiHost', 'baseUrl', 'base_url', 'baseURL'])
const TOOLS = new Set(['tools', 'functions'])

/** Never taken over, whatever they contain: a suite is shared. */
const SECRETS = /key|token$|secret|password|credential|authorization|cookie/i

/** Of no effect here: the program chooses, or asks without them. */
const NEUTRAL = new Set(['showThinking', 'stream', 'basePath', 'tool_choice', 'function_call'])

interface ReadConfig {
  parameters: Parameters
  /** The address of the server that the config names. */
  endpoint?: string
  /** As written: a list, or `file://…`. */
  tools?: unknown
  /** Fields that have no counterpart here. */
  unused: string[]
  /** Fields that may hold a key or another secret. */
  secrets: string[]
}

/** An address without the parts that may hold a key. */
function readEndpoint(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const url = URL.parse(value.includes('://') ? value : `https://${value}`)
  if (!url || !/^https?:$/.test(url.protocol) || !/^[\w.-]+$|^\[/.test(url.hostname)) return undefined
  url.username = url.password = url.search = url.hash = ''
  return url.href
}

/** Sorts the `config` of a provider into what a suite can hold and what it cannot. */
function readProviderConfig(config: unknown, prefix = ''): ReadConfig {
  const read: ReadConfig = { parameters: {}, unused: [], secrets: [] }
  if (!isRecord(config)) return read
  for (const [key, value] of Object.entries(config)) {
    const name = NAMES.get(key)
    const label = `${prefix}${key}`
    if (name !== undefined) {
      const parsed = givenParametersSchema.shape[name].safeParse(value)
      if (parsed.success) Object.assign(read.parameters, { [name]: parsed.data })
      else read.unused.push(`${label} ${JSON.stringify(value)}`)
    } else if (GROUPS.has(key) && isRecord(value)) {
      const inner = readProviderConfig(value, `${label}.`)
      Object.assign(read.parameters, inner.parameters)
      read.unused.push(...inner.unused)
      read.secrets.push(...inner.secrets)
    } else if (ENDPOINTS.has(key)) {
      const endpoint = readEndpoint(value)
      if (endpoint === undefined) read.unused.push(label)
      else read.endpoint = endpoint
    } else if (TOOLS.has(key)) read.tools = value
    else if (key === 'headers' && isRecord(value))
      read.secrets.push(...Object.keys(value).map((header) => `headers.${header}`))
    else if (SECRETS.test(key)) read.secrets.push(label)
    else if (!NEUTRAL.has(key)) read.unused.push(label)
  }
  return read
}

/** How promptfoo's vendors are called where the model list comes from. */
const VENDORS: Record<string, string> = {
  openai: 'openai',
  anthropic: 'anthropic',
  google: 'google',
  vertex: 'google',
  palm: 'google',
  mistral: 'mistralai',
  deepseek: 'deepseek',
  xai: 'x-ai',
  cohere: 'cohere',
  perplexity: 'perplexity',
}

/** `openai:chat:gpt-4o`: how the vendor is asked, not which model. */
const WAYS = new Set(['chat', 'completion', 'completions', 'messages', 'responses', 'chat-completion'])
const NOT_TEXT = new Set([
  'embedding',
  'embeddings',
  'image',
  'audio',
  'video',
  'realtime',
  'moderation',
  'transcription',
  'speech',
  'assistant',
  'agents',
])

/** `openai:chat:gpt-4.1` → `openai/gpt-4.1`; `undefined` if it is not a model we can call. */
export function mapProvider(id: string): string | undefined {
  const [vendor = '', ...rest] = id.split(':')
  if (rest[0] !== undefined && NOT_TEXT.has(rest[0])) return undefined
  const model = (WAYS.has(rest[0] ?? '') ? rest.slice(1) : rest).join(':')
  if (model === '') return undefined
  if (vendor === 'openrouter' || vendor === 'ollama') return model
  return Object.hasOwn(VENDORS, vendor) ? `${VENDORS[vendor]}/${model}` : undefined
}

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
  if (vendor === 'ollama') return `ollama/${model}`
  if (vendor === 'openrouter') return model
  return Object.hasOwn(VENDORS, vendor) ? `${VENDORS[vendor]}/${model}` : undefined
}

interface NamedProvider {
  id: string
  place: string
  label?: string
  options: Record<string, unknown>
}

/** A model of a config with how it is asked. */
export interface ImportedProvider {
  /** As written, for messages. */
  name: string
  place: string
  /** Its name here; undefined if it is not a model we can call. */
  model: string | undefined
  label?: string
  parameters: Partial<ModelParameters>
  /** The prompts that it gets, by label or file; undefined for all. */
  prompts?: string[]
  tools?: unknown
}

export interface ReadProviders {
  providers: ImportedProvider[]
  suggestedModels: string[]
  /** Of an OpenAI-compatible server, if the config names exactly one. */
  suggestedEndpoint?: string
}

function readProvider(value: unknown, place: string): NamedProvider[] {
  if (!isRecord(value)) return [{ id: typeof value === 'string' ? value : JSON.stringify(value), place, options: {} }]
  const withLabel = (label: unknown) => (typeof label === 'string' ? { label } : {})
  if (typeof value['id'] === 'string') return [{ id: value['id'], place, options: value, ...withLabel(value['label']) }]
  // The other way to write it: { 'openai:gpt-4o': { id: 'its label', config: … } }
  return Object.entries(value).map(([id, inner]) => {
    const options = isRecord(inner) ? inner : {}
    return { id, place, options, ...withLabel(options['label'] ?? options['id']) }
  })
}

const KEPT = new Set(['id', 'label', 'config', 'prompts', 'delay'])

function toProvider({ id, place, label, options }: NamedProvider, warnings: ImportWarnings) {
  const name = `provider ${JSON.stringify(label ?? id)}`
  const model = mapProvider(id)
  const { parameters, endpoint, tools, unused, secrets } = readProviderConfig(options['config'])
  const prompts = [options['prompts'] ?? []].flat().filter((prompt) => typeof prompt === 'string')
  const lost = [...Object.keys(options).filter((key) => !KEPT.has(key)), ...unused]
  if (model === undefined)
    warnings.add(
      place,
      `${name} is not a model known here, so it is not suggested; choose models when you run the suite`,
    )
  if (lost.length > 0) warnings.add(place, `${lost.join(', ')} of ${name} not used: there is no such parameter here`)
  if (secrets.length > 0)
    warnings.add(
      place,
      `${secrets.join(', ')} of ${name} not taken over: keys and headers come from the environment or the settings`,
    )
  if (endpoint !== undefined)
    warnings.add(place, `${name} is at ${endpoint}: run the suite with --base-url ${endpoint}`)
  return {
    endpoint,
    provider: {
      name,
      place,
      model,
      parameters,
      ...(label !== undefined && { label }),
      ...(prompts.length > 0 && { prompts }),
      ...(tools !== undefined && { tools }),
    },
  }
}

/** Reads the models that a config uses, under their names here. They are suggestions: a suite does not name models. */
export function readProviders(
  config: Record<string, unknown>,
  { locate }: LocatedDocument,
  warnings: ImportWarnings,
): ReadProviders {
  const listed = ['providers', 'targets'].flatMap((field) => {
    const value = config[field]
    if (Array.isArray(value)) return value.flatMap((item: unknown, index) => readProvider(item, locate([field, index])))
    return value === undefined ? [] : readProvider(value, locate([field]))
  })
  const read = listed.map((named) => toProvider(named, warnings))
  const models = read.flatMap(({ provider: { model } }) => model ?? [])
  const endpoints = new Set(read.map(({ endpoint }) => endpoint))
  const [endpoint] = endpoints
  return {
    providers: read.map(({ provider }) => provider),
    suggestedModels: [...new Set(models)],
    ...(endpoints.size === 1 && endpoint !== undefined && { suggestedEndpoint: endpoint }),
  }
}
