import type { Configuration } from 'openid-client'
import { z } from 'zod'
import { InputError, loginSchema, personNameSchema, type Role } from '../../contract/index.ts'
import type { ProvedPerson } from '../../access/index.ts'

export interface OpenIdSettings {
  issuer: string
  clientId: string
  clientSecret: string
  /** The claim that lists a person's groups. */
  groupsClaim: string
  /** Which groups give which role; the highest counts. */
  groups: Readonly<Record<Role, readonly string[]>>
  /** For people without such a group; undefined: they are refused. */
  defaultRole: Role | undefined
}

/** What the browser keeps while the person is at the provider. */
export const signInStateSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
})

export type SignInState = z.infer<typeof signInStateSchema>

/** Signs people in at an OpenID provider. */
export interface OpenId {
  /** The host of the provider, for the button. */
  label: string
  begin(redirectUri: string, returnTo: string): Promise<{ url: URL; state: SignInState }>
  /** Throws if anything does not fit: state, nonce, code or signature. */
  finish(callback: URL, state: SignInState): Promise<ProvedPerson>
}

/** Reads the role from groups; the highest counts. */
function roleOf(claims: Readonly<Record<string, unknown>>, { groupsClaim, groups, defaultRole }: OpenIdSettings) {
  const claimed = claims[groupsClaim]
  const given = new Set<unknown>(Array.isArray(claimed) ? claimed : [claimed])
  const role = (['admin', 'runner', 'viewer'] as const).find((one) => groups[one].some((name) => given.has(name)))
  const hasMapping = Object.values(groups).some((names) => names.length > 0)
  return { role: role ?? defaultRole, isRoleFromGroups: hasMapping }
}

function firstText(...values: unknown[]): string | undefined {
  return values.find((value) => typeof value === 'string' && value.trim() !== '') as string | undefined
}

/** PKCE, state and nonce on every sign-in; the provider's addresses are looked up at the first. */
export function createOpenId(settings: OpenIdSettings): OpenId {
  const issuer = URL.parse(settings.issuer)
  if (!issuer || (issuer.protocol !== 'https:' && !/^(?:127\.0\.0\.1|localhost|\[::1\])$/.test(issuer.hostname)))
    throw new InputError(`the OpenID issuer ${settings.issuer} is not an https:// address; set BENCHMAKER_OIDC_ISSUER`)
  let found: Promise<Configuration> | undefined
  const discover = async () => {
    const client = await import('openid-client')
    const options = issuer.protocol === 'http:' ? { execute: [client.allowInsecureRequests] } : {}
    return client.discovery(issuer, settings.clientId, settings.clientSecret, undefined, options)
  }
  const configuration = () => {
    found ??= discover()
    // The provider may be back at the next sign-in.
    found.catch(() => (found = undefined))
    return found
  }

  return {
    label: issuer.host,
    async begin(redirectUri, returnTo) {
      const client = await import('openid-client')
      const verifier = client.randomPKCECodeVerifier()
      const state = { state: client.randomState(), nonce: client.randomNonce(), verifier, returnTo }
      const url = client.buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: 'openid profile email',
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state: state.state,
        nonce: state.nonce,
      })
      return { url, state }
    },
    async finish(callback, { state, nonce, verifier }) {
      const client = await import('openid-client')
      const tokens = await client.authorizationCodeGrant(await configuration(), callback, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (!claims) throw new InputError('the OpenID provider sent no id token')
      const email = claims['email_verified'] === false ? undefined : claims['email']
      const login = loginSchema.safeParse(firstText(email, claims['preferred_username'])).data ?? `${claims.sub}`
      const name = personNameSchema.safeParse(firstText(claims['name'], claims['preferred_username'], email)).data
      return { issuer: claims.iss, subject: claims.sub, login, name: name ?? login, ...roleOf(claims, settings) }
    },
  }
}
