import {
  ClientError,
  type CancelSignal,
  type Client,
  type CompleteOptions,
  type ModelAnswer,
  type ModelRequest,
} from '../../contract/index.ts'

/** A client as people write one by hand: what it leaves out is filled in. */
export interface WrittenClient extends Partial<Pick<Client, 'provider' | 'listModels' | 'close'>> {
  complete(
    request: ModelRequest,
    options?: CompleteOptions,
  ): Promise<Pick<ModelAnswer, 'response'> & Partial<ModelAnswer>>
}

/** What a client gave is no answer: the client is at fault, and asking it again would not help. */
export class UnusableAnswer extends ClientError {
  override name = 'UnusableAnswer'

  constructor(message: string) {
    super('broken', message)
  }
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
  if (typeof given !== 'object' || given === null) throw new UnusableAnswer(`${start} gave ${String(given)}; ${wanted}`)
  const { response, outcome, toolCalls = [] } = given
  if (response === undefined) throw new UnusableAnswer(`${start} gave an answer without a response; ${wanted}`)
  if (typeof response !== 'string')
    throw new UnusableAnswer(`${start} gave an answer whose response is a ${typeof response}; ${wanted}`)
  if (outcome !== undefined && !OUTCOMES.includes(outcome))
    throw new UnusableAnswer(
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

/** The client with everything that the engine relies on, whoever wrote it. */
export function completeClient(client: WrittenClient): Client {
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
      } finally {
        isOver = true
      }
    },
    listModels: async (options) => client.listModels?.(options) ?? [],
    close: async () => client.close?.(),
  }
}
