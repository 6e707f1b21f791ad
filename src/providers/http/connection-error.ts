import { ClientError } from '../../contract/index.ts'
import { get, textOf } from './json-values.ts'

function codeOf(error: unknown): string {
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
  const code = codeOf(error)
  const sent = stage !== 'connecting'
  // After the head of a reply it means that the reply was cut in the middle of a chunk.
  if (error.name === 'HTTPParserError' && stage !== 'replying')
    return new ClientError('broken', `${provider} does not speak valid HTTP: check the base URL`)
  if (code === 'UND_ERR_HEADERS_OVERFLOW')
    return new ClientError('broken', `${provider} sent a reply with too many headers`, { retryable: false })
  const reason = REASONS[code] ?? (sent ? 'lost the connection before the answer was complete' : 'could not be reached')
  const detail = code === '' || code === 'UND_ERR_SOCKET' ? error.message : code
  return new ClientError('network', `${provider} ${reason} (${detail})`, {
    cause: error,
    // A request that never left completely is not answered.
    ...(!sent && { unbilled: true }),
  })
}
