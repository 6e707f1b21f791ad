import { givenParametersSchema, type ModelParameters, isRecord } from '../../../contract/index.ts'

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

export interface ReadConfig {
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
export function readProviderConfig(config: unknown, prefix = ''): ReadConfig {
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
