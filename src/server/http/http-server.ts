import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { InputError } from '../../contract/index.ts'
import { answerHealth } from '../../operations/health-server.ts'
import type { Health } from '../../operations/health.ts'
import { messagePage } from './message-page.ts'
import { Refusal } from './refusal.ts'
import { dataHeaders, pageHeaders } from './security-headers.ts'

/** The request as the socket received it: checked before anything merges or drops headers. */
interface BareRequest {
  method: string
  url: string
  /** Name, value, name, value, … */
  rawHeaders: readonly string[]
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE'])

/** File uploads: all other writes are JSON. */
const UPLOADS = new Map([
  ['/api/settings/restore', ['application/octet-stream']],
  ['/api/tool-calls', ['application/json', 'application/octet-stream']],
  ['/api/trajectories/files', ['application/octet-stream']],
  ['/api/imports', ['application/octet-stream']],
  ['/api/imports/preview', ['application/octet-stream']],
])

function valuesOf({ rawHeaders }: BareRequest, name: string): string[] {
  return rawHeaders.flatMap((header, index) =>
    index % 2 === 0 && header.toLowerCase() === name ? [rawHeaders[index + 1] ?? ''] : [],
  )
}

/** Where the server can be reached. */
interface GuardPlace {
  port: number
  /** A team server's address; without it, only this machine's own names for itself count. */
  publicUrl?: string | undefined
  /** Headers of a proxy are read only if one was declared. */
  isBehindProxy?: boolean
}

function readHost(request: BareRequest): string {
  const hosts = valuesOf(request, 'host')
  if (hosts.length !== 1)
    throw new Refusal(400, 'bad-host', `The request has ${hosts.length} Host headers; it must have exactly one.`)
  return hosts[0]!
}

/** A proxy either passes the name on that the person typed, or says it in a header of its own. */
function checkPublicHost(request: BareRequest, publicUrl: URL, isBehindProxy: boolean): void {
  const host = readHost(request)
  const forwarded = isBehindProxy ? valuesOf(request, 'x-forwarded-host') : []
  const isOurs = forwarded.length === 0 ? host === publicUrl.host : forwarded.every((name) => name === publicUrl.host)
  if (!isOurs) throw new Refusal(403, 'foreign-host', `This server answers only to ${publicUrl.host}.`)
  const schemes = isBehindProxy ? valuesOf(request, 'x-forwarded-proto') : []
  if (schemes.some((scheme) => scheme !== 'https'))
    throw new Refusal(403, 'not-encrypted', `Open ${publicUrl.origin}: the connection must be encrypted.`)
}

function checkHost(request: BareRequest, { port, publicUrl, isBehindProxy = false }: GuardPlace): string {
  if (publicUrl !== undefined) {
    const url = new URL(publicUrl)
    checkPublicHost(request, url, isBehindProxy)
    return url.origin
  }
  const host = readHost(request)
  // DNS rebinding: another site can point its own name at this machine; its requests then carry that name.
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`)
    throw new Refusal(403, 'foreign-host', `This server answers only to 127.0.0.1:${port} and localhost:${port}.`)
  return `http://${host}`
}

/**
 * The page that opens the browser is a private file, so a browser calls its request one from another site. A token in
 * it proves where it comes from; no data is sent in reply.
 */
function isSignIn(request: BareRequest, { publicUrl }: GuardPlace): boolean {
  const only = (name: string, value: string) => {
    const values = valuesOf(request, name)
    return values.length === 1 && values[0] === value
  }
  return (
    request.method === 'GET' &&
    (publicUrl === undefined
      ? /^\/\?token=[\w-]{43}$/.test(request.url)
      : // The OpenID provider sends the browser back; the state in the address proves that it left from here.
        request.url.startsWith('/auth/callback?')) &&
    only('sec-fetch-mode', 'navigate') &&
    only('sec-fetch-dest', 'document')
  )
}

function checkOrigin(request: BareRequest, ownOrigin: string, place: GuardPlace): void {
  const isForeign = valuesOf(request, 'origin').some((origin) => origin !== ownOrigin)
  if (isForeign) throw new Refusal(403, 'foreign-origin', 'The request comes from another site.')
  const isElsewhere = valuesOf(request, 'sec-fetch-site').some((site) => site !== 'same-origin' && site !== 'none')
  if (isElsewhere && !isSignIn(request, place))
    throw new Refusal(403, 'foreign-site', 'The request comes from another site. Open Benchmaker at its own address.')
}

/** Requires a type that a form or a simple cross-site request cannot send. */
function checkContentType(request: BareRequest, path: string): void {
  const allowed = UPLOADS.get(path) ?? ['application/json']
  const types = valuesOf(request, 'content-type').map((type) => type.split(';')[0]!.trim().toLowerCase())
  if (types.length !== 1 || !allowed.includes(types[0]!))
    throw new Refusal(415, 'content-type', `The content type must be ${allowed.join(' or ')}.`)
}

/** Throws a `Refusal` for any request that does not come from our own page. */
function guardRequest(request: BareRequest, place: GuardPlace): void {
  const { method, url } = request
  const ownOrigin = checkHost(request, place)
  if (!METHODS.has(method)) throw new Refusal(405, 'method', `The method ${method} is not supported.`)
  // Some parsers read "//other.host/…" and "\…" as addresses of another host.
  if (!url.startsWith('/') || /^\/[/\\]|\\/.test(url))
    throw new Refusal(400, 'bad-address', 'The address is not on this server.')
  checkOrigin(request, ownOrigin, place)
  if (method !== 'GET' && method !== 'HEAD') checkContentType(request, url.split(/[?#]/)[0]!)
}

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
