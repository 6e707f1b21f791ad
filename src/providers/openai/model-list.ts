import { type ModelInfo, isRecord } from '../../contract/index.ts'
import { amountOf, get, textOf } from '../http/json-values.ts'

function firstAmount(...values: unknown[]): number | undefined {
  return values.map(amountOf).find((amount) => amount !== undefined && amount > 0)
}

/** Reads `text+image->text` or a list of input types. */
function takesImages(model: unknown): boolean | undefined {
  const architecture = get(model, 'architecture')
  const kinds = get(architecture, 'input_modalities') ?? get(model, 'input_modalities')
  if (Array.isArray(kinds)) return kinds.includes('image')
  const modality = textOf(get(architecture, 'modality'))
  return modality === undefined ? undefined : modality.split('->')[0]!.includes('image')
}

function texts(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined
}

function readListedModel(model: unknown): ModelInfo[] {
  const id = textOf(get(model, 'id')) ?? textOf(get(model, 'name'))
  if (id === undefined || id === '') return []
  const name = textOf(get(model, 'name')) ?? textOf(get(model, 'display_name'))
  // OpenRouter has `context_length`, vLLM `max_model_len`, Groq `context_window`, llama.cpp `meta`.
  const contextLength = firstAmount(
    get(model, 'context_length'),
    get(model, 'max_model_len'),
    get(model, 'context_window'),
    get(model, 'max_context_length'),
    get(get(model, 'meta'), 'n_ctx_train'),
  )
  // OpenRouter's price of -1 means "depends on the route": unknown, not free.
  const promptPrice = amountOf(get(get(model, 'pricing'), 'prompt'))
  const completionPrice = amountOf(get(get(model, 'pricing'), 'completion'))
  const cachedPromptPrice = amountOf(get(get(model, 'pricing'), 'input_cache_read'))
  const cacheWritePrice = amountOf(get(get(model, 'pricing'), 'input_cache_write'))
  // Most list 0, because thinking costs what the answer does.
  const reasoningPrice = amountOf(get(get(model, 'pricing'), 'internal_reasoning')) || undefined
  const supportedParameters = texts(get(model, 'supported_parameters'))
  const images = takesImages(model)
  return [
    {
      id,
      ...(name !== undefined && name !== id && { name }),
      ...(contextLength !== undefined && { contextLength }),
      ...(promptPrice !== undefined && { promptPrice }),
      ...(completionPrice !== undefined && { completionPrice }),
      ...(cachedPromptPrice !== undefined && { cachedPromptPrice }),
      ...(cacheWritePrice !== undefined && { cacheWritePrice }),
      ...(reasoningPrice !== undefined && { reasoningPrice }),
      ...(supportedParameters !== undefined && supportedParameters.length > 0 && { supportedParameters }),
      ...(images !== undefined && { takesImages: images }),
    },
  ]
}

/** The models in the reply to `GET /models`: usually `{ data: [...] }`, sometimes a bare list. */
export function readModelList(reply: unknown): ModelInfo[] {
  const list = Array.isArray(reply) ? reply : (get(reply, 'data') ?? get(reply, 'models'))
  return Array.isArray(list) ? list.filter(isRecord).flatMap(readListedModel) : []
}
