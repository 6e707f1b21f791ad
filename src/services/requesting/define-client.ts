import {
  ClientError,
  type CancelSignal,
  type Client,
  type CompleteOptions,
  type ModelAnswer,
  type ModelRequest,
  type ModelUse,
  messageOf,
} from '../../contract/index.ts'

/** What a library user writes; everything left out is filled in. */
export interface ClientDefinition extends Partial<
  Pick<Client, 'provider' | 'listModels' | 'checkModel' | 'batches' | 'close'>
> {
  complete(
    request: ModelRequest,
    options?: CompleteOptions,
  ): Promise<Pick<ModelAnswer, 'response'> & Partial<ModelAnswer>>
}

/** The client returned an invalid answer: the fault is its own, and a retry would not help. */
function unusable(message: string): ClientError {
  return new ClientError('broken', message, { retryable: false })
}

/** An error is retried only if it is marked retryable: a retry may not be safe for a user's own client. */
function toClientError(error: unknown): ClientError {
  if (error instanceof ClientError) return error
  const { retryable, status, retryAfterMs } = Object(error) as Record<string, unknown>
  return new ClientError('network', messageOf(error), {
    cause: error,
    retryable: retryable === true,
    ...(typeof status === 'number' && { status }),
    ...(typeof retryAfterMs === 'number' && { retryAfterMs }),
  })
}

const OUTCOMES: readonly unknown[] = [
  'ok',
  'empty',
  'refusal',
  'filtered',
  'truncated',
] satisfies ModelAnswer['outcome'][]

function fillAnswer(
  returned: (Pick<ModelAnswer, 'response'> & Partial<ModelAnswer>) | undefined,
  latencyMs: number,
): ModelAnswer {
  const start = "the client's complete()"
  const expected = 'it must return { response: string }'
  if (typeof returned !== 'object' || returned === null)
    throw unusable(`${start} returned ${String(returned)}; ${expected}`)
  const { response, outcome, toolCalls = [] } = returned
  if (response === undefined) throw unusable(`${start} returned an answer without a response; ${expected}`)
  if (typeof response !== 'string')
    throw unusable(`${start} returned an answer whose response is a ${typeof response}; ${expected}`)
  if (outcome !== undefined && !OUTCOMES.includes(outcome))
    throw unusable(
      `${start} returned an answer whose outcome is ${JSON.stringify(outcome)}; it must be one of ${OUTCOMES.join(', ')}`,
    )
  const isEmpty = response.trim() === '' && toolCalls.length === 0 && returned.embeddings === undefined
  return {
    ...returned,
    response,
    outcome: outcome ?? (isEmpty ? 'empty' : 'ok'),
    latencyMs: returned.latencyMs ?? latencyMs,
  }
}

/** Rejects when the signal aborts, even if the client ignores it. */
async function untilCancelled<T>(signal: CancelSignal | undefined, work: () => Promise<T>): Promise<T> {
  const cancelled = () => new ClientError('cancelled', 'The request was cancelled')
  if (signal?.aborted) throw cancelled()
  const { promise, reject } = Promise.withResolvers<never>()
  const cancel = () => reject(cancelled())
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    return await Promise.race([work(), promise])
  } finally {
    signal?.removeEventListener('abort', cancel)
  }
}

/** Builds a full client from `complete`. */
export function defineClient(client: ClientDefinition): Client {
  return {
    provider: client.provider ?? 'client',
    async complete(request, options = {}) {
      const { signal, onText } = options
      const startedAt = performance.now()
      let isOver = false
      const listen = onText && { onText: (text: string) => (isOver ? undefined : onText(text)) }
      try {
        const returned = await untilCancelled(signal, async () => client.complete(request, { ...options, ...listen }))
        return fillAnswer(returned, performance.now() - startedAt)
      } catch (error) {
        throw toClientError(error)
      } finally {
        isOver = true
      }
    },
    listModels: async (options) => client.listModels?.(options) ?? [],
    ...(client.checkModel && { checkModel: (modelId: string, use?: ModelUse) => client.checkModel?.(modelId, use) }),
    ...(client.batches && { batches: client.batches }),
    close: async () => client.close?.(),
  }
}
