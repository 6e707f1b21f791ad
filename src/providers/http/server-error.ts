import { ClientError, isRecord } from '../../contract/index.ts'
import { get, parseJson, textOf, type JsonRecord } from './json-values.ts'
import { parseDuration, readRetryAfter, type HeaderValues } from './retry-after.ts'

/** An error reported by a server, in any of the known shapes. */
export interface ServerError {
  message: string
  status?: number
  /** The vendor's code, such as `unsupported_parameter` or `content_filter`. */
  code?: string
  /** The request field that caused it. */
  param?: string
  retryAfterMs?: number
  /** True if the prompt was rejected because of its content. */
  filtered: boolean
}

const MAX_MESSAGE_LENGTH = 600

const STATUS_OF_WORD: [RegExp, number][] = [
  [/rate.?limit|quota|resource_exhausted|throttl/, 429],
  [/overloaded|unavailable|capacity/, 503],
  [/time.?out/, 504],
  [/authentication|invalid_api_key|unauthenticated/, 401],
  [/permission/, 403],
  [/not_found|model_not_found/, 404],
  [/credit|billing|payment/, 402],
  [/invalid|bad.?request|context_length|unsupported/, 400],
  [/server_error|internal|api_error/, 500],
]

function statusOf(...values: unknown[]): number | undefined {
  for (const value of values) {
    const number = Number(typeof value === 'number' || typeof value === 'string' ? value : Number.NaN)
    if (Number.isInteger(number) && number >= 400 && number <= 599) return number
  }
  const words = values
    .filter((value) => typeof value === 'string')
    .join(' ')
    .toLowerCase()
  return STATUS_OF_WORD.find(([pattern]) => pattern.test(words))?.[1]
}

/** OpenRouter passes on the upstream provider's message and name. */
function readMessage(error: JsonRecord): string {
  const metadata = error['metadata']
  const message = textOf(error['message']) ?? textOf(error['detail']) ?? ''
  const raw = get(metadata, 'raw')
  const inner = raw === undefined || raw === null ? '' : typeof raw === 'string' ? raw : JSON.stringify(raw)
  const from = textOf(get(metadata, 'provider_name'))
  return [message || inner || JSON.stringify(error), message && inner, from && `(from ${from})`]
    .filter(Boolean)
    .join(' ')
}

function metadataWait(error: JsonRecord, now: number): number | undefined {
  const headers = get(error['metadata'], 'headers')
  if (isRecord(headers)) {
    const texts = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
    return readRetryAfter(Object.fromEntries(texts), now)
  }
  const details = error['details']
  const delays = Array.isArray(details) ? details.map((detail) => textOf(get(detail, 'retryDelay'))) : []
  const delay = delays.find((text) => text !== undefined)
  return delay === undefined ? undefined : parseDuration(delay)
}

function readErrorObject(error: JsonRecord, now: number): ServerError {
  const { code, type, param, status } = error
  const codes = [code, type, get(error['innererror'], 'code')].map((value) => textOf(value)?.toLowerCase())
  const errorStatus = statusOf(code, status, type)
  const wait = metadataWait(error, now)
  const word = textOf(code) ?? textOf(type)
  const field = textOf(param)
  return {
    message: readMessage(error),
    filtered:
      codes.some(
        (value) =>
          value === 'content_filter' ||
          value === 'content_policy_violation' ||
          value === 'responsibleaipolicyviolation',
      ) || Array.isArray(get(error['metadata'], 'reasons')),
    ...(errorStatus !== undefined && { status: errorStatus }),
    ...(word !== undefined && { code: word }),
    ...(field !== undefined && { param: field }),
    ...(wait !== undefined && { retryAfterMs: wait }),
  }
}

/** The error in a reply with status 200 or inside a stream; `undefined` if there is none. */
export function findError(reply: unknown, now: number): ServerError | undefined {
  if (Array.isArray(reply)) return reply.length === 1 ? findError(reply[0], now) : undefined
  if (!isRecord(reply)) return undefined
  const { error } = reply
  if (isRecord(error)) return readErrorObject(error, now)
  if (typeof error === 'string' && error !== '') return readErrorObject({ ...reply, message: error }, now)
  return reply['object'] === 'error' || reply['type'] === 'error' ? readErrorObject(reply, now) : undefined
}

function namePage(body: string): string {
  const title = /<title[^<>]*>([^<]*)/i.exec(body)?.[1]?.trim()
  return title ? `a web page titled "${title}"` : 'a web page'
}

/** Redirects are not followed: the other server would get the key. */
function describeRedirect(status: number, { location }: HeaderValues): string | undefined {
  return status < 400 && location !== undefined
    ? `it redirects to ${String(location)}; set that address instead if you trust it`
    : undefined
}

export function isWebPage(body: string): boolean {
  return body.trimStart().startsWith('<')
}

/** The error in the body of a reply with an error status; never `undefined`. */
export function readErrorBody(status: number, headers: HeaderValues, body: string, now: number): ServerError {
  const json = parseJson(body)
  const plain = isRecord(json) && (json['message'] !== undefined || json['detail'] !== undefined) ? json : undefined
  const detail = Array.isArray(plain?.['detail']) ? JSON.stringify(plain['detail']) : undefined
  const found =
    findError(json, now) ?? (plain && readErrorObject(detail === undefined ? plain : { message: detail }, now))
  const message =
    describeRedirect(status, headers) ?? found?.message ?? (isWebPage(body) ? namePage(body) : body.trim() || 'no text')
  const retryAfterMs = readRetryAfter(headers, now) ?? found?.retryAfterMs
  return { filtered: false, ...found, message, status, ...(retryAfterMs !== undefined && { retryAfterMs }) }
}

const ADVICE: Record<number, string> = {
  401: 'Check the API key.',
  402: 'The account has no credit left.',
  404: 'Check the model name and the base URL (it often ends in /v1).',
}

/**
 * Turns the error into one that the engine understands. `redact` removes keys that the server echoed. `isInReply`: the
 * server had accepted the request (status 200) and then sent the error, so it may have been billed.
 */
export function toClientError(
  error: ServerError,
  provider: string,
  redact: (text: string) => string,
  { isInReply = false, advice = ADVICE[error.status ?? 0] }: { isInReply?: boolean; advice?: string | undefined } = {},
): ClientError {
  const text = redact(error.message)
  const short = text.length > MAX_MESSAGE_LENGTH ? `${text.slice(0, MAX_MESSAGE_LENGTH)}…` : text
  const message = `${provider} returned error${error.status === undefined ? '' : ` ${error.status}`}: ${short}${advice ? `${/[.!?…]$/.test(short) ? '' : '.'} ${advice}` : ''}`
  return new ClientError('refused', message, {
    ...(error.status !== undefined && { status: error.status }),
    ...(error.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }),
    ...(isInReply && { unbilled: false }),
  })
}

function socketCode(error: unknown): string {
  const inner = get(error, 'errors')
  return textOf(get(error, 'code')) ?? (Array.isArray(inner) ? textOf(get(inner[0], 'code')) : undefined) ?? ''
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'refused the connection: is the server running?',
  ENOTFOUND: 'has an unknown host name: check the base URL',
  EAI_AGAIN: 'has a host name that cannot be resolved: is the network up?',
  UND_ERR_CONNECT_TIMEOUT: 'could not be reached in time',
  EHOSTUNREACH: 'cannot be reached: is the network up?',
  ENETUNREACH: 'cannot be reached: is the network up?',
}

/** How far the exchange had got: the request is sent when all of it has left. */
type Stage = 'connecting' | 'sent' | 'replying'

/** Turns an undici or socket error into one that the engine understands. */
export function toConnectionError(error: Error, provider: string, stage: Stage): ClientError {
  // A guard has refused the address.
  if (error instanceof ClientError) return error
  const code = socketCode(error)
  const sent = stage !== 'connecting'
  // After the head of a reply it means that the reply was cut in the middle of a chunk.
  if (error.name === 'HTTPParserError' && stage !== 'replying')
    return new ClientError('broken', `${provider} does not speak valid HTTP: check the base URL`)
  if (code === 'UND_ERR_HEADERS_OVERFLOW')
    return new ClientError('broken', `${provider} sent a reply with too many headers`, { retryable: false })
  const reason = REASONS[code] ?? (sent ? 'lost the connection before the answer was complete' : 'could not be reached')
  const detail = code === '' || code === 'UND_ERR_SOCKET' ? error.message : code
  const failure = new ClientError('network', `${provider} ${reason} (${detail})`, {
    cause: error,
    // A request that never left completely is not answered.
    ...(!sent && { unbilled: true }),
  })
  failure.nobodyListens = code === 'ECONNREFUSED'
  return failure
}
