import {
  ClientError,
  type CancelSignal,
  type Client,
  type CompleteOptions,
  type ModelAnswer,
  type ModelRequest,
} from '../../contract/index.ts'

/** A client as people write one: what it leaves out is filled in. */
export interface ClientDefinition extends Partial<Pick<Client, 'provider' | 'listModels' | 'close'>> {
  complete(
    request: ModelRequest,
    options?: CompleteOptions,
  ): Promise<Pick<ModelAnswer, 'response'> & Partial<ModelAnswer>>
}

/** What a client gave is no answer: the client is at fault, and asking it again would not help. */
function unusable(message: string): ClientError {
  return new ClientError('broken', message, { retryable: false })
}

/** An error is retried only when it says so: nobody knows what asking again does to a client that somebody else wrote. */
function toClientError(error: unknown): ClientError {
  if (error instanceof ClientError) return error
  const { retryable, status, retryAfterMs } = Object(error) as Record<string, unknown>
  return new ClientError('network', error instanceof Error ? error.message : String(error), {
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
  given: (Pick<ModelAnswer, 'response'> & Partial<ModelAnswer>) | undefined,
  latencyMs: number,
): ModelAnswer {
  const start = "the client's complete()"
  const wanted = 'it must give { response: string }'
  if (typeof given !== 'object' || given === null) throw unusable(`${start} gave ${String(given)}; ${wanted}`)
  const { response, outcome, toolCalls = [] } = given
  if (response === undefined) throw unusable(`${start} gave an answer without a response; ${wanted}`)
  if (typeof response !== 'string')
    throw unusable(`${start} gave an answer whose response is a ${typeof response}; ${wanted}`)
  if (outcome !== undefined && !OUTCOMES.includes(outcome))
    throw unusable(
      `${start} gave an answer whose outcome is ${JSON.stringify(outcome)}; there are ${OUTCOMES.join(', ')}`,
    )
  const isEmpty = response.trim() === '' && toolCalls.length === 0
  return { ...given, response, outcome: outcome ?? (isEmpty ? 'empty' : 'ok'), latencyMs: given.latencyMs ?? latencyMs }
}

/** Ends with the signal, whether or not the client looks at it. */
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

/** Makes a client with everything that a run relies on out of `complete`. */
export function defineClient(client: ClientDefinition): Client {
  return {
    provider: client.provider ?? 'client',
    async complete(request, options = {}) {
      const { signal, onText } = options
      const startedAt = performance.now()
      let isOver = false
      const listen = onText && { onText: (text: string) => (isOver ? undefined : onText(text)) }
      try {
        const given = await untilCancelled(signal, async () => client.complete(request, { ...options, ...listen }))
        return fillAnswer(given, performance.now() - startedAt)
      } catch (error) {
        throw toClientError(error)
      } finally {
        isOver = true
      }
    },
    listModels: async (options) => client.listModels?.(options) ?? [],
    close: async () => client.close?.(),
  }
}
