import { Pool } from 'undici'
import { ClientError, InputError, type CancelSignal } from '../../contract/index.ts'
import type { ConnectGuard } from './connect-guard.ts'
import { exchange, type ExchangeTimes, type HttpRequest, type Receiver } from './exchange.ts'
import { parseJson } from './json-values.ts'
import { createRedactor, secretsOf } from './redact.ts'
import { MAX_ERROR_BODY_LENGTH } from './limited-fetch.ts'
import type { HeaderValues } from './retry-after.ts'
import { findError, readErrorBody, toClientError } from './server-error.ts'

export function parseBaseUrl(baseUrl: string): URL {
  const url = URL.parse(baseUrl)
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url
  throw new InputError(`base URL ${baseUrl}: not a URL\nWrite it like http://127.0.0.1:11434/v1`)
}

/** The header for a user name and password in the base URL, if there are any. */
export function loginHeaders({ username, password }: URL): { authorization?: string } {
  if (username === '') return {}
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { authorization: `Basic ${Buffer.from(login).toString('base64')}` }
}

export interface EndpointOptions {
  /** The provider's name, for messages. */
  provider: string
  baseUrl: string
  headers: Record<string, string>
  /** Maximum number of connections. Default: one per concurrent request. */
  connections?: number | undefined
  /** Refuses internal addresses. */
  guard?: ConnectGuard | undefined
}

interface SendOptions {
  firstTokenTimeoutMs: number
  idleTimeoutMs: number
  signal?: CancelSignal | undefined
  /** Of this request, on top of the endpoint's own and instead of those of the same name. */
  headers?: Record<string, string> | undefined
}

/** A base URL with its connections and headers, and a redactor for their secrets. */
export interface Endpoint {
  readonly provider: string
  redact(text: string): string
  post(path: string, body: string, receiver: Receiver, options: SendOptions): Promise<ExchangeTimes>
  /** Sends to a path and query of the server's, whatever those of the base URL are. */
  send(
    request: Pick<HttpRequest, 'method' | 'body'> & { target: string },
    receiver: Receiver,
    options: SendOptions,
  ): Promise<ExchangeTimes>
  /** Loads a small JSON document, such as a list of models. */
  getJson(path: string, options?: { signal?: CancelSignal | undefined }): Promise<unknown>
  close(): Promise<void>
}

const LIST_TIMEOUT_MS = 30_000
const CONNECT_TIMEOUT_MS = 10_000

/** Long enough to last between the cells of a run, short enough that servers have not closed the connection yet. */
const KEEP_ALIVE_MS = 4_000

function checkHeaders(headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (/[^\t\u0020-\u007e\u0080-\u00ff]/.test(value)) {
      throw new InputError(
        `The header ${name} contains characters that are not allowed in a header: was a key copied with a line break?`,
      )
    }
  }
}

/** Collects the body of any reply. */
export function createCollector(): Receiver & { status: number; headers: HeaderValues; body: string } {
  return {
    status: 0,
    headers: {},
    body: '',
    start(status, headers) {
      this.status = status
      this.headers = headers
    },
    read(text) {
      this.body += text
    },
    hasStarted: () => false,
    hasFinished: () => false,
    isDone() {
      return this.status >= 300 && this.body.length > MAX_ERROR_BODY_LENGTH
    },
  }
}

export function createEndpoint({ provider, baseUrl, headers, connections, guard }: EndpointOptions): Endpoint {
  const url = parseBaseUrl(baseUrl)
  const allHeaders = {
    accept: 'text/event-stream, application/json',
    'user-agent': 'benchmaker',
    ...loginHeaders(url),
    ...headers,
  }
  checkHeaders(allHeaders)
  const redact = createRedactor([
    ...secretsOf(Object.entries(allHeaders)),
    ...secretsOf(url.searchParams),
    decodeURIComponent(url.password),
  ])
  const folder = url.pathname.replace(/\/+$/, '')
  // HTTP/1.1 only: with a shared connection, closing the socket would cancel other requests too.
  const pool = new Pool(url.origin, {
    connections: connections ?? null,
    allowH2: false,
    connect: { timeout: CONNECT_TIMEOUT_MS, ...(guard && { lookup: guard.lookup }) },
    keepAliveTimeout: KEEP_ALIVE_MS,
  })

  const send: Endpoint['send'] = async ({ target, ...request }, receiver, { headers: own = {}, ...options }) => {
    guard?.checkWritten(url)
    const named = new Set(Object.keys(own).map((name) => name.toLowerCase()))
    const kept = Object.entries(allHeaders).filter(([name]) => !named.has(name.toLowerCase()))
    return exchange(
      pool,
      {
        ...request,
        path: target,
        headers: {
          ...Object.fromEntries(kept),
          ...(request.body !== undefined && { 'content-type': 'application/json' }),
          ...own,
        },
        provider,
        ...options,
      },
      receiver,
    )
  }

  return {
    provider,
    redact,
    send,
    post: async (path, body, receiver, options) =>
      send({ method: 'POST', target: `${folder}${path}${url.search}`, body }, receiver, options),
    async getJson(path, { signal } = {}) {
      guard?.checkWritten(url)
      const collector = createCollector()
      const limits = { firstTokenTimeoutMs: LIST_TIMEOUT_MS, idleTimeoutMs: LIST_TIMEOUT_MS }
      await exchange(
        pool,
        { method: 'GET', path: `${folder}${path}${url.search}`, headers: allHeaders, provider, signal, ...limits },
        collector,
      )
      if (collector.status >= 300) {
        throw toClientError(
          readErrorBody(collector.status, collector.headers, collector.body, Date.now()),
          provider,
          redact,
        )
      }
      const json = parseJson(collector.body)
      if (json === undefined)
        throw new ClientError(
          'broken',
          `${provider} did not return JSON for ${path}. Check the base URL (it often ends in /v1).`,
        )
      const error = findError(json, Date.now())
      if (error) throw toClientError(error, provider, redact)
      return json
    },
    close: () => pool.destroy(),
  }
}
