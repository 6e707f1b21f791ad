import { Hono, type Context, type Next } from 'hono'
import { z } from 'zod'
import { getCookie, setCookie } from 'hono/cookie'
import { observeRequests, type ObserveOptions } from './observe-requests.ts'
import { enterPage, missingPage, notBuiltPage, signInPage, usedLinkPage } from './message-page.ts'
import type { ServerContext } from '../context.ts'
import { Refusal } from './refusal.ts'
import { authenticate } from '../access/authenticate.ts'
import { accountRoutes } from '../access/account-routes.ts'
import { signInRoutes } from '../access/sign-in-routes.ts'
import { createTeamCalls } from '../access/team-calls.ts'
import { createTeamRuns } from '../access/team-runs.ts'
import { teamRoutes } from '../access/team-routes.ts'
import type { TeamOptions } from '../access/team.ts'
import { appRoutes } from './app-routes.ts'
import { conversationRoutes } from '../code-arena/conversation-routes.ts'
import { keepNames } from '../code-arena/keep-names.ts'
import { codeArenaRoutes } from '../code-arena/routes.ts'
import { compareRoutes } from '../results/compare/compare-routes.ts'
import { auditRoutes } from '../judges/audit-routes.ts'
import { comparingRoutes } from '../comparing/routes.ts'
import { importRoutes } from '../imports/routes.ts'
import { judgeRoutes } from '../judges/routes.ts'
import { modelRoutes } from '../settings/model-routes.ts'
import { playgroundRoutes } from '../playground/routes.ts'
import { ratingRoutes } from '../ratings/routes.ts'
import { rankingRoutes } from '../rankings/routes.ts'
import { caseRoutes } from '../results/cases/case-routes.ts'
import { overviewRoutes } from '../results/overview/overview-routes.ts'
import { resultsRoutes } from '../results/routes.ts'
import { runRoutes } from '../runs/routes.ts'
import { scorerRoutes } from '../suites/scorer-routes.ts'
import { settingsRoutes } from '../settings/routes.ts'
import { suiteRoutes } from '../suites/routes.ts'
import { sharedPage, sharingRoutes } from '../sharing/routes.ts'
import { toolCallRoutes } from '../tool-calls/routes.ts'
import { trajectoryRoutes } from '../trajectories/routes.ts'
import { dataHeaders, pageHeaders } from './security-headers.ts'
import { readSessionKey } from './session-key.ts'
import { readLinkRequest, writeLinkReply } from './server-file.ts'
import type { Sessions } from './sessions.ts'
import { randomBytes } from 'node:crypto'
import {
  ClientError,
  InputError,
  ScoringError,
  StorageError,
  VersionConflict,
  withSessionKey,
  type ApiError,
} from '../../contract/index.ts'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const TYPES = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.ico', 'image/x-icon'],
  ['.woff2', 'font/woff2'],
  ['.txt', 'text/plain; charset=utf-8'],
])

/** These are already compressed. */
const COMPRESSED = new Set(['.png', '.ico', '.woff2'])

const compress = promisify(gzip)

interface StaticFile {
  type: string
  /** Its name changes with its content, so a browser may cache it forever. */
  isHashed: boolean
  read(): Promise<Uint8Array<ArrayBuffer>>
  /** Absent if compression is not worth it. */
  readCompressed?: () => Promise<Uint8Array<ArrayBuffer>>
}

function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => (loaded ??= load())
}

/** Every file of the web app by its path, listed at start: no other path can reach a file. */
function listStaticFiles(folder: string): Map<string, StaticFile> {
  const files = new Map<string, StaticFile>()
  let entries
  try {
    entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  } catch {
    return files
  }
  for (const entry of entries) {
    const extension = extname(entry.name).toLowerCase()
    const type = TYPES.get(extension)
    if (!entry.isFile() || type === undefined) continue
    const file = join(entry.parentPath, entry.name)
    const read = once(async () => new Uint8Array(await readFile(file)))
    const path = `/${relative(folder, file).split(sep).join('/')}`
    files.set(path, {
      type,
      // Elsewhere a name may look hashed, as `continuous-integration.html` does.
      isHashed: path.startsWith('/assets/') && /-[\w-]{8,}\.\w+$/.test(entry.name),
      read,
      ...(!COMPRESSED.has(extension) && {
        readCompressed: once(async () => new Uint8Array(await compress(await read(), { level: 9 }))),
      }),
    })
  }
  return files
}

interface ErrorReply {
  status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503
  body: ApiError
}

interface ErrorTools {
  /** Removes keys from a text. */
  redact(text: string): string
  log(line: string, error?: unknown): void
}

function errorReply(status: ErrorReply['status'], code: string, message: string): ErrorReply {
  return { status, body: { error: { code, message } } }
}

/** Nothing was sent: the address is internal, or nothing is left of a budget. */
function wasRefusedHere({ kind, status, unbilled = false }: ClientError): boolean {
  return kind === 'refused' && status === undefined && unbilled
}

function toKnownReply(error: unknown): ErrorReply | undefined {
  if (error instanceof Refusal) {
    const { status, code, message, problems } = error
    return { status, body: { error: { code, message, ...(problems && { problems }) } } }
  }
  if (error instanceof VersionConflict) return errorReply(409, 'version-conflict', error.message)
  if (error instanceof InputError) return errorReply(422, 'invalid', error.message)
  if (error instanceof StorageError) return errorReply(503, 'storage', error.message)
  if (error instanceof ClientError)
    return wasRefusedHere(error)
      ? errorReply(422, 'refused', error.message)
      : errorReply(502, 'provider', error.message)
  if (error instanceof ScoringError) return errorReply(422, error.code, error.message)
  return undefined
}

/** The error as shown on a screen. An unexpected one is shown only by an id; the log has the details under that id. */
export function toErrorReply(error: unknown, { redact, log }: ErrorTools): ErrorReply {
  const known = toKnownReply(error)
  if (known) {
    const { error: shown } = known.body
    const problems = shown.problems?.map((problem) => ({ ...problem, message: redact(problem.message) }))
    return { ...known, body: { error: { ...shown, message: redact(shown.message), ...(problems && { problems }) } } }
  }
  const id = randomBytes(4).toString('hex')
  log(redact(`error ${id}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`), error)
  return errorReply(
    500,
    'internal',
    `Something went wrong inside Benchmaker (error ${id}; see the terminal for details). Stored data is safe; try again.`,
  )
}

export interface AppOptions {
  sessions: Sessions
  /** The built web app. */
  webFolder: string
  /** Valid once the server is listening. */
  port(): number
  /** Lets the command line on this machine request a new link. */
  linkSecret: string
  /** Writes a private page that opens the app; returns its name. */
  createPage?(): string
  /** Removes keys from a text. */
  redact(text: string): string
  log(line: string, error?: unknown): void
  /** Reports every request. */
  observed?: ObserveOptions
  /** Origins that pages may frame: the Code Arena's previews. */
  previewOrigins?: readonly string[]
  /** People sign in; without it, whoever has the link from the terminal may do everything. */
  team?: TeamOptions | undefined
}

const ROUTES = [
  appRoutes,
  modelRoutes,
  suiteRoutes,
  scorerRoutes,
  runRoutes,
  settingsRoutes,
  resultsRoutes,
  caseRoutes,
  overviewRoutes,
  rankingRoutes,
  compareRoutes,
  playgroundRoutes,
  toolCallRoutes,
  trajectoryRoutes,
  importRoutes,
  judgeRoutes,
  ratingRoutes,
  auditRoutes,
  comparingRoutes,
  codeArenaRoutes,
  conversationRoutes,
]

/** Cookies ignore ports, so the name includes the port to keep servers apart. */
function cookieName(port: number): string {
  return `benchmaker-${port}`
}

const COOKIE_LIFE_SECONDS = 30 * 24 * 3600

/** Enough for the app's page, which holds no data: every port of this host gets the cookie. */
function hasCookie(c: Context, { sessions, port }: AppOptions): boolean {
  const cookie = getCookie(c, cookieName(port()))
  return cookie !== undefined && sessions.isOpen(cookie)
}

/** The same address without its token; a second leading slash would redirect to another host. */
function withoutToken(url: URL): string {
  const query = new URLSearchParams(url.searchParams)
  query.delete('token')
  return `/${url.pathname.replace(/^\/+/, '')}${query.size > 0 ? `?${query}` : ''}`
}

async function sendFile(c: Context, file: StaticFile, headers: Record<string, string>): Promise<Response> {
  const isCompressed = file.readCompressed && /\bgzip\b/.test(c.req.header('accept-encoding') ?? '')
  return c.body(await (isCompressed ? file.readCompressed! : file.read)(), 200, {
    ...headers,
    'content-type': file.type,
    vary: 'accept-encoding',
    ...(isCompressed && { 'content-encoding': 'gzip' }),
    'cache-control': file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
  })
}

/** True for a link on the private page; older browsers do not say where a request comes from. */
function mayBeCrossSite(c: Context): boolean {
  const site = c.req.header('sec-fetch-site')
  if (site === undefined) return c.req.header('accept')?.includes('text/html') ?? false
  return site !== 'none' && site !== 'same-origin'
}

/** Tells the app to ask who is signed in before it shows anything. */
const TEAM_MARK = '<meta name="benchmaker-team" content="on">'

async function sendTeamPage(c: Context, page: StaticFile, headers: Record<string, string>): Promise<Response> {
  const text = new TextDecoder().decode(await page.read())
  const marked = text.includes('<head>')
    ? text.replace('<head>', `<head>${TEAM_MARK}`)
    : text.replace('<title>', `${TEAM_MARK}<title>`)
  return c.html(marked, 200, { ...headers, 'cache-control': 'no-cache' })
}

/** The app's pages, and its files, which need no session because they hold no data. */
function pageRoutes(options: AppOptions): Hono {
  const { sessions, port, webFolder, team, previewOrigins = [] } = options
  const headers = pageHeaders(previewOrigins)
  const files = listStaticFiles(webFolder)
  const page = files.get('/index.html')
  const pages = new Hono()

  pages.get('*', async (c) => {
    const url = new URL(c.req.url)
    const token = url.searchParams.get('token')
    if (!team && token !== null && c.req.method === 'GET') {
      const opened = sessions.exchange(token)
      if (!opened && !hasCookie(c, options)) return c.html(usedLinkPage, 403, headers)
      if (opened)
        setCookie(c, cookieName(port()), opened.cookie, {
          path: '/',
          httpOnly: true,
          sameSite: 'Strict',
          maxAge: COOKIE_LIFE_SECONDS,
        })
      const address = opened ? withSessionKey(withoutToken(url), opened.key) : withoutToken(url)
      if (mayBeCrossSite(c)) return c.html(enterPage(address), 200, headers)
      return c.body(null, 302, { ...headers, location: address })
    }
    if (/^\/help\/?$/.test(url.pathname)) return c.body(null, 302, { ...headers, location: '/help/index.html' })
    const file = url.pathname === '/index.html' ? undefined : files.get(url.pathname)
    if (file) return sendFile(c, file, headers)
    if (/\.[a-z0-9]{1,5}$/i.test(url.pathname)) return c.html(missingPage, 404, headers)
    // The page holds no data: it asks who is signed in, and shows how to sign in.
    if (team && page) return sendTeamPage(c, page, headers)
    if (!team && !hasCookie(c, options)) return c.html(signInPage, 401, headers)
    return page ? sendFile(c, page, headers) : c.html(notBuiltPage, 503, headers)
  })
  return pages
}

const linkRequestSchema = z.object({ wantsPage: z.boolean().optional() })

/** Called by `benchmaker serve` if a server is already running with the same data. */
function linkRoute({ linkSecret, sessions, createPage }: AppOptions): Hono {
  return new Hono().post('/local/link', async (c) => {
    const challenge = readLinkRequest(c.req.header('authorization') ?? '', linkSecret)
    if (challenge === undefined) throw new Refusal(401, 'no-session', 'The secret does not belong to this server.')
    const { wantsPage = false } = linkRequestSchema.safeParse(await c.req.json().catch(() => ({}))).data ?? {}
    return c.json(writeLinkReply(linkSecret, challenge, sessions.createToken(), wantsPage ? createPage?.() : undefined))
  })
}

function dataRoutes(context: ServerContext, options: AppOptions): Hono {
  const data = new Hono()
  const { team, log } = options
  if (team) data.use(authenticate({ storage: context.storage, now: context.now, team, log }))
  else
    data.use(async (c: Context, next: Next) => {
      if (!hasCookie(c, options) || !options.sessions.hasKey(readSessionKey(c)))
        throw new Refusal(401, 'no-session', 'Open Benchmaker with the link printed in its terminal.')
      await next()
    })
  data.use(keepNames(context.storage))
  const own = team ? { ...context, ...createTeamCalls(context), runs: createTeamRuns(context) } : context
  for (const routes of ROUTES) data.route('/', routes(own))
  if (team) data.route('/', teamRoutes(own, team)).route('/', accountRoutes(own)).route('/', sharingRoutes(own, team))
  data.all('*', () => {
    throw new Refusal(404, 'not-found', 'There is nothing at this address.')
  })
  return data
}

/** All routes. Requests must pass `guardRequest` first. */
export function createApp(context: ServerContext, options: AppOptions): Hono {
  const app = new Hono()
  if (options.observed) app.use(observeRequests(options.observed))
  for (const path of ['/api/*', '/local/*', '/auth/*']) app.use(path, (c, next) => next().then(() => setDataHeaders(c)))
  app.route('/api', dataRoutes(context, options))
  if (options.team)
    app.route('/', signInRoutes(context, { team: options.team, log: options.log })).route('/', sharedPage(context))
  else app.route('/', linkRoute(options))
  app.route('/', pageRoutes(options))
  app.notFound((c) => c.html(missingPage, 404, pageHeaders(options.previewOrigins ?? [])))
  app.onError((error, c) => {
    const { status, body } = toErrorReply(error, options)
    return c.json(body, status, dataHeaders)
  })
  return app
}

/** A route may say itself how long its reply can be kept, as for pictures that never change. */
function setDataHeaders(c: Context): void {
  // Pages around a sign-in bring their own.
  if (c.req.path.startsWith('/auth/') && c.res.headers.get('content-type')?.startsWith('text/html')) return
  const kept = c.res.headers.get('cache-control')
  for (const [name, value] of Object.entries(dataHeaders)) c.res.headers.set(name, value)
  if (kept !== null) c.res.headers.set('cache-control', kept)
}
