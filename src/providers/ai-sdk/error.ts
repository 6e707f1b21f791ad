import { get, textOf } from '../http/json-values.ts'
import { ClientError, InputError, isRecord } from '../../contract/index.ts'
import { MAX_ERROR_BODY_LENGTH } from '../http/reply-limit.ts'
import { readErrorBody, toClientError, type ServerError } from '../http/server-error.ts'

/** The vendor's error response; `undefined` if the error did not come from a response. */
export function readSdkError(error: unknown): ServerError | undefined {
  const status = get(error, 'statusCode')
  if (typeof status !== 'number' || status < 300) return undefined
  const headers = get(error, 'responseHeaders')
  const texts = isRecord(headers)
    ? Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
    : []
  const body = textOf(get(error, 'responseBody')) || textOf(get(error, 'message')) || ''
  return readErrorBody(status, Object.fromEntries(texts), body.slice(0, MAX_ERROR_BODY_LENGTH), Date.now())
}

const STATUS_OF_NAME: Record<string, number> = {
  AI_LoadAPIKeyError: 401,
  AI_NoSuchModelError: 404,
  AI_UnsupportedFunctionalityError: 400,
  AI_InvalidPromptError: 400,
  AI_InvalidArgumentError: 400,
}

function codeOf(error: unknown): string {
  return textOf(get(error, 'code')) ?? textOf(get(get(error, 'cause'), 'code')) ?? ''
}

const NEVER_SENT = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/

function isConnectionError(error: unknown): boolean {
  const code = codeOf(error)
  const message = textOf(get(error, 'message')) ?? ''
  return (
    /^(?:E[A-Z]+|UND_ERR_.*)$/.test(code) ||
    /fetch failed|Cannot connect to API|terminated|socket hang up/i.test(message)
  )
}

/**
 * Turns an error of the AI SDK, or of a custom model, into one that the engine understands. The original is not kept as
 * a cause: it contains the request and the reply, which may include a key.
 */
export function toSdkClientError(error: unknown, provider: string, redact: (text: string) => string): Error {
  if (error instanceof ClientError || error instanceof InputError) return error
  // The SDK wraps what its `fetch` throws.
  const cause = get(error, 'cause')
  if (cause instanceof ClientError) return cause
  const serverError = readSdkError(error)
  if (serverError) return toClientError(serverError, provider, redact)
  const name = textOf(get(error, 'name')) ?? ''
  const message =
    textOf(get(error, 'message')) ?? (typeof error === 'string' ? error : JSON.stringify(error ?? 'unknown error'))
  const status = STATUS_OF_NAME[name]
  if (status !== undefined) return toClientError({ message, status, filtered: false }, provider, redact)
  if (isConnectionError(error))
    return new ClientError('network', `${provider} could not be reached or lost the connection (${redact(message)})`, {
      ...(NEVER_SENT.test(codeOf(error)) && { unbilled: true }),
    })
  // Anthropic sends `{ type: 'overloaded_error', message }` inside a stream.
  const type = textOf(get(error, 'type'))
  if (type !== undefined)
    return toClientError(
      readErrorBody(statusOfType(type), {}, JSON.stringify({ message }), Date.now()),
      provider,
      redact,
      { isInReply: true },
    )
  return new ClientError('broken', `${provider} sent an unreadable answer (${redact(message)})`)
}

function statusOfType(type: string): number {
  if (type.includes('overloaded')) return 529
  if (type.includes('rate_limit')) return 429
  if (type.includes('invalid_request')) return 400
  return 500
}
