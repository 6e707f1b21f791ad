import { MAX_REPLY_BYTES, replyTooLarge } from './reply-limit.ts'

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
