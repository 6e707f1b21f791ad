import { Hono, type Context } from 'hono'
import {
  acceptRequestSchema,
  invitationRequestSchema,
  signInRequestSchema,
  type Account,
  type Role,
  messageOf,
  withSessionKey,
} from '../../contract/index.ts'
import {
  acceptInvitation,
  checkPassword,
  closeAccountSession,
  enterByProvider,
  findOpenInvitation,
  findSessionAccount,
  hashSecret,
  listAllowances,
  openAccountSession,
  type Allowance,
} from '../../access/index.ts'
import type { ServerContext } from '../context.ts'
import { enterPage, messagePage } from '../http/message-page.ts'
import { checkJson } from '../http/read-body.ts'
import { Refusal } from '../http/refusal.ts'
import { pageHeaders } from '../http/security-headers.ts'
import { createAttemptLimit } from './attempt-limit.ts'
import { addToLog } from './authenticate.ts'
import { signInStateSchema } from './openid.ts'
import {
  addressOf,
  deleteSession,
  readSession,
  setSession,
  setSignInCookie,
  takeSignInCookie,
  type TeamOptions,
} from './team.ts'

/** GET /auth/session: who is signed in, and how to sign in. */
export interface SessionView {
  person: { id: string; name: string; login: string; role: Role } | null
  /** The host of the OpenID provider; null without one. */
  openId: string | null
  /** The person's own budget for this month. */
  budget?: Pick<Allowance, 'monthly' | 'spent' | 'left'>
}

/** POST /auth/sign-in and /auth/accept */
interface EnteredView extends SessionView {
  /** What the web app keeps and sends beside the cookie; shown once. */
  key: string
}

/** POST /auth/invitation */
interface InvitationView {
  login: string
  role: Role
}

const OVER = 'This invitation was used already, or its time is over. Ask an admin for a new one.'

/** An address on this server; anything that a browser could take for another host is the start page. */
export function readReturnAddress(text: string | undefined): string {
  if (text === undefined || !/^\/(?![/\\])/.test(text) || /[\\\p{Cc}]/u.test(text)) return '/'
  const url = URL.parse(text, 'http://here.invalid')
  return url?.origin === 'http://here.invalid' && !url.pathname.startsWith('//')
    ? `${url.pathname}${url.search}${url.hash}`
    : '/'
}

export interface SignInOptions {
  team: TeamOptions
  log(line: string): void
}

/** The only routes of a team server that answer without a session. */
export function signInRoutes(context: ServerContext, { team, log }: SignInOptions) {
  const { storage, now } = context
  const tools = { storage, now }
  const limit = createAttemptLimit(now)
  const note = (action: string, { account, object }: { account?: Account; object?: string }) =>
    addToLog(
      {
        at: now(),
        action,
        ...(account && { person: { id: account.id, name: account.name } }),
        ...(object !== undefined && { object: object.slice(0, 300) }),
      },
      { storage, log },
    )
  const redirectUri = () => new URL('/auth/callback', team.publicUrl()).href

  /** A new secret each time: one that was in the browser before sign-in is worth nothing after it. */
  async function enter(c: Context, account: Account): Promise<string> {
    const before = readSession(c, team)
    if (before !== undefined) await closeAccountSession(before, tools)
    const key = setSession(c, team, await openAccountSession(account, tools))
    await note('signed in', { account })
    return key
  }

  async function view(account: Account | undefined): Promise<SessionView> {
    const openId = team.openId?.label ?? null
    if (!account) return { person: null, openId }
    const { id, name, login, role } = account
    const [budget] = await listAllowances([{ kind: 'person', id }], { storage, now: now() })
    return { person: { id, name, login, role }, openId, ...(budget && { budget }) }
  }

  function refuseTooMany(c: Context, login: string): void {
    if (!limit.mayTry(addressOf(c, team), login))
      throw new Refusal(429, 'too-many', 'Too many attempts have failed. Wait a quarter of an hour, then try again.')
  }

  const refusePage = (c: Context, title: string, line: string) =>
    c.html(
      messagePage({ title, lines: [line], link: { to: '/', text: 'Go to the sign-in page' } }),
      403,
      pageHeaders([]),
    )

  return new Hono()
    .get('/auth/session', async (c) => {
      const secret = readSession(c, team)
      return c.json(await view(secret === undefined ? undefined : await findSessionAccount(secret, tools)))
    })
    .post('/auth/sign-in', checkJson(signInRequestSchema), async (c) => {
      const { login, password } = c.req.valid('json')
      refuseTooMany(c, login)
      // Counted before the password is checked, so that many requests at once do not all pass.
      limit.noteFailure(addressOf(c, team), login)
      const account = await checkPassword({ login, password }, tools)
      if (!account) {
        await note('sign-in refused', { object: login })
        throw new Refusal(403, 'wrong-password', 'The e-mail address or the password is wrong.')
      }
      limit.noteSuccess(addressOf(c, team), login)
      const entered: EnteredView = { key: await enter(c, account), ...(await view(account)) }
      return c.json(entered)
    })
    .post('/auth/sign-out', async (c) => {
      const secret = readSession(c, team)
      const account = secret === undefined ? undefined : await findSessionAccount(secret, tools)
      if (secret !== undefined) await closeAccountSession(secret, tools)
      deleteSession(c, team)
      if (account) await note('signed out', { account })
      return c.json(await view(undefined))
    })
    .post('/auth/invitation', checkJson(invitationRequestSchema), async (c) => {
      const { token } = c.req.valid('json')
      refuseTooMany(c, hashSecret(token))
      const invitation = await findOpenInvitation(token, tools)
      if (!invitation) {
        limit.noteFailure(addressOf(c, team), hashSecret(token))
        throw new Refusal(404, 'invitation-over', OVER)
      }
      const found: InvitationView = { login: invitation.login, role: invitation.role }
      return c.json(found)
    })
    .post('/auth/accept', checkJson(acceptRequestSchema), async (c) => {
      const accepted = c.req.valid('json')
      refuseTooMany(c, hashSecret(accepted.token))
      const account = await acceptInvitation(accepted, tools)
      if (!account) {
        limit.noteFailure(addressOf(c, team), hashSecret(accepted.token))
        await note('invitation refused', {})
        throw new Refusal(404, 'invitation-over', OVER)
      }
      await note('invitation accepted', { account, object: account.login })
      const entered: EnteredView = { key: await enter(c, account), ...(await view(account)) }
      return c.json(entered)
    })
    .get('/auth/openid', async (c) => {
      if (!team.openId) throw new Refusal(404, 'not-found', 'There is nothing at this address.')
      const returnTo = readReturnAddress(c.req.query('return'))
      const begun = await team.openId.begin(redirectUri(), returnTo).catch((error: unknown) => {
        log(`OpenID: ${messageOf(error)}`)
      })
      if (!begun)
        return refusePage(c, 'The OpenID provider does not answer', 'Try again in a minute, or tell your admin.')
      setSignInCookie(c, team, Buffer.from(JSON.stringify(begun.state)).toString('base64url'))
      return c.body(null, 302, { ...pageHeaders([]), location: begun.url.href })
    })
    .get('/auth/callback', async (c) => {
      const state = signInStateSchema.safeParse(readCookieJson(takeSignInCookie(c, team))).data
      if (!team.openId || !state)
        return refusePage(
          c,
          'The sign-in took too long',
          'It was started in another browser, or more than ten minutes ago.',
        )
      // Each attempt asks the provider and is logged: only the address counts, because a state can be made up.
      refuseTooMany(c, `openid ${state.state}`)
      const callback = new URL(new URL(c.req.url).search, redirectUri())
      const proved = await team.openId.finish(callback, state).catch((error: unknown) => {
        log(`OpenID: ${messageOf(error)}`)
      })
      if (!proved) {
        limit.noteFailure(addressOf(c, team), `openid ${state.state}`)
        await note('sign-in refused', { object: team.openId.label })
        return refusePage(
          c,
          'The sign-in did not work',
          'What the provider sent does not fit this sign-in. Start again.',
        )
      }
      const entered = await enterByProvider(proved, tools)
      if ('refusal' in entered) {
        await note('sign-in refused', { object: proved.login })
        return refusePage(c, 'You cannot sign in', entered.refusal)
      }
      const key = await enter(c, entered.account)
      // Not a redirect: the browser would still count it as coming from the provider, and keep the cookie back.
      return c.html(enterPage(withSessionKey(readReturnAddress(state.returnTo), key)), 200, pageHeaders([]))
    })
}

function readCookieJson(value: string | undefined): unknown {
  try {
    return JSON.parse(Buffer.from(value ?? '', 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}

/** For the web app's client. */
export type SignInRoutes = ReturnType<typeof signInRoutes>
