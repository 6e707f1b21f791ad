import type { LocatedDocument } from '../text/located-json.ts'
import type { ImportWarnings } from './import-warnings.ts'

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

interface NamedProvider {
  id: string
  place: string
  unused: string[]
}

const KEPT = new Set(['id', 'label'])

function readProvider(value: unknown, place: string): NamedProvider[] {
  if (typeof value === 'string') return [{ id: value, place, unused: [] }]
  if (typeof value !== 'object' || value === null) return [{ id: JSON.stringify(value), place, unused: [] }]
  const unusedOf = (options: unknown) => Object.keys(Object(options)).filter((key) => !KEPT.has(key))
  if ('id' in value && typeof value.id === 'string') return [{ id: value.id, place, unused: unusedOf(value) }]
  // The other way to write it: { 'openai:gpt-4o': { config: … } }
  return Object.entries(value).map(([id, options]) => ({ id, place, unused: unusedOf(options) }))
}

/** Lists the models that a config uses, under their names here. They are suggestions: a suite does not name models. */
export function readProviders(
  config: Record<string, unknown>,
  { locate }: LocatedDocument,
  warnings: ImportWarnings,
): string[] {
  const models = new Set<string>()
  const listed = ['providers', 'targets'].flatMap((field) => {
    const value = config[field]
    if (Array.isArray(value)) return value.flatMap((item: unknown, index) => readProvider(item, locate([field, index])))
    return value === undefined ? [] : readProvider(value, locate([field]))
  })
  for (const { id, place, unused } of listed) {
    const name = `provider ${JSON.stringify(id)}`
    const model = mapProvider(id)
    if (model !== undefined) models.add(model)
    else
      warnings.add(
        place,
        `${name} is not a model known here, so it is not suggested; choose models when you run the suite`,
      )
    if (unused.length > 0)
      warnings.add(place, `${unused.join(', ')} of ${name} not used: parameters are given when the suite is run`)
  }
  return [...models]
}
