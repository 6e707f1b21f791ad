import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { SESSION_LIFE_MS } from '../../access/index.ts'
import { readSessionKey } from '../http/session-key.ts'
import type { OpenId } from './openid.ts'

/** How a team server is reached and how people sign in. */
export interface TeamOptions {
  /** What people type into their browser: scheme, host and port. */
  publicUrl(): string
  /** The connection to the person is encrypted. */
  isSecure: boolean
  /** A proxy in front of the server says where requests come from. */
  isBehindProxy?: boolean
  openId?: OpenId | undefined
}

/** The browser sends `__Host-` cookies to this very host alone, and only encrypted; no other host can set them. */
function nameCookie(team: TeamOptions, name: string): string {
  const { port } = new URL(team.publicUrl())
  return team.isSecure ? `__Host-${name}` : `${name}-${port || '80'}`
}

/** The secret of a session has two halves: the cookie, which other ports of the host get too, and the key. */
const HALF = 43

export function readSession(c: Context, team: TeamOptions): string | undefined {
  const [cookie, key] = [getCookie(c, nameCookie(team, 'benchmaker-session')), readSessionKey(c)]
  return cookie === undefined || key === '' ? undefined : cookie + key
}

/** Sends one half as a cookie and returns the other, for the web app. */
export function setSession(c: Context, team: TeamOptions, secret: string): string {
  setCookie(c, nameCookie(team, 'benchmaker-session'), secret.slice(0, HALF), {
    path: '/',
    httpOnly: true,
    sameSite: 'Strict',
    secure: team.isSecure,
    maxAge: SESSION_LIFE_MS / 1000,
  })
  return secret.slice(HALF)
}

export function deleteSession(c: Context, team: TeamOptions): void {
  deleteCookie(c, nameCookie(team, 'benchmaker-session'), { path: '/', secure: team.isSecure })
}

const SIGN_IN_SECONDS = 600

/** Lax: the provider's site sends the browser back, and a strict cookie would stay behind. */
export function setSignInCookie(c: Context, team: TeamOptions, value: string): void {
  setCookie(c, nameCookie(team, 'benchmaker-sign-in'), value, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: team.isSecure,
    maxAge: SIGN_IN_SECONDS,
  })
}

/** Works once. */
export function takeSignInCookie(c: Context, team: TeamOptions): string | undefined {
  const name = nameCookie(team, 'benchmaker-sign-in')
  const value = getCookie(c, name)
  deleteCookie(c, name, { path: '/', secure: team.isSecure })
  return value
}

/** Where a request comes from, for limits: the proxy's word counts only if one was declared. */
export function addressOf(c: Context, team: TeamOptions): string {
  const forwarded = team.isBehindProxy ? c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined
  const incoming: unknown = Reflect.get(Object(c.env), 'incoming')
  return forwarded || String(Object(Object(incoming).socket).remoteAddress ?? 'unknown')
}
