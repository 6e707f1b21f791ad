import { givenParametersSchema, isRecord, type ModelParameters } from '../../../contract/index.ts'
import { isFileReference, readDocument, readReference, readReferenced, runsCode } from '../config/referenced-files.ts'
import type { ImportContext } from '../import-warnings.ts'

/** What vendors and promptfoo call our parameters. */
const NAMES = new Map<string, string>([
  ['temperature', 'temperature'],
  ['top_p', 'topP'],
  ['topP', 'topP'],
  ['p', 'topP'],
  ['top_k', 'topK'],
  ['topK', 'topK'],
  ['max_tokens', 'maxTokens'],
  ['maxTokens', 'maxTokens'],
  ['max_output_tokens', 'maxTokens'],
  ['maxOutputTokens', 'maxTokens'],
  ['max_completion_tokens', 'maxTokens'],
  ['maxTokenCount', 'maxTokens'],
  ['max_new_tokens', 'maxTokens'],
  ['max_gen_len', 'maxTokens'],
  ['max_length', 'maxTokens'],
  ['num_predict', 'maxTokens'],
  ['frequency_penalty', 'frequencyPenalty'],
  ['frequencyPenalty', 'frequencyPenalty'],
  ['presence_penalty', 'presencePenalty'],
  ['presencePenalty', 'presencePenalty'],
  ['seed', 'seed'],
  ['random_seed', 'seed'],
  ['stop', 'stop'],
  ['stop_sequences', 'stop'],
  ['stopSequences', 'stop'],
  ['reasoning_effort', 'reasoningEffort'],
  ['reasoningEffort', 'reasoningEffort'],
  ['effort', 'reasoningEffort'],
  ['thinkingLevel', 'reasoningEffort'],
  ['budget_tokens', 'thinkingBudget'],
  ['thinkingBudget', 'thinkingBudget'],
  ['thinking_budget', 'thinkingBudget'],
  ['passthrough', 'extraBody'],
  ['extra_body', 'extraBody'],
])

/** Objects in which some vendors keep their parameters. */
const GROUPS = new Set([
  'generationConfig',
  'inferenceConfig',
  'interfaceConfig',
  'textGenerationConfig',
  'options',
  'thinkingConfig',
  'output_config',
  'outputConfig',
  'additionalModelRequestFields',
])

const ENDPOINTS = new Set(['apiBaseUrl', 'apiHost', 'baseUrl', 'base_url', 'baseURL'])
const TOOLS = new Set(['tools', 'functions'])
const FORMATS = new Set(['response_format', 'responseFormat', 'output_format', 'outputFormat', 'format'])
const FORMAT_SCHEMAS = new Set(['responseSchema', 'response_schema', 'responseJsonSchema'])
const MIME_TYPES = new Set(['responseMimeType', 'response_mime_type'])
const SYSTEM = new Set([
  'instructions',
  'system',
  'systemPrompt',
  'system_prompt',
  'systemInstruction',
  'system_instruction',
])
const TOOL_CONFIGS = new Set(['toolConfig', 'tool_config'])
const TOOL_CHOICES = new Set(['tool_choice', 'toolChoice', 'function_call'])

/** In either spelling of Gemini's API. */
function findCalling(value: Record<string, unknown>): Record<string, unknown> | undefined {
  const calling = value['functionCallingConfig'] ?? value['function_calling_config']
  return isRecord(calling) ? calling : undefined
}

/** Never taken over, whatever they contain: a suite is shared. */
const SECRETS = /key|token$|secret|password|credential|authorization|cookie/i

/** What a model answers does not depend on them, or the program chooses itself. */
const NEUTRAL = new Set([
  'apiKeyEnvar',
  'apiKeyRequired',
  'basePath',
  'cache_control',
  'cost',
  'delay',
  'inferenceModelType',
  'inputCost',
  'isReasoningModel',
  'keep_alive',
  'maxRetries',
  'metadata',
  'omitDefaults',
  'outputCost',
  'prompt_cache_retention',
  'safety_identifier',
  'service_tier',
  'showThinking',
  'store',
  'stream',
  'timeout',
  'timeoutMs',
  'useOpenApi',
  'user',
  'verbose',
  'includeThoughts',
])

/** Where and for whom a model is served: settings of this machine, not of a suite. */
const PLACES = new Set([
  'anthropic_version',
  'anthropicVersion',
  'apiVersion',
  'deploymentName',
  'endpoint',
  'location',
  'organization',
  'profile',
  'project',
  'projectId',
  'publisher',
  'region',
  'workspace',
])

/** Fields that OpenAI-compatible APIs read and promptfoo passes on as they are. */
const BODY_FIELDS = new Set([
  'chat_template_kwargs',
  'logit_bias',
  'logprobs',
  'min_p',
  'models',
  'parallel_tool_calls',
  'plugins',
  'prediction',
  'provider',
  'repetition_penalty',
  'return_images',
  'return_related_questions',
  'route',
  'safe_prompt',
  'search_after_date_filter',
  'search_before_date_filter',
  'search_domain_filter',
  'search_mode',
  'search_parameters',
  'search_recency_filter',
  'top_a',
  'top_logprobs',
  'transforms',
  'verbosity',
  'web_search_options',
])

function addToBody(read: ReadConfig, key: string, value: unknown): void {
  const body = { ...read.parameters.extraBody, [key]: value }
  if (!setParameter(read, 'extraBody', body)) read.unused.push(key)
}

function hasFunctions({ tools }: Record<string, unknown>): boolean {
  return Array.isArray(tools) && tools.some((tool) => isRecord(tool) && tool['type'] === 'function')
}

export interface ReadConfig {
  parameters: Partial<ModelParameters>
  systemPrompt?: string
  /** The address of the server that the config names. */
  endpoint?: string
  /** The deployment that a model is served by, if it has a name of its own. */
  deployment?: string
  /** As written: a list, or `file://…`. */
  tools?: unknown
  /** Fields that have no counterpart here. */
  unused: string[]
  /** Fields that may hold a key or another secret. */
  secrets: string[]
  /** Fields that belong to the settings of a machine. */
  places: string[]
}

const shapes = new Map(Object.entries(givenParametersSchema.shape))

/** Values that other vendors write, in the words of ours. */
const WORDS: Record<string, Readonly<Record<string, unknown>>> = { reasoningEffort: { xhigh: 'max' } }

/** Sets a parameter; false if there is none of that name, or its value does not fit. */
function setParameter(read: ReadConfig, name: string, value: unknown): boolean {
  const written = typeof value === 'string' ? value.toLowerCase() : undefined
  const words = new Map(Object.entries(WORDS[name] ?? {}))
  const own = name === 'reasoningEffort' ? (words.get(written ?? '') ?? written ?? value) : value
  const shape = shapes.get(name)
  const first = shape?.safeParse(own)
  // A number in quotes, or filled from the environment.
  const parsed =
    first?.success !== false || !/^-?[\d.]+$/.test(written ?? '') ? first : shape?.safeParse(Number(written))
  if (!parsed?.success || parsed.data === undefined) return false
  Object.assign(read.parameters, { [name]: parsed.data })
  return true
}

/** An address without the parts that may hold a key. */
function readEndpoint(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const url = URL.parse(value.includes('://') ? value : `https://${value}`)
  if (!url || !/^https?:$/.test(url.protocol) || !/^[\w.-]+$|^\[/.test(url.hostname)) return undefined
  url.username = url.password = url.search = url.hash = ''
  return url.href
}

/** Reads a value that a file may hold; undefined for code. */
async function readNamed(value: unknown, place: string, context: ImportContext): Promise<unknown> {
  if (!isFileReference(value)) return value
  const reference = readReference(value, context, place)
  if (runsCode(reference)) return undefined
  return /^\.(?:json|ya?ml)$/.test(reference.extension)
    ? (await readDocument(reference)).value
    : (await readReferenced(reference)).trim()
}

/** `text`, `json` or a schema, from what vendors call a response format. */
async function readFormat(value: unknown, place: string, context: ImportContext): Promise<unknown> {
  const named = await readNamed(value, place, context)
  if (typeof named === 'string')
    return /^json(?:_object)?$/.test(named) ? 'json' : named === 'text' ? 'text' : undefined
  if (!isRecord(named)) return undefined
  const { type } = named
  if (type === 'text') return 'text'
  if (type === 'json_object') return 'json'
  const holder = await readNamed(named['json_schema'] ?? named, place, context)
  const schema = isRecord(holder) ? await readNamed(holder['schema'], place, context) : undefined
  if (isRecord(schema)) return schema
  return type === 'json_schema' ? undefined : named
}

/** The text of a system prompt, also in Gemini's form. */
async function readSystem(value: unknown, place: string, context: ImportContext): Promise<string | undefined> {
  const named = await readNamed(value, place, context)
  if (typeof named === 'string') return named.trim() === '' ? undefined : named
  const parts: unknown[] = isRecord(named) ? [named['parts'] ?? []].flat() : Array.isArray(named) ? named : []
  const texts = parts.map((part) => (isRecord(part) ? part['text'] : part))
  return texts.length > 0 && texts.every((text) => typeof text === 'string') ? texts.join('\n') : undefined
}

function isAuto(value: unknown): boolean {
  return (
    (typeof value === 'string' && value.toLowerCase() === 'auto') ||
    (isRecord(value) && (value['type'] === 'auto' || 'auto' in value))
  )
}

function hasEffort(config: Record<string, unknown>): boolean {
  const more = config['additionalModelRequestFields']
  return 'effort' in config || 'output_config' in config || (isRecord(more) && hasEffort(more))
}

/** Sorts the `config` of a provider or prompt into what a suite can hold and what it cannot. */
export async function readProviderConfig(
  config: unknown,
  place: string,
  context: ImportContext,
  { prefix = '', body }: { prefix?: string; body?: 'openai' | 'anthropic' | 'google' | undefined } = {},
): Promise<ReadConfig> {
  const read: ReadConfig = { parameters: {}, unused: [], secrets: [], places: [] }
  if (!isRecord(config)) return read
  const merge = (inner: ReadConfig) => {
    Object.assign(read.parameters, inner.parameters)
    if (inner.systemPrompt !== undefined) read.systemPrompt = inner.systemPrompt
    if (inner.tools !== undefined) read.tools = inner.tools
    read.unused.push(...inner.unused)
    read.secrets.push(...inner.secrets)
    read.places.push(...inner.places)
  }
  const keep = (label: string, name: string, value: unknown) => {
    if (setParameter(read, name, value)) return
    const isShort = value === null || typeof value !== 'object'
    const isKnown = shapes.has(name)
    read.unused.push(isKnown && isShort ? `${label} ${JSON.stringify(value)}` : label)
  }
  for (const [key, value] of Object.entries(config)) {
    const label = `${prefix}${key}`
    const name = NAMES.get(key)
    if (value === undefined || value === null) continue
    if (name !== undefined) keep(label, name, value)
    else if (FORMATS.has(key)) {
      // Gemini and others name the schema beside the format.
      const isBeside = value === 'json_schema' && [...FORMAT_SCHEMAS].some((other) => other in config)
      if (!isBeside) keep(label, 'responseFormat', await readFormat(value, place, context))
    } else if (FORMAT_SCHEMAS.has(key)) keep(label, 'responseFormat', await readFormat(value, place, context))
    else if (MIME_TYPES.has(key)) {
      const isBeside = [...FORMAT_SCHEMAS].some((other) => other in config)
      if (!isBeside && value !== 'text/plain')
        keep(label, 'responseFormat', /json/.test(String(value)) ? 'json' : value)
    } else if (key === 'thinking' && isRecord(value)) {
      const { type, budget_tokens: budget } = value
      if (type === 'disabled') keep(label, 'thinkingBudget', 0)
      else if (budget !== undefined) keep(label, 'thinkingBudget', budget)
      // With an effort, adaptive thinking is what a model does anyway.
      else if (!hasEffort(config)) read.unused.push(`${label}.type`)
    } else if (key === 'reasoning' && isRecord(value)) {
      const { effort, max_tokens: budget } = value
      if (effort !== undefined) keep(`${label}.effort`, 'reasoningEffort', effort)
      if (budget !== undefined) keep(`${label}.max_tokens`, 'thinkingBudget', budget)
    } else if (key === 'text' && isRecord(value)) {
      const { format, verbosity, ...rest } = value
      // The API of responses has it here, chat completions beside the messages.
      if (verbosity !== undefined) addToBody(read, 'verbosity', verbosity)
      if (format !== undefined) keep(`${label}.format`, 'responseFormat', await readFormat(format, place, context))
      read.unused.push(...Object.keys(rest).map((inner) => `${label}.${inner}`))
    } else if (SYSTEM.has(key)) {
      const system = await readSystem(value, place, context)
      // A suite fills variables in prompts, not in system prompts.
      if (system === undefined || system.includes('{{')) read.unused.push(label)
      else read.systemPrompt = system
    } else if (TOOL_CONFIGS.has(key) && isRecord(value) && findCalling(value)) {
      // Gemini chooses by itself unless it is told otherwise.
      if (isAuto(findCalling(value)?.['mode'])) continue
      if (body === 'google') addToBody(read, key, value)
      else read.unused.push(label)
    } else if (key === 'toolConfig' && isRecord(value))
      merge(await readProviderConfig(value, place, context, { prefix: `${label}.` }))
    else if (GROUPS.has(key) && isRecord(value))
      merge(await readProviderConfig(value, place, context, { prefix: `${label}.` }))
    else if (ENDPOINTS.has(key)) {
      const endpoint = readEndpoint(value)
      if (typeof value === 'string' && value.includes('{{')) read.places.push(label)
      else if (endpoint === undefined) read.unused.push(label)
      else read.endpoint = endpoint
    } else if (TOOLS.has(key)) read.tools = value
    else if (TOOL_CHOICES.has(key)) {
      if (isAuto(value)) continue
      // Forced to call something, a model without functions fails.
      if ((body === 'openai' && hasFunctions(config)) || (body === 'anthropic' && config['tools']))
        addToBody(read, key, value)
      else read.unused.push(label)
    } else if (key === 'headers' && isRecord(value))
      read.secrets.push(...Object.keys(value).map((header) => `headers.${header}`))
    else if (PLACES.has(key)) {
      read.places.push(typeof value === 'string' ? `${label} ${value}` : label)
      if (key === 'deploymentName' && typeof value === 'string') read.deployment = value
    } else if (NEUTRAL.has(key)) continue
    else if (SECRETS.test(key)) read.secrets.push(label)
    else if (body === 'openai' && prefix === '' && BODY_FIELDS.has(key)) addToBody(read, key, value)
    else read.unused.push(label)
  }
  return read
}
