import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SESSION_KEY_HEADER, SESSION_KEY_QUERY } from '../../contract/index.ts'
import { createApp } from '../http/app.ts'
import { startHttpServer } from '../http/http-server.ts'
import type { ServerContext } from '../context.ts'
import { openSessions } from '../http/sessions.ts'

interface Composed {
  context: ServerContext
  redact(text: string): string
  close(): Promise<void>
}

/** The command line's wiring is passed in: this room must not import it. */
type Compose = (options: { dataFolder: string; env: NodeJS.ProcessEnv; log(line: string): void }) => Promise<Composed>

export interface StartOptions {
  compose: Compose
  /** The folder of an earlier server; a new one by default. */
  dataFolder?: string
  env?: NodeJS.ProcessEnv
  /** The same port as before keeps an open tab's session. */
  port?: number
  previewOrigins?: string[]
  /** Changes the context before the routes get it. */
  adapt?: (context: ServerContext) => ServerContext
}

export interface Reply {
  status: number
  headers: IncomingHttpHeaders
  rawHeaders: string[]
  text: string
  /** The body parsed as JSON, assumed to be of the route's type. */
  json<T = unknown>(): T
}

interface RequestOptions {
  method?: string
  headers?: Record<string, string | string[]>
  body?: string | Uint8Array
}

export interface StartedServer {
  port: number
  origin: string
  dataFolder: string
  context: ServerContext
  linkSecret: string
  log: string[]
  /** The cookie of an open session. `ask` adds the key to it, as the web app does. */
  cookie: string
  /** The headers of an open session: cookie and key. */
  session: Record<string, string>
  createToken(): string
  /** Sends exactly these headers, plus Host. */
  ask(path: string, options?: RequestOptions): Promise<Reply>
  /** Like the web app: with the session, JSON in and out; throws unless the status is 2xx. */
  get<T = unknown>(path: string): Promise<T>
  send<T = unknown>(method: string, path: string, body?: unknown): Promise<T>
  /** Like `send`, but returns any status. */
  try(method: string, path: string, body?: unknown): Promise<Reply>
  /** Opens an event stream and returns a reader of its events. */
  watch(path: string): EventReader
  /** Stops the server and keeps its data. */
  close(): Promise<void>
  /** Stops the server and deletes its data. */
  remove(): Promise<void>
}

export interface StreamedEvent {
  event: string
  data: unknown
}

export interface EventReader {
  next(): Promise<StreamedEvent | undefined>
  /** All events until the stream ends. */
  rest(): Promise<StreamedEvent[]>
  /** The next event that matches. */
  until(matches: (event: StreamedEvent) => boolean): Promise<StreamedEvent>
  headers(): Promise<IncomingHttpHeaders>
  close(): void
}

function collect(reply: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    reply.on('data', (piece: Buffer) => pieces.push(piece))
    reply.on('end', () => resolve(Buffer.concat(pieces).toString('utf8')))
    reply.on('error', reject)
  })
}

function askServer(port: number, path: string, { method = 'GET', headers = {}, body }: RequestOptions): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const isChunked = 'transfer-encoding' in headers
    const length = body === undefined || isChunked ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const outgoing = request(
      { host: '127.0.0.1', port, path, method, headers: { ...length, ...headers }, agent: false },
      (reply) => {
        collect(reply).then(
          (text) =>
            resolve({
              status: reply.statusCode ?? 0,
              headers: reply.headers,
              rawHeaders: reply.rawHeaders,
              text,
              json: <T>(): T => JSON.parse(text),
            }),
          reject,
        )
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** What a browser keeps of the reply to a link: the cookie, and the key in the fragment. */
export function readSession({ headers }: { headers: IncomingHttpHeaders }): { cookie: string; [name: string]: string } {
  const [, key = ''] = String(headers.location).split(`#${SESSION_KEY_QUERY}=`)
  return { cookie: String(headers['set-cookie']).split(';')[0]!, [SESSION_KEY_HEADER]: key }
}

function parseEvent(block: string): StreamedEvent | undefined {
  const event = /^event: (.*)$/m.exec(block)?.[1]
  const data = /^data: (.*)$/m.exec(block)?.[1]
  return event === undefined || data === undefined ? undefined : { event, data: JSON.parse(data) }
}

function readEvents(port: number, path: string, session: Record<string, string>): EventReader {
  const found: StreamedEvent[] = []
  let isEnded = false
  let text = ''
  let wake: (() => void) | undefined
  const outgoing = request({ host: '127.0.0.1', port, path, headers: session, agent: false })
  const headers = new Promise<IncomingHttpHeaders>((resolve, reject) => {
    outgoing.on('error', reject)
    outgoing.on('response', (reply) => {
      resolve(reply.headers)
      reply.setEncoding('utf8')
      reply.on('data', (piece: string) => {
        text += piece
        const blocks = text.split('\n\n')
        text = blocks.pop()!
        found.push(...blocks.flatMap((block) => parseEvent(block) ?? []))
        wake?.()
      })
      reply.on('error', () => undefined)
      reply.on('close', () => {
        isEnded = true
        wake?.()
      })
    })
  })
  headers.catch(() => undefined)
  outgoing.end()
  const reader: EventReader = {
    headers: () => headers,
    async next() {
      await headers
      for (;;) {
        if (found.length > 0 || isEnded) return found.shift()
        await new Promise<void>((resolve) => (wake = resolve))
      }
    },
    async rest() {
      const events: StreamedEvent[] = []
      for (let event = await reader.next(); event; event = await reader.next()) events.push(event)
      return events
    },
    async until(matches) {
      for (let event = await reader.next(); event; event = await reader.next()) if (matches(event)) return event
      throw new Error('the stream ended before the event came')
    },
    close: () => outgoing.destroy(),
  }
  return reader
}

/** A real server on loopback with a real database and an open session. Simulated models answer without delay. */
export async function startServer({
  compose,
  dataFolder,
  env = {},
  port: preferredPort = 0,
  previewOrigins,
  adapt = (context) => context,
}: StartOptions): Promise<StartedServer> {
  const folder = dataFolder ?? mkdtempSync(join(tmpdir(), 'benchmaker-server-'))
  const webFolder = join(folder, 'web')
  mkdirSync(join(webFolder, 'assets'), { recursive: true })
  writeFileSync(
    join(webFolder, 'index.html'),
    '<!doctype html><title>Benchmaker</title><script type="module" src="/assets/main-abcdef12.js"></script>',
  )
  writeFileSync(join(webFolder, 'assets', 'main-abcdef12.js'), `export const big = ${JSON.stringify('x'.repeat(5000))}`)
  const log: string[] = []
  const app = await compose({
    dataFolder: folder,
    env: { BENCHMAKER_KEY_STORE: 'file', BENCHMAKER_DEMO_DELAY_MS: '0', ...env },
    log: (line) => log.push(line),
  })
  const sessions = openSessions({ dataFolder: folder, now: Date.now })
  let port = 0
  const linkSecret = 'a-secret-of-the-command-line-and-the-server'
  const options = {
    sessions,
    webFolder,
    port: () => port,
    linkSecret,
    redact: app.redact,
    log: (line: string) => log.push(line),
    ...(previewOrigins && { previewOrigins }),
  }
  const server = await startHttpServer(createApp(adapt(app.context), options), { port: preferredPort })
  port = server.port
  const session = readSession(await askServer(port, `/?token=${sessions.createToken()}`, {}))
  const { cookie } = session
  const ask = (path: string, { headers = {}, ...rest }: RequestOptions = {}) =>
    askServer(port, path, { ...rest, headers: { ...(headers['cookie'] === cookie && session), ...headers } })
  const tryJson = (method: string, path: string, body: unknown = {}) =>
    ask(path, {
      method,
      headers: { cookie, ...(method !== 'GET' && { 'content-type': 'application/json' }) },
      ...(method !== 'GET' && { body: JSON.stringify(body) }),
    })
  const sendJson = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const reply = await tryJson(method, path, body)
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`)
    return reply.json<T>()
  }
  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    await server.close()
    await app.close()
  }
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    dataFolder: folder,
    context: app.context,
    linkSecret,
    log,
    cookie,
    session,
    createToken: () => sessions.createToken(),
    ask,
    get: <T>(path: string) => sendJson<T>('GET', path),
    send: sendJson,
    try: tryJson,
    watch: (path) => readEvents(port, path, session),
    close,
    async remove() {
      await close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
