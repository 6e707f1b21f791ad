import {
  ClientError,
  defaultMaxTimeSeconds,
  listSecretHeaders,
  type CancelSignal,
  type Client,
  type ModelRequest,
} from '../../contract/index.ts'
import { redactClient } from '../../contract/redact-keys.ts'
import { checkAnswer, type CheckedAnswer } from './check-answer.ts'
import type { Price } from './price.ts'

export interface SendOptions {
  signal?: CancelSignal | undefined
  onText?: ((text: string) => void) | undefined
  price?: Price | undefined
  /** The longest that the request may take in all. */
  maxTimeMs?: number | undefined
  /** What the request is for: the same when it is sent again after a restart. */
  key?: string | undefined
}

/** A retry would take as long and cost as much, so it is not retried. */
function tookTooLong(provider: string, maxTimeMs: number): ClientError {
  return new ClientError(
    'timeout',
    `${provider} had not finished its answer after ${maxTimeMs / 1000} s, the maximum time for a request (--max-time)`,
    { retryable: false },
  )
}

/**
 * Sends one request through any client: ends it when the maximum time is over, even if the client ignores its signal,
 * and checks what it returns. Throws `ClientError`, or what the client throws.
 */
export async function sendRequest(
  client: Client,
  request: ModelRequest,
  { signal, onText, price, maxTimeMs = defaultMaxTimeSeconds * 1000, key }: SendOptions,
): Promise<CheckedAnswer> {
  const controller = new AbortController()
  const cancel = () => controller.abort()
  if (signal?.aborted) cancel()
  signal?.addEventListener('abort', cancel, { once: true })
  const { promise: isOverTime, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(tookTooLong(client.provider, maxTimeMs))
    cancel()
  }, maxTimeMs)
  const secrets = listSecretHeaders(request.parameters).map(([, value]) => value.replace(/^(?:Bearer|Basic) /i, ''))
  const asked = secrets.length === 0 ? client : redactClient(client, () => secrets)
  const startedAt = performance.now()
  let isOver = false
  try {
    const answer = await Promise.race([
      asked.complete(request, {
        signal: controller.signal,
        ...(key !== undefined && { key }),
        ...(onText && { onText: (text: string) => (isOver ? undefined : onText(text)) }),
      }),
      isOverTime,
    ])
    return checkAnswer(answer, { request, price, latencyMs: performance.now() - startedAt })
  } finally {
    isOver = true
    clearTimeout(timer)
    signal?.removeEventListener('abort', cancel)
  }
}
