import { Refusal } from './refusal.ts'

/** The request as the socket received it: checked before anything merges or drops headers. */
export interface BareRequest {
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
  ['/api/imports', ['application/octet-stream']],
  ['/api/imports/preview', ['application/octet-stream']],
])

function valuesOf({ rawHeaders }: BareRequest, name: string): string[] {
  return rawHeaders.flatMap((header, index) =>
    index % 2 === 0 && header.toLowerCase() === name ? [rawHeaders[index + 1] ?? ''] : [],
  )
}

/** Where the server can be reached. */
export interface GuardPlace {
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
export function guardRequest(request: BareRequest, place: GuardPlace): void {
  const { method, url } = request
  const ownOrigin = checkHost(request, place)
  if (!METHODS.has(method)) throw new Refusal(405, 'method', `The method ${method} is not supported.`)
  // Some parsers read "//other.host/…" and "\…" as addresses of another host.
  if (!url.startsWith('/') || /^\/[/\\]|\\/.test(url))
    throw new Refusal(400, 'bad-address', 'The address is not on this server.')
  checkOrigin(request, ownOrigin, place)
  if (method !== 'GET' && method !== 'HEAD') checkContentType(request, url.split(/[?#]/)[0]!)
}
