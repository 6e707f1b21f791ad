import type { Context, MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import {
  decodeAddressPart,
  isAtLeast,
  setLatest,
  type Account,
  type Activity,
  type ApiToken,
  type Role,
  type Storage,
  messageOf,
} from '../../contract/index.ts'
import { findSessionAccount, findTokenAccount, TOKEN_PREFIX } from '../../access/index.ts'
import { Refusal } from '../http/refusal.ts'
import { refuseSpent } from './budgets.ts'
import { actFor, noteSender, type Signed } from './people.ts'
import { readSession, type TeamOptions } from './team.ts'

/** What a route needs and how the log calls it. */
interface RouteRule {
  role: Role
  /** Undefined for requests that change nothing. */
  action?: string
  /** It calls models outside of a run: refused once the month's budget is spent. */
  spends?: boolean
}

/** Only admins: keys, endpoints, backups, people, budgets and the log. */
const ADMIN = /^\/api\/(?:settings|team)(?:\/|$)/

/** Everybody has these for their own account, and nobody by a token. */
const OWN = /^\/api\/account(?:\/|$)/

/** They have a body, but change and send nothing. */
const READS: ReadonlySet<string> = new Set([
  'POST /api/estimate',
  'POST /api/audits/estimate',
  'POST /api/playground/:runId/estimate',
  'POST /api/playground/estimate',
  'POST /api/suites/check',
  'POST /api/code-arena/preview',
])

const SPENDING: ReadonlySet<string> = new Set([
  'POST /api/calibrations',
  'POST /api/audits',
  'POST /api/suites/generate',
  'POST /api/suites/try',
])

/** How the log calls what people do; any other change is logged by its method and route. */
const ACTIONS: Readonly<Record<string, string>> = {
  'POST /api/runs': 'run started',
  'POST /api/runs/:id/resume': 'run resumed',
  'POST /api/runs/:id/stop': 'run stopped',
  'POST /api/runs/:id/rescore': 'run rescored',
  'DELETE /api/runs/:id': 'run deleted',
  'PUT /api/runs/:id/label': 'run labelled',
  'PUT /api/runs/:id/rating': 'answer rated',
  'POST /api/results/:selection/again': 'run started',
  'POST /api/results/:selection/links': 'result shared',
  'DELETE /api/results/:selection/links/:id': 'shared link revoked',
  'POST /api/playground/:runId/experiment': 'run started',
  'POST /api/playground/pair': 'run started',
  'POST /api/playground/:runId/save': 'suite saved',
  'POST /api/code-arena': 'run started',
  'POST /api/code-arena/:runId/follow-ups': 'run started',
  'POST /api/calibrations': 'judge calibrated',
  'DELETE /api/calibrations/:id': 'calibration deleted',
  'POST /api/audits': 'judge audited',
  'POST /api/audits/:id/stop': 'audit stopped',
  'DELETE /api/audits/:id': 'audit deleted',
  'POST /api/suites': 'suite saved',
  'PUT /api/suites/:id': 'suite saved',
  'DELETE /api/suites/:id': 'suite deleted',
  'POST /api/suites/import': 'suite imported',
  'POST /api/suites/generate': 'cases generated',
  'POST /api/suites/try': 'scorer tried',
  'POST /api/imports': 'results imported',
  'POST /api/imports/preview': 'results previewed',
  'POST /api/tool-calls': 'tool calls scored',
  'DELETE /api/tool-calls/:id': 'tool calls deleted',
  'PUT /api/settings/keys/:name': 'key saved',
  'DELETE /api/settings/keys/:name': 'key removed',
  'POST /api/settings/keys/:name/test': 'key tested',
  'PUT /api/settings/endpoints/:name': 'endpoint saved',
  'DELETE /api/settings/endpoints/:name': 'endpoint removed',
  'PUT /api/settings/browser': 'browser setting saved',
  'POST /api/settings/packages': 'packages installed',
  'DELETE /api/settings/packages/:name': 'package removed',
  'POST /api/settings/restore': 'backup restored',
  'GET /api/settings/backup': 'backup downloaded',
  'POST /api/team/invitations': 'person invited',
  'DELETE /api/team/invitations/:id': 'invitation withdrawn',
  'PUT /api/team/people/:id': 'account changed',
  'PUT /api/team/budgets': 'budget set',
  'GET /api/team/log/csv': 'log exported',
  'POST /api/account/tokens': 'token created',
  'DELETE /api/account/tokens/:id': 'token revoked',
  'POST /api/account/end-sessions': 'signed out everywhere',
}

/** The rule of a route, by the pattern that it was declared with: a new route is never open by mistake. */
export function ruleOf(method: string, path: string): RouteRule {
  const route = `${method} ${path}`
  const isRead = method === 'GET' || READS.has(route)
  const action = ACTIONS[route] ?? (isRead ? undefined : route)
  return {
    role: ADMIN.test(path) ? 'admin' : isRead || OWN.test(path) ? 'viewer' : 'runner',
    ...(action !== undefined && { action }),
    ...(SPENDING.has(route) && { spends: true }),
  }
}

const CHECK_MS = 10_000

/** A stream that was opened before an account was disabled must not go on for hours. */
function endWithSession(reply: Response, isOpen: () => Promise<boolean>): Response {
  if (!reply.body) return reply
  const reader = reply.body.getReader()
  let timer: NodeJS.Timeout | undefined
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      timer = setInterval(() => {
        // A database that is away for a moment ends no session.
        isOpen().then(
          (stillOpen) => {
            if (stillOpen) return
            clearInterval(timer)
            void reader.cancel()
            controller.close()
          },
          () => undefined,
        )
      }, CHECK_MS)
      timer.unref()
    },
    async pull(controller) {
      const { done, value } = await reader.read()
      if (!done) return controller.enqueue(value)
      clearInterval(timer)
      // Closed already if the session ended meanwhile.
      try {
        controller.close()
      } catch {
        return undefined
      }
      return undefined
    },
    cancel(reason) {
      clearInterval(timer)
      return reader.cancel(reason)
    },
  })
  return new Response(body, reply)
}

interface AuthenticateOptions {
  storage: Storage
  now(): number
  team: TeamOptions
  log(line: string): void
}

/** The route that will answer: the last one without a wildcard. */
function findRoute(c: Context): { method: string; path: string } {
  const method = c.req.method === 'HEAD' ? 'GET' : c.req.method
  const found = matchedRoutes(c).findLast((route) => route.method === method && !route.path.includes('*'))
  return { method, path: found?.path ?? '' }
}

/** What an address names: the values of a route's parameters. */
function namedBy(path: string, address: string): string | undefined {
  const actual = address.split('/')
  const values = path.split('/').flatMap((part, index) => (part.startsWith(':') ? [actual[index] ?? ''] : []))
  return values.length === 0 ? undefined : values.map(decodeAddressPart).join(' ')
}

const withArticle: Record<Role, string> = { viewer: 'a viewer', runner: 'a runner', admin: 'an admin' }

/** The log must not fail a request that has already done its work. */
export async function addToLog(
  activity: Activity,
  { storage, log }: Pick<AuthenticateOptions, 'storage' | 'log'>,
): Promise<void> {
  await storage.access
    .addActivity(activity)
    .catch((error: unknown) => log(`not written to the log (${activity.action}): ${messageOf(error)}`))
}

/** Who sent a request. A request with a token is the token's alone, whatever cookie comes with it. */
async function findSender(
  c: Context,
  { storage, now, team }: AuthenticateOptions,
): Promise<{ account: Account; token?: ApiToken } | undefined> {
  // What a proxy in front of the server puts into this header is not for us.
  const [, token] = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '') ?? []
  if (token?.startsWith(TOKEN_PREFIX)) return findTokenAccount(token, { storage, now })
  const secret = readSession(c, team)
  const account = secret === undefined ? undefined : await findSessionAccount(secret, { storage, now })
  return account && { account }
}

/** What a program reads again and again is logged once in this time, for each route. */
const READ_AGAIN_MS = 60_000
const MAX_READS = 10_000

/**
 * The one place that decides whether a request of a team server may be answered: by the session, the role and the route
 * that was declared for the address. Everything that changes something is written to the log.
 */
export function authenticate(options: AuthenticateOptions): MiddlewareHandler {
  const { storage, now, log } = options
  const reads = new Map<string, number>()
  const isNewRead = (read: string) => {
    const isNew = now() - (reads.get(read) ?? -Infinity) >= READ_AGAIN_MS
    if (isNew) setLatest(reads, read, now(), MAX_READS)
    return isNew
  }

  return async (c, next) => {
    const sender = await findSender(c, options)
    if (!sender) throw new Refusal(401, 'signed-out', 'Sign in to continue.')
    const { account, token } = sender
    noteSender(c.req.raw, account)
    const route = findRoute(c)
    const { role, action, spends } = ruleOf(route.method, route.path)
    const person = { id: account.id, name: account.name }
    const note = (activity: Pick<Activity, 'action' | 'object'>) =>
      addToLog({ at: now(), person, ...activity, ...(token && { detail: `token ${token.name}` }) }, { storage, log })
    const isOwn = OWN.test(route.path)
    if (!isAtLeast(account.role, role) || (isOwn && token)) {
      await note({ action: 'request refused', object: `${route.method} ${c.req.path}` })
      throw isOwn && token
        ? new Refusal(403, 'token', 'A token cannot change its account. Sign in to do this.')
        : new Refusal(
            403,
            'role',
            `Only ${withArticle[role]} may do this, and ${token ? 'the token acts as' : 'you are'} ${withArticle[account.role]}. Ask an admin.`,
          )
    }
    const signed: Signed = { account }
    await actFor(signed, async () => {
      if (spends) await refuseSpent({ person }, { storage, now: now() })
      await next()
    })
    const named = signed.object ?? namedBy(route.path, c.req.path)
    if (action !== undefined && c.res.ok) await note({ action, ...(named !== undefined && { object: named }) })
    else if (token && isNewRead(`${token.hash} ${route.method} ${route.path}`))
      await note({ action: 'token used', object: `${route.method} ${c.req.path}` })
    if (c.res.headers.get('content-type')?.startsWith('text/event-stream'))
      c.res = endWithSession(c.res, async () => (await findSender(c, options)) !== undefined)
  }
}
