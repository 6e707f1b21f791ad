import type { Client, ModelAnswer, ModelRequest } from '../../contract/index.ts'

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
 * A client that answers a repeated request from the cache, at no cost. `repeat` keeps the runs of a series apart: the
 * third run must not be a copy of the first. Only complete answers are cached, so empty or truncated ones are requested
 * again.
 */
export function createCachedClient(client: Client, cache: AnswerCache, repeat: number): Client {
  return {
    ...client,
    async complete(request, options) {
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
