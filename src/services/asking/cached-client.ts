import type { Client, ModelAnswer, ModelRequest } from '../../contract/index.ts'

/** Answers by key, kept from run to run. */
export interface AnswerCache {
  get(key: string): Promise<ModelAnswer | undefined>
  set(key: string, answer: ModelAnswer): Promise<void>
}

/** Everything that can change an answer, and nothing else: how long to wait and whether to stream do not. */
function describeRequest(
  { stream: _stream, firstTokenTimeoutMs: _first, idleTimeoutMs: _idle, ...request }: ModelRequest,
  provider: string,
  repeat: number,
): string {
  return JSON.stringify({ provider, repeat, request })
}

/**
 * A client that gives an answer it has had before without asking again, free of cost. `repeat` keeps the runs of a series
 * apart: the third run must not be a copy of the first. Only whole answers are kept, so an empty or cut one is asked for anew.
 */
export function createCachedClient(client: Client, cache: AnswerCache, repeat: number): Client {
  return {
    ...client,
    async complete(request, options) {
      const key = describeRequest(request, client.provider, repeat)
      const known = await cache.get(key)
      if (known) {
        options?.onText?.(known.response)
        return { ...known, cost: 0 }
      }
      const answer = await client.complete(request, options)
      if (answer.outcome === 'ok') await cache.set(key, answer)
      return answer
    },
  }
}
