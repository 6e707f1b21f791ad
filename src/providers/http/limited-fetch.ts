import { ClientError, isRecord } from '../../contract/index.ts'
import { mergeFields } from './json-values.ts'

/** Bytes of a reply after decompression: far more than any answer, and little enough for many replies at once. */
export const MAX_REPLY_BYTES = 32 * 1024 * 1024

/** Characters of a reply with an error status: more than any error needs, and the rest is not awaited. */
export const MAX_ERROR_BODY_LENGTH = 64 * 1024

/** Not retried: the next reply would be as long, and cost as much. */
export function replyTooLarge(provider: string): ClientError {
  return new ClientError('broken', `${provider} sent more than 32 MiB without ending its reply`, { retryable: false })
}

/**
 * `fetch` for packages that bring their own client. It ends a reply that is too large, counted after decompression, and
 * follows no redirect: that would hand the key, which is in a header of its own, to another host.
 */
export function createLimitedFetch(provider: string): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'manual' })
    if (!response.body) return response
    let bytes = 0
    const limiter = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength
        if (bytes > MAX_REPLY_BYTES) controller.error(replyTooLarge(provider))
        else controller.enqueue(chunk)
      },
    })
    const { status, statusText, headers } = response
    return new Response(response.body.pipeThrough(limiter), { status, statusText, headers })
  }
}

/** `fetch` that adds fields to the JSON body of every request. */
export function addToBody(send: typeof fetch, extraBody: Record<string, unknown> | undefined): typeof fetch {
  if (!extraBody) return send
  return async (input, init) => {
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
    return send(input, isRecord(body) ? { ...init, body: JSON.stringify(mergeFields(body, extraBody)) } : init)
  }
}
