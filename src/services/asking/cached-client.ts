import type { Client, CompleteOptions, ModelAnswer, ModelRequest } from '../../contract/index.ts'
import { checkEmbeddings } from './check-answer.ts'

/** Answers by key, shared between runs. */
export interface AnswerCache {
  get(key: string): Promise<ModelAnswer | undefined>
  set(key: string, answer: ModelAnswer): Promise<void>
}

/** Everything that can change an answer, and nothing else: timeouts and streaming do not. */
function describeRequest(
  { stream: _stream, firstTokenTimeoutMs: _first, idleTimeoutMs: _idle, ...request }: ModelRequest,
  provider: string,
  repeat: number,
): string {
  return JSON.stringify({ provider, repeat, request })
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
  const keyOf = (text: string) => JSON.stringify({ provider: client.provider, embed: [request.modelId, text] })
  const found = await Promise.all(texts.map(async (text) => (await cache.get(keyOf(text)))?.embeddings?.[0]))
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
 * A client that answers a repeated request from the cache, at no cost. `repeat` keeps the runs of a series apart: the
 * third run must not be a copy of the first. Only complete answers are cached, so empty or truncated ones are requested
 * again.
 */
export function createCachedClient(client: Client, cache: AnswerCache, repeat: number): Client {
  return {
    ...client,
    isStored: async (request) =>
      request.embed === undefined && (await cache.get(describeRequest(request, client.provider, repeat))) !== undefined,
    async complete(request, options) {
      if (request.embed) return embedCached(request, { client, cache }, options)
      const key = describeRequest(request, client.provider, repeat)
      const cached = await cache.get(key)
      if (cached) {
        options?.onText?.(cached.response)
        return { ...cached, cost: 0 }
      }
      const answer = await client.complete(request, options)
      if (answer.outcome === 'ok') await cache.set(key, answer)
      return answer
    },
  }
}
