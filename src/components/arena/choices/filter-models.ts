import type { ListedModel } from '../../../server/settings/model-catalog.ts'

const MAX_ID_LENGTH = 200

export type ModelSort = 'name' | 'price' | 'context'

export interface ModelFilter {
  search?: string
  provider?: string
  /** US dollars per million output tokens. */
  maxPrice?: number
  minContext?: number
  sort?: ModelSort
}

/** The price of a million tokens; undefined if unknown, never 0. */
export function pricePerMillion(price: number | undefined): number | undefined {
  // 2.5e-6 · 1e6 is 2.4999999999999996.
  return price === undefined ? undefined : Number((price * 1_000_000).toPrecision(12))
}

function containsWords(model: ListedModel, words: readonly string[]): boolean {
  const text = `${model.id} ${model.name ?? ''}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

const unknownLast = (value: number | undefined) => value ?? Infinity

function compareModels(a: ListedModel, b: ListedModel, sort: ModelSort): number {
  const byName = a.id.localeCompare(b.id, 'en', { numeric: true })
  const [left, right] =
    sort === 'price'
      ? [unknownLast(a.completionPrice), unknownLast(b.completionPrice)]
      : [-(a.contextLength ?? -1), -(b.contextLength ?? -1)]
  // Two unknown prices are both Infinity, and their difference is NaN.
  return sort === 'name' || left === right ? byName : left - right
}

/** Every word must be in the id or the name. Unknown values fail every limit; `hiddenUnknown` counts them. */
export function filterModels(
  models: readonly ListedModel[],
  filter: ModelFilter,
): { shown: ListedModel[]; hiddenUnknown: number } {
  const words = (filter.search ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  const { provider, maxPrice, minContext, sort = 'name' } = filter
  let hiddenUnknown = 0
  const shown = models.filter((model) => {
    if (provider !== undefined && provider !== '' && model.provider !== provider) return false
    if (!containsWords(model, words)) return false
    const price = pricePerMillion(model.completionPrice)
    const isTooExpensive = maxPrice !== undefined && price !== undefined && price > maxPrice
    const isTooShort = minContext !== undefined && model.contextLength !== undefined && model.contextLength < minContext
    if (isTooExpensive || isTooShort) return false
    const isUnknown =
      (maxPrice !== undefined && price === undefined) || (minContext !== undefined && model.contextLength === undefined)
    if (isUnknown) hiddenUnknown++
    return !isUnknown
  })
  return { shown: shown.sort((a, b) => compareModels(a, b, sort)), hiddenUnknown }
}

/** The typed text, if it could be a model that no server lists: `endpoint/model`, in full and without spaces. */
export function readUnlisted(
  search: string,
  models: readonly Pick<ListedModel, 'id'>[],
  chosen: readonly string[],
): string | undefined {
  const id = search.trim()
  const isId = /^[^\s/]+\/\S*[^\s/]$/.test(id) && id.length <= MAX_ID_LENGTH
  return isId && !chosen.includes(id) && !models.some((model) => model.id === id) ? id : undefined
}

export function listProviders(models: readonly ListedModel[]): string[] {
  return [...new Set(models.map(({ provider }) => provider))].sort((a, b) => a.localeCompare(b, 'en'))
}
