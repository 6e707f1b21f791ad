import type { ClientRequestOptions, ClientResponse } from 'hono/client'
import { apiErrorSchema, type Problem } from '../contract/index.ts'

export const API_ADDRESS = '/api'

/** What the server refused, in its words. */
export class ApiFailure extends Error {
  override name = 'ApiFailure'
  /** 0 when the server did not answer. */
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

/** Why the server refused, from its reply. */
export async function readFailure(reply: Response): Promise<ApiFailure> {
  const refusal = apiErrorSchema.safeParse(await reply.json().catch(() => undefined)).data
  if (!refusal) return new ApiFailure(reply.status, 'failed', `The server answered ${reply.status}. Try again.`)
  const { code, message, problems } = refusal.error
  return new ApiFailure(reply.status, code, message, problems)
}

type Ask = (address: string, init: RequestInit) => Promise<Response>

/** The server accepts a change only as JSON, so that no form of another site can make one: a request without a body sends `{}`. */
function withBody(init: RequestInit): RequestInit {
  const isReading = init.method === 'GET' || init.method === 'HEAD'
  if (isReading || init.body) return init
  return { ...init, body: '{}', headers: { 'content-type': 'application/json' } }
}

/** How clients ask the server; `ask` is handed in by tests. */
export function requestOptions(ask: Ask = (address, init) => fetch(address, init)) {
  return {
    async fetch(address: string | URL | Request, init: RequestInit = {}) {
      const reply = await ask(String(address), withBody(init)).catch((cause: unknown) => {
        if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
        throw new ApiFailure(
          0,
          'no-connection',
          'Benchmaker does not answer. Is it still running in its terminal? What was stored is safe.',
        )
      })
      if (!reply.ok) throw await readFailure(reply)
      return reply
    },
    // A field that was not filled in is left out.
    buildSearchParams: (query) =>
      new URLSearchParams(Object.entries(query).flatMap(([name, value]) => (value ? [[name, String(value)]] : []))),
  } satisfies ClientRequestOptions
}

function encodeInput(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || !('param' in input)) return input
  const params = Object.entries(input.param ?? {}).map(([name, value]) => [name, encodeURIComponent(String(value))])
  return { ...input, param: Object.fromEntries(params) }
}

/** Hono's client puts path parameters into the address as they are: a `/` or `?` in one would lead elsewhere. */
export function encodeParams<Client extends object>(client: Client): Client {
  return new Proxy(client, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? encodeParams(value) : value
    },
    apply(target, self, [input, ...rest]: unknown[]) {
      if (typeof target !== 'function') throw new TypeError('only requests can be sent')
      return Reflect.apply(target, self, [encodeInput(input), ...rest])
    },
  })
}

/** What a route replies, typed by the route itself; a refusal was thrown before. */
export async function readReply<Reply>(sent: Promise<ClientResponse<Reply, number, 'json'>>): Promise<Reply> {
  return (await sent).json()
}

/** The address of a route for a link or an event stream: `apiAddress(api.runs[':id'].events.$path({ param: { id } }))`. */
export function apiAddress(path: string): string {
  return API_ADDRESS + path
}
