import type { Client, CompleteOptions, ModelAnswer, ModelRequest } from '../../contract/index.ts'
import { checkEmbeddings } from './check-answer.ts'

/** Answers by key, shared between runs. */
export interface AnswerCache {
  /** With the time of the answer, in milliseconds since 1970. */
  get(key: string): Promise<{ answer: ModelAnswer; at: number } | undefined>
  set(key: string, answer: ModelAnswer): Promise<void>
}

interface CacheUse {
  /** The run's place in its series: the third run must not be a copy of the first. */
  repeat: number
  /** Older answers are requested again. Default: any age. */
  maxAgeMs?: number | undefined
  now: () => number
}

/** Objects with their keys in alphabetical order: which one was set first does not change a request. */
function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * Everything that can change an answer, and nothing else: timeouts and streaming do not, nor does the mark that fences an
 * answer for a judge. Schemas keep the order of their keys, because models read it and fill fields in that order.
 */
export function cacheKeyOf(
  request: ModelRequest,
  { provider, address }: Pick<Client, 'provider' | 'address'>,
  repeat: number,
): string {
  const { stream: _stream, firstTokenTimeoutMs: _first, idleTimeoutMs: _idle, mark, ...asked } = request
  const { tools, responseSchema, ...rest } = asked
  const schemas = JSON.stringify([tools ?? null, responseSchema ?? null])
  const text = JSON.stringify({ provider, address: address ?? null, repeat, request: rest, schemas }, sortKeys)
  return mark === undefined ? text : text.replaceAll(mark, 'MARK')
}

/**
 * Embeddings are cached by text, because which texts share a request depends on timing. They do not vary between the
 * runs of a series.
 */
async function embedCached(
  request: ModelRequest,
  { client, cache }: { client: Client; cache: AnswerCache },
  options: CompleteOptions | undefined,
): Promise<ModelAnswer> {
  const { embed: texts = [] } = request
  const { provider, address = null } = client
  const keyOf = (text: string) => JSON.stringify({ provider, address, embed: [request.modelId, text] })
  const found = await Promise.all(texts.map(async (text) => (await cache.get(keyOf(text)))?.answer.embeddings?.[0]))
  const missing = texts.filter((_, index) => found[index] === undefined)
  const answer: ModelAnswer =
    missing.length === 0
      ? { outcome: 'ok', response: '', latencyMs: 0, promptTokens: 0, completionTokens: 0, cost: 0 }
      : await client.complete({ ...request, embed: missing }, options)
  if (missing.length > 0) {
    const { embeddings: vectors } = checkEmbeddings(answer.embeddings, { embed: missing })
    const { outcome, response, latencyMs } = answer
    const added = new Map(missing.map((text, index) => [text, vectors[index]!]))
    for (const [text, vector] of added)
      await cache.set(keyOf(text), { outcome, response, latencyMs, embeddings: [vector] })
    return { ...answer, embeddings: texts.map((text, index) => found[index] ?? added.get(text)!) }
  }
  return { ...answer, embeddings: found.map((vector) => vector!) }
}

/**
 * A client that answers a repeated request from the cache, at no cost, with the time of the answer in `cachedAt`; its
 * latency and its tokens are those of that time. Only complete answers are cached, so empty or truncated ones are
 * requested again.
 */
export function createCachedClient(client: Client, cache: AnswerCache, { repeat, maxAgeMs, now }: CacheUse): Client {
  const isFresh = (at: number): boolean => maxAgeMs === undefined || now() - at <= maxAgeMs
  return {
    ...client,
    async isStored(request) {
      if (request.embed) return false
      const cached = await cache.get(cacheKeyOf(request, client, repeat))
      return cached !== undefined && isFresh(cached.at)
    },
    async complete(request, options) {
      if (request.embed) return embedCached(request, { client, cache }, options)
      const key = cacheKeyOf(request, client, repeat)
      const cached = await cache.get(key)
      if (cached && isFresh(cached.at)) {
        options?.onText?.(cached.answer.response)
        return { ...cached.answer, cost: 0, cachedAt: cached.at }
      }
      const answer = await client.complete(request, options)
      if (answer.outcome === 'ok') await cache.set(key, answer)
      return answer
    },
  }
}
