import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { InputError, roles, type Role } from '../../contract/index.ts'
import type { OpenIdSettings } from '../../server/access/openid.ts'

export interface PlaceOptions {
  team?: boolean
  host?: string
  tlsCert?: string
  tlsKey?: string
  behindProxy?: string
  publicUrl?: string
}

/** Where a server listens and how people reach it. */
export interface ServePlace {
  isTeam: boolean
  /** Undefined for loopback. */
  host: string | undefined
  tls: { cert: string; key: string } | undefined
  isBehindProxy: boolean
  isSecure: boolean
  publicUrl(port: number): string
}

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|localhost|::1)$/
const ANY = /^(?:0\.0\.0\.0|::)$/

const isOn = (env: NodeJS.ProcessEnv) => env['BENCHMAKER_TEAM'] === 'on'

function readFile(path: string, option: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new InputError(`${option}: ${path} cannot be read (${cause instanceof Error ? cause.message : ''})`, {
      cause,
    })
  }
}

function readTls({ tlsCert, tlsKey }: PlaceOptions): ServePlace['tls'] {
  if (tlsCert === undefined && tlsKey === undefined) return undefined
  if (tlsCert === undefined || tlsKey === undefined)
    throw new InputError('--tls-cert and --tls-key belong together: name the certificate and its key')
  return { cert: readFile(tlsCert, '--tls-cert'), key: readFile(tlsKey, '--tls-key') }
}

function readOrigin(text: string, option: string): string {
  const url = URL.parse(text)
  if (url?.protocol !== 'https:' || url.pathname !== '/' || url.search || url.hash || url.username)
    throw new InputError(`${option} must be the https:// address that people open, such as https://bench.example.org`)
  return url.origin
}

/** Throws, saying what to do, unless people on other machines must sign in and their connections are encrypted. */
export function readServePlace(options: PlaceOptions, env: NodeJS.ProcessEnv): ServePlace {
  const tls = readTls(options)
  const isBehindProxy = options.behindProxy !== undefined
  const isTeam = options.team === true || isOn(env) || isBehindProxy || Boolean(env['BENCHMAKER_OIDC_ISSUER']?.trim())
  const host = options.host === undefined || LOOPBACK.test(options.host) ? undefined : options.host
  const named =
    options.behindProxy !== undefined
      ? readOrigin(options.behindProxy, '--behind-proxy')
      : options.publicUrl === undefined
        ? undefined
        : readOrigin(options.publicUrl, '--public-url')
  if (options.host !== undefined && isIP(options.host) === 0 && options.host !== 'localhost')
    throw new InputError(`--host ${options.host} is not an IP address: use 0.0.0.0 for all addresses of this machine`)
  if (host !== undefined && !isTeam)
    throw new InputError(
      `on ${host} others could reach Benchmaker, and without accounts it would let everybody do everything: add --team, and make the first account with benchmaker invite --role admin`,
    )
  if (host !== undefined && !tls && !isBehindProxy)
    throw new InputError(
      `on ${host} passwords and results would travel readable through the network: add --tls-cert and --tls-key, or --behind-proxy https://… if a proxy on the way encrypts`,
    )
  if (tls && !isTeam) throw new InputError('--tls-cert is for a team server: add --team')
  if (options.publicUrl !== undefined && !tls)
    throw new InputError('--public-url needs --tls-cert and --tls-key; with a proxy use --behind-proxy instead')
  if (tls && named === undefined && (host === undefined || ANY.test(host)))
    throw new InputError(
      'add --public-url https://…, the address that people open: requests for other names are refused',
    )
  const hostInUrl = host === undefined ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return {
    isTeam,
    host,
    tls,
    isBehindProxy,
    isSecure: tls !== undefined || isBehindProxy,
    publicUrl: (port) => named ?? `${tls ? 'https' : 'http'}://${hostInUrl}:${port}`,
  }
}

function readRole(text: string | undefined, fallback: Role | undefined): Role | undefined {
  if (!text) return fallback
  if (text === 'none') return undefined
  const role = roles.find((one) => one === text)
  if (!role) throw new InputError(`BENCHMAKER_OIDC_DEFAULT_ROLE is ${text}: it must be ${roles.join(', ')} or none`)
  return role
}

/** The OpenID provider of the team; undefined without `BENCHMAKER_OIDC_ISSUER`. */
export function readOpenIdSettings(env: NodeJS.ProcessEnv): OpenIdSettings | undefined {
  const read = (name: string) => env[name]?.trim() || undefined
  const issuer = read('BENCHMAKER_OIDC_ISSUER')
  if (issuer === undefined) return undefined
  const clientId = read('BENCHMAKER_OIDC_CLIENT_ID')
  const clientSecret = read('BENCHMAKER_OIDC_CLIENT_SECRET')
  if (clientId === undefined || clientSecret === undefined)
    throw new InputError(
      'BENCHMAKER_OIDC_ISSUER also needs BENCHMAKER_OIDC_CLIENT_ID and BENCHMAKER_OIDC_CLIENT_SECRET',
    )
  const listOf = (name: string) => (read(name) ?? '').split(',').flatMap((group) => group.trim() || [])
  const groups = {
    admin: listOf('BENCHMAKER_OIDC_ADMIN_GROUPS'),
    runner: listOf('BENCHMAKER_OIDC_RUNNER_GROUPS'),
    viewer: listOf('BENCHMAKER_OIDC_VIEWER_GROUPS'),
  }
  const hasMapping = Object.values(groups).some((names) => names.length > 0)
  return {
    issuer,
    clientId,
    clientSecret,
    groupsClaim: read('BENCHMAKER_OIDC_GROUPS_CLAIM') ?? 'groups',
    groups,
    defaultRole: readRole(read('BENCHMAKER_OIDC_DEFAULT_ROLE'), hasMapping ? undefined : 'viewer'),
  }
}

export interface ServeOptions extends PlaceOptions {
  port?: number
  open?: boolean
  data?: string
  json?: boolean
  /** Continues what was in progress when the server was stopped. */
  continueRuns?: boolean
}

export const DEFAULT_PORT = 4747
