import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { InputError } from '../../contract/index.ts'
import { answerHealth } from '../../operations/health/health-server.ts'
import type { Health } from '../../operations/health/health.ts'
import { messagePage } from './message-page.ts'
import { Refusal } from './refusal.ts'
import { guardRequest, type GuardPlace } from './request-guard.ts'
import { dataHeaders, pageHeaders } from './security-headers.ts'

export interface ListeningServer {
  port: number
  /** Stops listening; requests in progress have `waitMs` to finish. */
  close(options?: { waitMs?: number }): Promise<void>
}

/** How many ports to try after the preferred one. */
const NEXT_PORTS = 20

const LOOPBACK = '127.0.0.1'

/** A person who followed a link from another site gets a page with a way in; other requests get JSON. */
function refuse({ status, code, message }: Refusal, request: IncomingMessage, response: ServerResponse): void {
  const url = request.url ?? '/'
  const isPage =
    code === 'foreign-site' &&
    request.headers['sec-fetch-mode'] === 'navigate' &&
    request.method === 'GET' &&
    !url.startsWith('/api/')
  // The connection may carry a second request behind the refused one.
  response.shouldKeepAlive = false
  if (isPage) {
    response.writeHead(status, { ...pageHeaders([]), 'content-type': 'text/html; charset=utf-8' })
    response.end(
      messagePage({
        title: 'Opened from another site',
        lines: ['To confirm that you meant to open it, continue from here.'],
        link: { to: url, text: 'Go to Benchmaker' },
      }),
    )
    return
  }
  response.writeHead(status, { ...dataHeaders, 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: { code, message } }))
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, exclusive: true }, () => {
      server.off('error', reject)
      const address: AddressInfo | string | null = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}

async function listenNear(
  server: Server,
  { port: preferred, isFixed = false, host = LOOPBACK }: ListenOptions,
): Promise<number> {
  for (let port = preferred; ; port++) {
    try {
      return await listen(server, port, host)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      const isTaken = code === 'EADDRINUSE' || code === 'EACCES'
      if (isTaken && !isFixed && preferred > 0 && port < preferred + NEXT_PORTS && port < 65_535) continue
      if (isTaken)
        throw new InputError(`port ${port} is taken by another program; choose another with --port`, { cause: error })
      throw error
    }
  }
}

export interface ListenOptions {
  /** 0 for any free port. */
  port: number
  /** Throws if the port is taken, instead of using the next free one. */
  isFixed?: boolean
  /** Serves `/healthz` and `/readyz`, and refuses changes while the process is stopping. */
  health?: Health
  onRefused?: (request: IncomingMessage, refusal: Refusal) => void
  /** The address to listen on; loopback unless `serve` has checked that another one is safe. */
  host?: string
  tls?: { cert: string; key: string } | undefined
  /** For a team server: how people reach it. Valid once it is listening. */
  place?: () => Omit<GuardPlace, 'port'>
}

const stopping = new Refusal(503, 'stopping', 'Benchmaker is stopping or restarting. Try again in a moment.')

function isReading({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Listens on the loopback address unless told otherwise. Every request is checked before the app sees it. */
export async function startHttpServer(app: Hono, options: ListenOptions): Promise<ListeningServer> {
  const { port: preferred, tls, health, onRefused, place = (): Omit<GuardPlace, 'port'> => ({}) } = options
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  let port = preferred
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    if (health && answerHealth(health, request, response)) return
    try {
      if (health?.isStopping() && !isReading(request)) throw stopping
      const found = place()
      if (found.publicUrl?.startsWith('https:')) response.setHeader('strict-transport-security', 'max-age=31536000')
      guardRequest(
        { method: request.method ?? '', url: request.url ?? '', rawHeaders: request.rawHeaders },
        { port, ...found },
      )
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      onRefused?.(request, error)
      refuse(error, request, response)
      return
    }
    void answer(request, response)
  }
  const server: Server = tls ? createSecureServer(tls, onRequest) : createServer(onRequest)
  // Longer than proxies and browsers keep idle connections: a request on one that closes at that moment would fail.
  server.keepAliveTimeout = 75_000
  port = await listenNear(server, options)
  return {
    port,
    close: ({ waitMs = 0 } = {}) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => server.closeAllConnections(), waitMs)
        server.close(() => {
          clearTimeout(timer)
          resolve()
        })
        if (waitMs === 0) server.closeAllConnections()
      }),
  }
}
