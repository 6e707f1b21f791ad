import { ClientError } from '../../contract/index.ts'

/** Bytes of a reply after decompression: far more than any answer, and little enough for many replies at once. */
export const MAX_REPLY_BYTES = 32 * 1024 * 1024

/** Characters of a reply with an error status: more than any error needs, and the rest is not awaited. */
export const MAX_ERROR_BODY_LENGTH = 64 * 1024

/** Not retried: the next reply would be as long, and cost as much. */
export function replyTooLarge(provider: string): ClientError {
  return new ClientError('broken', `${provider} sent more than 32 MiB without ending its reply`, { retryable: false })
}
