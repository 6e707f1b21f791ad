import { InputError, type Client } from '../../contract/index.ts'
import { cacheKeyOf } from '../requesting/cached-client.ts'
import { createBatchQueue, type BatchQueueTools } from './batch-queue.ts'

/** Of its usual price, what a request in a batch costs at OpenAI and at Anthropic. */
export const BATCH_PRICE = 0.5

/** The longest time that a timer can measure, 24 days: batches end after one. */
export const NO_TIMEOUT_MS = 2 ** 31 - 1

export function describeNoBatches(provider: string): string {
  return `${provider} has no batches here: leave out --batch, or choose models of OpenAI, Anthropic or a server with OpenAI's Batch API`
}

/** A client that asks in batches. Embeddings are asked for directly. */
export function createBatchedClient(client: Client, tools: Omit<BatchQueueTools, 'provider' | 'batches'>): Client {
  const { provider, batches } = client
  if (!batches) throw new InputError(describeNoBatches(provider))
  const queue = createBatchQueue({ ...tools, provider, batches })
  return {
    ...client,
    async complete(request, options = {}) {
      if (request.embed) return client.complete(request, options)
      // A judge may be asked several questions about one answer: each has its own reply.
      const key = JSON.stringify([options.key, cacheKeyOf(request, client, 0)])
      const startedAt = tools.clock.now()
      const answer = await client.complete(
        { ...request, stream: false, firstTokenTimeoutMs: NO_TIMEOUT_MS, idleTimeoutMs: NO_TIMEOUT_MS },
        { ...options, post: (body) => queue.ask(key, body) },
      )
      return answer.cachedAt === undefined ? { ...answer, latencyMs: tools.clock.now() - startedAt } : answer
    },
  }
}
