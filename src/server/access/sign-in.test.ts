import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { composeServer } from '../../cli/compose-server.ts'
import { invite, openAccountSession } from '../../access/index.ts'
import { createOpenId } from './openid.ts'
import { passThroughProvider, startOpenIdProvider, type OpenIdProvider } from '../testing/openid-provider.ts'
import { startTeamServer, type TeamReply, type TeamServer } from '../testing/team-server.ts'
import { readReturnAddress } from './sign-in-routes.ts'

let server: TeamServer
let provider: OpenIdProvider
const settings = () => ({
  issuer: provider.issuer,
  clientId: 'benchmaker',
  clientSecret: 'a-secret-of-the-client-and-the-provider',
  groupsClaim: 'groups',
  groups: { admin: ['ops'], runner: ['science'], viewer: ['staff'] },
  defaultRole: undefined,
})
let openId: ReturnType<typeof createOpenId> | undefined
beforeAll(async () => {
  server = await startTeamServer({ compose: composeServer, openId: () => (openId ??= createOpenId(settings())) })
  provider = await startOpenIdProvider(() => `${server.origin}/auth/callback`)
})
afterAll(async () => {
  await provider.close()
  await server.remove()
})

const PASSWORD = 'correct horse battery'
const tools = () => ({ storage: server.context.storage, now: Date.now })
const newInvitation = async (login: string, role: 'viewer' | 'runner' | 'admin' = 'runner') =>
  (await invite({ login, role }, tools())).token
const cookieOf = (reply: TeamReply, name = 'benchmaker-session') =>
  reply.headers
    .getSetCookie()
    .find((line) => line.startsWith(name))
    ?.split(';')[0] ?? ''
const personOf = async (cookie: string) => (await server.ask('GET', '/auth/session', { cookie })).json['person']
const actions = async () => (await server.context.storage.access.listActivity()).entries.map(({ action }) => action)

describe('invitations and passwords', () => {
  it('an invitation makes one account; its session has an HttpOnly, SameSite=Strict cookie', async () => {
    const token = await newInvitation('Ada@Example.org', 'admin')
    const shown = await server.ask('POST', '/auth/invitation', { body: { token } })
    expect(shown.json).toEqual({ login: 'ada@example.org', role: 'admin' })
    const body = { token, name: 'Ada', password: PASSWORD }
    const [first, second] = await Promise.all([1, 2].map(() => server.ask('POST', '/auth/accept', { body })))
    expect([first!.status, second!.status].toSorted()).toEqual([200, 404])
    const accepted = first!.status === 200 ? first! : second!
    expect(accepted.headers.getSetCookie()[0]).toMatch(
      /^benchmaker-session-\d+=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/,
    )
    expect(await personOf(cookieOf(accepted))).toMatchObject({ login: 'ada@example.org', role: 'admin' })
    const again = await server.ask('POST', '/auth/accept', { body })
    expect([again.status, again.code]).toEqual([404, 'invitation-over'])
    const stored = await server.context.storage.access.findAccount({ login: 'ada@example.org' })
    expect(stored?.password).toMatch(/^scrypt\$131072\$8\$1\$/)
  })

  it('signs in and out; the old session is worth nothing after it', async () => {
    const body = { login: ' ADA@example.org', password: PASSWORD }
    const entered = await server.ask('POST', '/auth/sign-in', { body })
    const cookie = cookieOf(entered)
    expect((await server.ask('GET', '/api/runs', { cookie })).status).toBe(200)
    const out = await server.ask('POST', '/auth/sign-out', { cookie })
    expect(out.headers.getSetCookie()[0]).toMatch(/Max-Age=0/)
    expect((await server.ask('GET', '/api/runs', { cookie })).status).toBe(401)
    expect(await actions()).toEqual(expect.arrayContaining(['invitation accepted', 'signed in', 'signed out']))
  })

  it('an invitation of somebody with an account sets a new password, keeps the role and ends old sessions', async () => {
    const { storage } = server.context
    const before = await storage.access.findAccount({ login: 'ada@example.org' })
    const session = await openAccountSession(before!, tools())
    const token = await newInvitation('ada@example.org', 'viewer')
    const reply = await server.ask('POST', '/auth/accept', { body: { token, name: 'X', password: PASSWORD } })
    expect(await personOf(cookieOf(reply))).toMatchObject({ id: before!.id, name: 'Ada', role: 'admin' })
    const cookie = `benchmaker-session-${server.port}=${session}`
    expect((await server.ask('GET', '/api/runs', { cookie })).status).toBe(401)
    expect((await server.ask('POST', '/auth/accept', { body: { token, name: 'X', password: PASSWORD } })).status).toBe(
      404,
    )
  })

  it('a session from before the sign-in is not taken over, and ends with it', async () => {
    const planted = `benchmaker-session-${server.port}=${'A'.repeat(43)}`
    const body = { login: 'ada@example.org', password: PASSWORD }
    const entered = await server.ask('POST', '/auth/sign-in', { body, cookie: planted })
    expect(cookieOf(entered)).not.toBe(planted)
    expect((await server.ask('GET', '/api/runs', { cookie: planted })).status).toBe(401)
    const mine = await server.enter('viewer', 'attacker')
    await server.ask('POST', '/auth/sign-in', { body, cookie: mine })
    expect((await server.ask('GET', '/api/runs', { cookie: mine })).status).toBe(401)
  })

  it('an expired or guessed invitation and a weak password are refused', async () => {
    const past = { storage: server.context.storage, now: () => Date.now() - 8 * 24 * 3_600_000 }
    const { token } = await invite({ login: 'late@example.org', role: 'viewer' }, past)
    for (const tried of [token, 'guess', ''])
      expect(
        (await server.ask('POST', '/auth/accept', { body: { token: tried, name: 'X', password: PASSWORD } })).code,
      ).toBe('invitation-over')
    const weak = await server.ask('POST', '/auth/accept', {
      body: { token: await newInvitation('weak@example.org'), name: 'X', password: 'short' },
    })
    expect([weak.status, weak.text]).toEqual([422, expect.stringContaining('at least 12 characters')])
  })

  it('a wrong password, an unknown name and a disabled account get the same reply; guessing ends soon', async () => {
    const token = await newInvitation('gone@example.org')
    await server.ask('POST', '/auth/accept', { body: { token, name: 'Gone', password: PASSWORD } })
    const gone = await server.context.storage.access.findAccount({ login: 'gone@example.org' })
    await server.context.storage.access.changeAccount(gone!.id, { disabledAt: 1 })
    const replies = await Promise.all(
      ['ada@example.org', 'nobody@example.org', 'gone@example.org'].map((login) =>
        server.ask('POST', '/auth/sign-in', {
          body: { login, password: login.startsWith('gone') ? PASSWORD : 'wrong' },
        }),
      ),
    )
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(replies[0]!.code).toBe('wrong-password')
    const guesses = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        server.ask('POST', '/auth/sign-in', { body: { login: 'target@example.org', password: `guess ${index}` } }),
      ),
    )
    expect(guesses.filter(({ status }) => status === 403)).toHaveLength(5)
    expect(guesses.filter(({ code }) => code === 'too-many')).toHaveLength(3)
  })

  it('the cookie alone, which every port of the host gets, is nobody: the session has a key of its origin, too', async () => {
    const cookie = await server.enter('admin')
    for (const key of ['', 'guess', cookie.split('=')[1]!, 'A'.repeat(43)]) {
      const headers = { 'x-benchmaker-session': key }
      for (const path of ['/api/runs', '/api/team/log/csv', `/api/runs?sessionKey=${key}`])
        expect((await server.ask('GET', path, { cookie, headers })).status).toBe(401)
      expect((await server.ask('GET', '/auth/session', { cookie, headers })).json['person']).toBeNull()
    }
    const { json } = await server.ask('GET', '/auth/session', { cookie })
    expect([json['person'], json['key']]).toEqual([expect.anything(), undefined])
  })

  it('another site cannot sign anybody in or out', async () => {
    const cookie = await server.enter('admin')
    for (const headers of [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
    ]) {
      const given = Object.fromEntries(Object.entries(headers))
      for (const path of ['/auth/sign-out', '/auth/sign-in', '/api/team/invitations'])
        expect([403, 415]).toContain((await server.ask('POST', path, { cookie, headers: given })).status)
    }
    expect((await server.ask('GET', '/api/runs', { cookie })).status).toBe(200)
  })
})

/** Leaves for the provider, and comes back with its reply. */
async function goToProvider(path = '/auth/openid'): Promise<{ callback: string; cookie: string }> {
  const left = await server.ask('GET', path)
  expect(left.status).toBe(302)
  const back = await passThroughProvider(left.headers.get('location')!, provider.issuer)
  return { callback: back.slice(server.origin.length), cookie: cookieOf(left, 'benchmaker-sign-in') }
}

describe('OpenID Connect', () => {
  it('makes an account with the role of its groups, and goes back to where the person was', async () => {
    provider.person = { sub: 'grace', email: 'Grace@example.org', name: 'Grace Hopper', groups: ['staff', 'science'] }
    const { callback, cookie } = await goToProvider('/auth/openid?return=%2Fresults%2Fabc%3Ftab%3Dcases')
    const entered = await server.ask('GET', callback, {
      cookie,
      headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    })
    expect(entered.status).toBe(200)
    expect(entered.text).toMatch(/content="0;url=\/results\/abc\?tab=cases#sessionKey=[\w-]{43}"/)
    expect(entered.headers.get('content-security-policy')).not.toContain('sandbox')
    const session = cookieOf(entered)
    expect(await personOf(session)).toMatchObject({ login: 'grace@example.org', name: 'Grace Hopper', role: 'runner' })

    provider.person.groups = ['ops']
    const next = await goToProvider()
    const promoted = await server.ask('GET', next.callback, { cookie: next.cookie })
    expect(await personOf(cookieOf(promoted))).toMatchObject({ role: 'admin' })
    // The role changed, so sessions with the old one are over.
    expect((await server.ask('GET', '/api/runs', { cookie: session })).status).toBe(401)
  })

  it('a replayed code, a forged state and a reply in another browser are refused', async () => {
    const { callback, cookie } = await goToProvider()
    const forged = callback.replace(/state=[^&]+/, 'state=forged')
    const attempts = [
      await server.ask('GET', forged, { cookie }),
      await server.ask('GET', callback),
      await server.ask('GET', callback, { cookie: (await goToProvider()).cookie }),
    ]
    for (const reply of attempts) expect([reply.status, cookieOf(reply)]).toEqual([403, ''])
    expect((await server.ask('GET', callback, { cookie })).status).toBe(200)
    const replayed = await server.ask('GET', callback, { cookie })
    expect([replayed.status, cookieOf(replayed)]).toEqual([403, ''])
  })

  it.each(['nonce', 'verifier'])('a reply to a request with another %s is refused', async (field) => {
    const begun = await goToProvider()
    const [name = '', value = ''] = begun.cookie.split('=')
    const state: object = JSON.parse(Buffer.from(value, 'base64url').toString())
    expect(state).toHaveProperty(field)
    const changed = Buffer.from(JSON.stringify({ ...state, [field]: 'A'.repeat(43) })).toString('base64url')
    const reply = await server.ask('GET', begun.callback, { cookie: `${name}=${changed}` })
    expect([reply.status, cookieOf(reply)]).toEqual([403, ''])
  })

  it('people without a group, disabled ones and names that are taken stay outside', async () => {
    provider.person = { sub: 'nobody', email: 'nobody@example.org', groups: ['visitors'] }
    const stranger = await goToProvider()
    const refused = await server.ask('GET', stranger.callback, { cookie: stranger.cookie })
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('do not give you access')])

    provider.person = { sub: 'impostor', email: 'ada@example.org', groups: ['ops'] }
    const impostor = await goToProvider()
    const taken = await server.ask('GET', impostor.callback, { cookie: impostor.cookie })
    expect([taken.status, taken.text]).toEqual([403, expect.stringContaining('the name of another account')])

    provider.person = { sub: 'grace', email: 'grace@example.org', name: 'Grace Hopper', groups: ['ops'] }
    const grace = await server.context.storage.access.findAccount({ login: 'grace@example.org' })
    await server.context.storage.access.changeAccount(grace!.id, { disabledAt: 1 })
    const disabled = await goToProvider()
    const reply = await server.ask('GET', disabled.callback, { cookie: disabled.cookie })
    expect([reply.status, reply.text]).toEqual([403, expect.stringContaining('is disabled')])
  })

  it('two first sign-ins at once make one account', async () => {
    provider.person = { sub: 'double', email: 'double@example.org', groups: ['staff'] }
    const begun = [await goToProvider(), await goToProvider()]
    const replies = await Promise.all(begun.map(({ callback, cookie }) => server.ask('GET', callback, { cookie })))
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
  })

  it('a person keeps the account with a new address, and whoever gets the old one has another', async () => {
    const enter = async (person: OpenIdProvider['person']) => {
      provider.person = person
      const { callback, cookie } = await goToProvider()
      return personOf(cookieOf(await server.ask('GET', callback, { cookie })))
    }
    const before = await enter({ sub: 'jean', email: 'j@example.org', name: 'Jean', groups: ['staff'] })
    const after = await enter({ sub: 'jean', email: 'jean@example.org', name: 'Jean', groups: ['staff'] })
    expect(after).toEqual({ ...Object(before), login: 'jean@example.org' })
    const other = await enter({ sub: 'jill', email: 'j@example.org', name: 'Jill', groups: ['staff'] })
    expect(other).toMatchObject({ login: 'j@example.org', name: 'Jill' })
    // An address that an account with a password has is not taken over.
    expect(await enter({ sub: 'jill', email: 'ada@example.org', name: 'Jill', groups: ['staff'] })).toMatchObject({
      login: 'j@example.org',
    })
  })

  it('whoever has lost every group is refused, and open sessions end', async () => {
    provider.person = { sub: 'leaver', email: 'leaver@example.org', groups: ['science'] }
    const first = await goToProvider()
    const session = cookieOf(await server.ask('GET', first.callback, { cookie: first.cookie }))
    expect((await server.ask('GET', '/api/runs', { cookie: session })).status).toBe(200)
    provider.person.groups = []
    const next = await goToProvider()
    const refused = await server.ask('GET', next.callback, { cookie: next.cookie })
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('no longer give you access')])
    expect((await server.ask('GET', '/api/runs', { cookie: session })).status).toBe(401)
  })

  it('never sends a person to another host after the sign-in', () => {
    for (const address of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      '/\t/evil.example',
      '/a\\b',
      'javascript:alert(1)',
      '/..//evil.example',
      '',
    ])
      expect([address, readReturnAddress(address)]).toEqual([address, '/'])
    expect(readReturnAddress('/results/a?tab=b#c')).toBe('/results/a?tab=b#c')
  })
})

describe('attempts at the OpenID callback', () => {
  it('that were made up end soon, and do not fill the log', async () => {
    const forge = (state: string) => {
      const value = Buffer.from(JSON.stringify({ state, nonce: 'n', verifier: 'v', returnTo: '/' })).toString(
        'base64url',
      )
      return server.ask('GET', `/auth/callback?code=guess&state=${state}`, {
        cookie: `benchmaker-sign-in-${server.port}=${value}`,
      })
    }
    const statuses: number[] = []
    for (let guess = 0; guess < 40; guess++) statuses.push((await forge(`state-${guess}`)).status)
    expect(statuses[0]).toBe(403)
    expect(statuses.at(-1)).toBe(429)
    const refused = (await actions()).filter((action) => action === 'sign-in refused')
    expect(refused.length).toBeLessThan(50)
  })
})

describe('sessions', () => {
  it('are stored as hashes only', async () => {
    const secret = await openAccountSession({ id: 'attacker', name: 'attacker' }, tools())
    expect(await server.context.storage.access.findSession(secret, Date.now())).toBeUndefined()
  })
})
