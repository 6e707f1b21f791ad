import type { ClientRequestOptions, ClientResponse } from 'hono/client'
import { apiErrorSchema, NAMES_SEEN_HEADER, parseExactJson, writeSeenNames, type Problem } from '../contract/index.ts'
import { readRunsWithSeenNames } from './names-seen.ts'
import { addSessionKey, sessionHeaders } from './session-key.ts'

export const API_ADDRESS = '/api'

/** A request that the server refused or did not answer, with the server's message. */
export class ApiFailure extends Error {
  override name = 'ApiFailure'
  /** 0 if the server did not answer. */
  readonly status: number
  readonly code: string
  readonly problems: Problem[]

  constructor(status: number, code: string, message: string, problems: Problem[] = []) {
    super(message)
    this.status = status
    this.code = code
    this.problems = problems
  }
}

/** The problems listed by the server, or else the message of the failure. */
export function problemsOf(failure: Error | null): string[] {
  if (failure === null) return []
  return failure instanceof ApiFailure && failure.problems.length > 0
    ? failure.problems.map(({ message }) => message)
    : [failure.message]
}

/** Reads why the server refused a request. */
export async function readFailure(reply: Response): Promise<ApiFailure> {
  const refusal = apiErrorSchema.safeParse(await reply.json().catch(() => undefined)).data
  if (!refusal) return new ApiFailure(reply.status, 'failed', `The server answered ${reply.status}. Try again.`)
  const { code, message, problems } = refusal.error
  return new ApiFailure(reply.status, code, message, problems)
}

type Send = (address: string, init: RequestInit) => Promise<Response>

/** The server accepts changes only as JSON, so that a form on another site cannot make any: no body becomes `{}`. */
function withBody(init: RequestInit): RequestInit {
  const isRead = init.method === 'GET' || init.method === 'HEAD'
  if (isRead || init.body) return init
  return { ...init, body: '{}', headers: { 'content-type': 'application/json' } }
}

/** With the session's key: the cookie alone opens nothing. */
function sendWithKey(address: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers)
  for (const [name, value] of Object.entries(sessionHeaders())) headers.set(name, value)
  const named = readRunsWithSeenNames()
  if (named.length > 0) headers.set(NAMES_SEEN_HEADER, writeSeenNames(named))
  return fetch(address, { ...init, headers })
}

/** Options for Hono's clients; tests pass their own `send`. */
export function requestOptions(send: Send = sendWithKey) {
  return {
    async fetch(address: string | URL | Request, init: RequestInit = {}) {
      const reply = await send(String(address), withBody(init)).catch((cause: unknown) => {
        if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
        throw new ApiFailure(
          0,
          'no-connection',
          'Benchmaker is not responding. Is it still running in its terminal? Everything stored is safe.',
        )
      })
      if (!reply.ok) throw await readFailure(reply)
      return reply
    },
    // Empty fields are omitted.
    buildSearchParams: (query) =>
      new URLSearchParams(Object.entries(query).flatMap(([name, value]) => (value ? [[name, String(value)]] : []))),
  } satisfies ClientRequestOptions
}

function encodeInput(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || !('param' in input)) return input
  const params = Object.entries(input.param ?? {}).map(([name, value]) => [name, encodeURIComponent(String(value))])
  return { ...input, param: Object.fromEntries(params) }
}

/** Encodes path parameters, which Hono's client does not: a `/` or `?` in one would change the address. */
export function encodeParams<Client extends object>(client: Client): Client {
  return new Proxy(client, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? encodeParams(value) : value
    },
    apply(target, self, [input, ...rest]: unknown[]) {
      if (typeof target !== 'function') throw new TypeError('not a request')
      return Reflect.apply(target, self, [encodeInput(input), ...rest])
    },
  })
}

/** The reply of a route, with the type the route declares. Throws if the request was refused. */
export async function readReply<Reply>(sent: Promise<ClientResponse<Reply, number, 'json'>>): Promise<Reply> {
  return (await sent).json()
}

/** Like `readReply`, with whole numbers beyond 2^53 as they are. */
export async function readExactReply<Reply>(sent: Promise<ClientResponse<Reply, number, 'json'>>): Promise<Reply> {
  return parseExactJson<Reply>(await (await sent).text())
}

/** A route's address with the session's key, for links and event streams: `apiAddress(api.runs[':id'].events.$path({ param: { id } }))`. */
export function apiAddress(path: string): string {
  return addSessionKey(API_ADDRESS + path)
}

/** The same of what a screen links to that names the models already. */
export function namedAddress(path: string): string {
  return apiAddress(`${path}${path.includes('?') ? '&' : '?'}names=shown`)
}
