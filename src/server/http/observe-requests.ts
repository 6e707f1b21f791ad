import { randomBytes } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import { senderOf } from '../access/people.ts'

/** One request, without what the user sent: no query, no body, no header. */
export interface ObservedRequest {
  id: string
  method: string
  /** The pattern, such as `/api/runs/:id`; an address itself may hold a token. */
  route: string
  status: number
  /** Until the reply started; an event stream goes on. */
  ms: number
  /** The account that sent the request, if there are accounts. */
  person?: string | undefined
  /** What the route threw, if the reply is an error of the server's. */
  error?: unknown
}

export interface ObserveOptions {
  observe(request: ObservedRequest): void
}

/** A proxy's own id is kept, so that its log and ours can be compared. */
function readRequestId(c: Context): string {
  const given = c.req.header('x-request-id') ?? ''
  return /^[\w.-]{8,64}$/.test(given) ? given : randomBytes(8).toString('hex')
}

/** The pattern of the handler; what matches everything stands for pages and files. */
function findRoute(c: Context): string {
  return matchedRoutes(c).find(({ path }) => !path.includes('*'))?.path ?? '*'
}

/** Reports each request once its reply is known, and names it in the reply. */
export function observeRequests({ observe }: ObserveOptions): MiddlewareHandler {
  return async (c, next) => {
    const startedAt = performance.now()
    const id = readRequestId(c)
    await next()
    c.res.headers.set('x-request-id', id)
    observe({
      id,
      method: c.req.method,
      route: findRoute(c),
      status: c.res.status,
      ms: Math.round(performance.now() - startedAt),
      person: senderOf(c.req.raw),
      ...(c.res.status >= 500 && c.error && { error: c.error }),
    })
  }
}
