import { createServer } from 'node:http'
import Provider from 'oidc-provider'

export interface OpenIdProvider {
  issuer: string
  /** Claims of the next person who signs in. */
  person: { sub: string; email?: string; name?: string; groups?: string[] }
  close(): Promise<void>
}

/** A real OpenID provider on loopback (oidc-provider) that signs everybody in without a question. */
export async function startOpenIdProvider(redirectUri: () => string, host = '127.0.0.1'): Promise<OpenIdProvider> {
  const server = createServer()
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    }),
  )
  const issuer = `http://${host}:${port}`
  const state: OpenIdProvider = {
    issuer,
    person: { sub: 'ada' },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  const createProvider = () =>
    new Provider(issuer, {
      clients: [
        {
          client_id: 'benchmaker',
          client_secret: 'a-secret-of-the-client-and-the-provider',
          redirect_uris: [redirectUri()],
          response_types: ['code'],
          grant_types: ['authorization_code'],
        },
      ],
      conformIdTokenClaims: false,
      claims: { openid: ['sub'], email: ['email'], profile: ['name', 'groups'] },
      features: { devInteractions: { enabled: false } },
      pkce: { required: () => true },
      interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
      findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ ...state.person, sub: id }) }),
      async loadExistingGrant(ctx) {
        const grant = new ctx.oidc.provider.Grant({
          clientId: ctx.oidc.client!.clientId,
          accountId: ctx.oidc.session!.accountId!,
        })
        grant.addOIDCScope('openid email profile')
        await grant.save()
        return grant
      },
      cookies: { keys: ['cookies of the test'] },
    })
  // At the first request: only then is it known where Benchmaker listens.
  let started: Provider | undefined
  server.on('request', (request, response) => {
    started ??= createProvider()
    if (!request.url?.startsWith('/interaction/')) return void started.callback()(request, response)
    return void started.interactionFinished(request, response, { login: { accountId: state.person.sub } })
  })
  return state
}

/** What a browser does at the provider: follows its redirects with its cookies, until it is sent back. */
export async function passThroughProvider(address: string, issuer: string): Promise<string> {
  const cookies = new Map<string, string>()
  let next = address
  for (let step = 0; step < 10 && next.startsWith(issuer); step++) {
    const reply = await fetch(next, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    })
    for (const line of reply.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const location = reply.headers.get('location')
    if (location === null) throw new Error(`the provider answered ${reply.status}: ${await reply.text()}`)
    next = new URL(location, next).href
  }
  return next
}
