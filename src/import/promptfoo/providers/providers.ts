import { isRecord, type ModelParameters } from '../../../contract/index.ts'
import type { LocatedDocument } from '../../text/located-json.ts'
import { isFileReference, readDocument, readReference, runsCode } from '../config/referenced-files.ts'
import type { ImportContext } from '../import-warnings.ts'
import { describeHttpEndpoint } from './http-endpoint.ts'
import { readProviderConfig } from './provider-config.ts'
import { bareModel, bodyOf, readProviderId } from './provider-ids.ts'

interface NamedProvider {
  id: string
  place: string
  label?: string
  options: Record<string, unknown>
}

/** A model of a config with how it is asked. */
export interface ImportedProvider {
  /** As the config names it. */
  id: string
  /** Its label or id, for messages. */
  name: string
  place: string
  /** Its name here; undefined if it is not a model we can call. */
  model: string | undefined
  label?: string
  parameters: Partial<ModelParameters>
  systemPrompt?: string
  /** The prompts that it gets, by label or file; undefined for all. */
  prompts?: string[]
  tools?: unknown
  /** False if a part of its config has no counterpart here. */
  isWhole: boolean
  /** All that the config says of it, to tell it from others that look the same here. */
  written: unknown
}

export interface ReadProviders {
  providers: ImportedProvider[]
  suggestedModels: string[]
  /** Of an OpenAI-compatible server, if the config names exactly one. */
  suggestedEndpoint?: string
}

function listProvider(value: unknown, place: string): NamedProvider[] {
  if (!isRecord(value)) return [{ id: typeof value === 'string' ? value : JSON.stringify(value), place, options: {} }]
  const withLabel = (label: unknown) => (typeof label === 'string' ? { label } : {})
  // Older examples name the model beside an id of their own.
  const model = [value['provider'], value['model']].find((name) => typeof name === 'string' && name.includes(':'))
  const { provider: _provider, model: _model, ...options } = value
  if (typeof model === 'string') return [{ id: model, place, options, ...withLabel(value['label'] ?? value['id']) }]
  if (typeof value['id'] === 'string') return [{ id: value['id'], place, options: value, ...withLabel(value['label']) }]
  // The other way to write it: { 'openai:gpt-4o': { id: 'its label', config: … } }
  return Object.entries(value).map(([id, inner]) => {
    const own = isRecord(inner) ? inner : {}
    return { id, place, options: own, ...withLabel(own['label'] ?? own['id']) }
  })
}

/** Reads a provider or, from `file://providers.yaml`, those of a file. */
async function readNamedProviders(value: unknown, place: string, context: ImportContext): Promise<NamedProvider[]> {
  const [only] = listProvider(value, place)
  if (!only || !isFileReference(only.id)) return listProvider(value, place)
  const reference = readReference(only.id, context, place)
  if (runsCode(reference) || !/^\.(?:json|ya?ml)$/.test(reference.extension)) return [only]
  const { value: content, locate } = await readDocument(reference)
  const list: unknown[] = [
    isRecord(content) && Array.isArray(content['providers']) ? content['providers'] : content,
  ].flat()
  const isList = Array.isArray(content)
  return list.flatMap((one, index) =>
    listProvider(one, locate(isList ? [index] : [])).map((named) => ({
      ...named,
      // What the config says beside the file's name wins.
      options: { ...named.options, ...only.options },
    })),
  )
}

const KEPT = new Set(['id', 'label', 'config', 'prompts', 'delay', 'env', 'metadata', 'description'])

/** Vendors' own addresses say nothing that their names do not. */
const OWN_ADDRESSES =
  /^https:\/\/(?:api\.openai\.com|api\.anthropic\.com|generativelanguage\.googleapis\.com|openrouter\.ai|api\.deepseek\.com|api\.groq\.com|api\.mistral\.ai|api\.x\.ai)\b/

interface ReadProvider {
  endpoint: string | undefined
  provider: ImportedProvider
}

/** Tools that OpenAI runs itself, such as web_search_preview: only its API of responses has them, which is not asked here. */
function listRunTools(id: string, config: unknown): string[] {
  if (!/^(?:openai|azure):responses:/.test(id) || !isRecord(config) || !Array.isArray(config['tools'])) return []
  return config['tools'].flatMap((tool: unknown) => {
    const type = isRecord(tool) ? tool['type'] : undefined
    return typeof type === 'string' && !['function', 'custom'].includes(type) ? [type] : []
  })
}

async function toProvider({ id, place, label, options }: NamedProvider, context: ImportContext): Promise<ReadProvider> {
  const { warnings } = context
  const name = `provider ${JSON.stringify(label ?? id)}`
  const kind = readProviderId(id)
  const read = await readProviderConfig(options['config'], place, context, { body: bodyOf(id) })
  const { parameters, tools, unused, secrets, places, systemPrompt, deployment } = read
  const isAzure = /^azure(?:openai)?:/.test(id)
  // Azure's address is one of its settings, and is not OpenAI's.
  const endpoint = isAzure || OWN_ADDRESSES.test(read.endpoint ?? '') ? undefined : read.endpoint
  const prompts = [options['prompts'] ?? []].flat().filter((prompt) => typeof prompt === 'string')
  // promptfoo itself reads no other fields here.
  const ignored = Object.keys(options).filter((key) => !KEPT.has(key) && key !== 'transform')
  const lost = [...(options['transform'] === undefined ? [] : ['transform']), ...unused]
  const run = listRunTools(id, options['config'])
  const model =
    'model' in kind && run.length === 0
      ? isAzure && deployment !== undefined
        ? `azure/${deployment}`
        : kind.model
      : undefined
  const asked = describeHttpEndpoint(id, options['config'])
  if (asked !== undefined)
    warnings.note(place, `${name} is an HTTP endpoint of its own format: save it as ${asked}; then run NAME/default`)
  else if (run.length > 0)
    warnings.note(
      place,
      `${name} has tools that OpenAI runs itself (${run.join(', ')}), in an API that is not asked here: choose the models to run with --models`,
    )
  else if ('notRun' in kind) warnings.note(place, `${name} is ${kind.notRun}: choose the models to run with --models`)
  else if (kind.gateway && endpoint === undefined)
    warnings.note(
      place,
      `${name} is at ${kind.gateway.baseUrl}: save it as an endpoint named ${kind.gateway.name} in the settings, or choose other models with --models`,
    )
  // What an application is told is no parameter of a model.
  if (lost.length > 0 && model !== undefined)
    warnings.add(place, `${lost.join(', ')} of ${name} not used: there is no such parameter here`)
  if (ignored.length > 0)
    warnings.note(place, `${ignored.join(', ')} of ${name} not used, as in promptfoo: parameters stand under config`)
  if (secrets.length > 0)
    warnings.note(
      place,
      `${secrets.join(', ')} of ${name} not taken over: keys and headers come from the environment or the settings`,
    )
  if (places.length > 0 && model !== undefined)
    warnings.note(
      place,
      `${places.join(', ')} of ${name}: where a model is served comes from the environment or the settings`,
    )
  if (isAzure && read.endpoint !== undefined)
    warnings.note(place, `${name} is at ${read.endpoint}: name it in the settings of Azure`)
  if (endpoint !== undefined)
    warnings.note(place, `${name} is at ${endpoint}: run the suite with --base-url ${endpoint}`)
  return {
    endpoint,
    provider: {
      id,
      name,
      place,
      model,
      parameters,
      isWhole: lost.length + secrets.length + places.length === 0 && endpoint === undefined,
      written: options['config'],
      ...(label !== undefined && { label }),
      ...(systemPrompt !== undefined && { systemPrompt }),
      ...(prompts.length > 0 && { prompts }),
      ...(tools !== undefined && run.length === 0 && { tools }),
    },
  }
}

/** Reads the models that a config uses, under their names here. They are suggestions: a suite does not name models. */
export async function readProviders(
  config: Record<string, unknown>,
  { locate }: LocatedDocument,
  context: ImportContext,
): Promise<ReadProviders> {
  const entries = ['providers', 'targets'].flatMap((field) => {
    const value = config[field]
    if (Array.isArray(value)) return value.map((item: unknown, index) => ({ item, place: locate([field, index]) }))
    return value === undefined || value === null ? [] : [{ item: value, place: locate([field]) }]
  })
  const listed = (
    await Promise.all(entries.map(async ({ item, place }) => readNamedProviders(item, place, context)))
  ).flat()
  const read = await Promise.all(listed.map(async (named) => toProvider(named, context)))
  const endpoints = new Set(read.map(({ endpoint }) => endpoint))
  const [endpoint] = endpoints
  const isOnlyEndpoint = endpoints.size === 1 && endpoint !== undefined
  // Such a server knows its models by their bare names.
  if (isOnlyEndpoint)
    for (const { provider } of read) if (provider.model !== undefined) provider.model = bareModel(provider.id)
  const models = read.flatMap(({ provider: { model } }) => model ?? [])
  return {
    providers: read.map(({ provider }) => provider),
    suggestedModels: [...new Set(models)],
    ...(isOnlyEndpoint && { suggestedEndpoint: endpoint }),
  }
}
