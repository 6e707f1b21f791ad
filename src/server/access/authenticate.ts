import type { Context, MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import { isAtLeast, type Activity, type Role, type Storage, messageOf } from '../../contract/index.ts'
import { findSessionAccount } from '../../access/index.ts'
import { Refusal } from '../http/refusal.ts'
import { refuseSpent } from './budgets.ts'
import { endWithSession } from './end-with-session.ts'
import { actFor, noteSender, type Signed } from './people.ts'
import { ruleOf } from './route-rules.ts'
import { readSessionCookie, type TeamOptions } from './team.ts'

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
  return values.length === 0 ? undefined : values.map(decode).join(' ')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
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

/**
 * The one place that decides whether a request of a team server may be answered: by the session, the role and the route
 * that was declared for the address. Everything that changes something is written to the log.
 */
export function authenticate({ storage, now, team, log }: AuthenticateOptions): MiddlewareHandler {
  return async (c, next) => {
    const secret = readSessionCookie(c, team)
    const account = secret === undefined ? undefined : await findSessionAccount(secret, { storage, now })
    if (secret === undefined || !account) throw new Refusal(401, 'signed-out', 'Sign in to continue.')
    noteSender(c.req.raw, account)
    const route = findRoute(c)
    const { role, action, spends } = ruleOf(route.method, route.path)
    const person = { id: account.id, name: account.name }
    if (!isAtLeast(account.role, role)) {
      const refused = `${route.method} ${c.req.path}`
      await addToLog({ at: now(), person, action: 'request refused', object: refused }, { storage, log })
      throw new Refusal(
        403,
        'role',
        `Only ${withArticle[role]} may do this, and you are ${withArticle[account.role]}. Ask an admin.`,
      )
    }
    const signed: Signed = { account }
    await actFor(signed, async () => {
      if (spends) await refuseSpent({ person }, { storage, now: now() })
      await next()
    })
    if (action !== undefined && c.res.ok) {
      const object = signed.object ?? namedBy(route.path, c.req.path)
      await addToLog({ at: now(), person, action, ...(object !== undefined && { object }) }, { storage, log })
    }
    if (c.res.headers.get('content-type')?.startsWith('text/event-stream'))
      c.res = endWithSession(c.res, async () => (await findSessionAccount(secret, { storage, now })) !== undefined)
  }
}
