import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { composeServer } from '../../cli/compose-server.ts'
import { readSession, startServer, type StartedServer } from '../testing/started-server.ts'
import { writeLinkReply, writeLinkRequest } from './server-file.ts'

let server: StartedServer
let runId: string
beforeAll(async () => {
  server = await startServer({ compose: composeServer, previewOrigins: ['http://*.localhost:4999'] })
  const started = await server.send('POST', '/api/runs', {
    suiteId: 'example-first-look',
    models: ['demo/good'],
    limit: 2,
  })
  runId = String(Object(started)['runId'])
})
afterAll(() => server.remove())

const json = { 'content-type': 'application/json' }
const codeOf = (reply: { json(): unknown }) => Object(Object(reply.json())['error'])['code']

/** Sends raw bytes, for requests that no HTTP client would send. */
function sendBytes(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write(text))
    let reply = ''
    socket.on('data', (piece) => (reply += piece))
    socket.on('close', () => resolve(reply))
    socket.on('error', reject)
  })
}

function canConnect(host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port: server.port, timeout: 2000 }, () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('timeout', () => socket.destroy())
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(false))
  })
}

/** With the cookie and without our header, as a browser follows a link. */
const askBare = async (path: string) => fetch(`${server.origin}${path}`, { headers: { cookie: server.cookie } })

const READS = [
  '/api/app',
  '/api/models',
  '/api/suites',
  '/api/suites/example-first-look',
  '/api/suites/example-first-look/export?format=yaml',
  '/api/scorers',
  '/api/runs',
  '/api/settings',
  '/api/settings/backup',
  '/api/nothing',
]

describe('who may use the server', () => {
  it.each(READS)('%s needs a session', async (path) => {
    const reply = await server.ask(path)
    expect([reply.status, codeOf(reply)]).toEqual([401, 'no-session'])
  })
  it('event streams, results and writes need one too', async () => {
    for (const path of [
      `/api/runs/${runId}/events`,
      `/api/runs/${runId}/exchange?case=capital-australia&model=demo/good`,
      `/api/results/${runId}`,
    ])
      expect((await server.ask(path)).status).toBe(401)
    for (const [method, path] of [
      ['POST', '/api/runs'],
      ['PUT', '/api/settings/keys/openrouter'],
      ['DELETE', `/api/runs/${runId}`],
      ['POST', '/api/suites'],
    ] as const)
      expect((await server.ask(path, { method, headers: json, body: '{}' })).status).toBe(401)
  })
  it('a guessed, altered or empty session is refused', async () => {
    const [name] = server.cookie.split('=')
    const altered = server.cookie.slice(0, -1) + (server.cookie.endsWith('A') ? 'B' : 'A')
    for (const cookie of [`${name}=`, `${name}=guess`, altered, server.cookie.replace(`${server.port}`, '1')])
      expect((await server.ask('/api/app', { headers: { cookie } })).status).toBe(401)
    expect((await server.ask('/api/app', { headers: { cookie: server.cookie } })).status).toBe(200)
  })
  it('the cookie alone, which every port of this host gets, opens no data; nor does the key alone', async () => {
    const key = server.session['x-benchmaker-session']!
    const [cookieOnly, keyOnly] = [
      { cookie: server.cookie, 'x-benchmaker-session': '' },
      { 'x-benchmaker-session': key },
    ]
    const paths = [...READS, `/api/runs/${runId}/events`, `/api/results/${runId}/export?format=csv`]
    for (const headers of [
      cookieOnly,
      keyOnly,
      { ...cookieOnly, 'x-benchmaker-session': server.cookie.split('=')[1]! },
      { cookie: `${server.cookie.split('=')[0]}=${key}`, 'x-benchmaker-session': key },
    ])
      for (const path of paths) {
        const reply = await server.ask(path, { headers })
        expect([path, reply.status, codeOf(reply)]).toEqual([path, 401, 'no-session'])
      }
    expect((await server.ask('/', { headers: cookieOnly })).text).not.toContain(key)
    const usedLink = await server.ask('/?token=used', { headers: cookieOnly })
    expect(usedLink.headers.location).toBe('/')
  })
  it('downloads, pictures and event streams bring the key in their address', async () => {
    const headers = { cookie: server.cookie, 'x-benchmaker-session': '' }
    const key = server.session['x-benchmaker-session']!
    const download = `/api/results/${runId}/export?format=csv`
    expect((await askBare(`${download}&sessionKey=${key}`)).status).toBe(200)
    expect((await askBare(`${download}&sessionKey=${server.cookie.split('=')[1]}`)).status).toBe(401)
    expect((await server.ask(`${download}&sessionKey=${key}`, { headers: {} })).status).toBe(401)
    expect((await server.ask(download, { headers })).status).toBe(401)
  })
  it('a second link in the same browser leaves the addresses of open tabs valid', async () => {
    const next = readSession(
      await server.ask(`/?token=${server.createToken()}`, { headers: { cookie: server.cookie } }),
    )
    expect(next.cookie).not.toBe(server.cookie)
    const key = server.session['x-benchmaker-session']!
    expect((await server.ask('/api/app', { headers: { ...next, 'x-benchmaker-session': key } })).status).toBe(200)
  })
  it('a page without a session says where to find the link, and holds no data', async () => {
    const page = await server.ask('/results')
    expect(page.status).toBe(401)
    expect(page.text).toContain('Open the link from the terminal')
    expect(page.text).not.toContain('<script')
  })
})

describe('the one-time link', () => {
  it('becomes an HttpOnly, SameSite=Strict cookie and the same address without the token', async () => {
    const reply = await server.ask(`/results/abc?tab=cases&token=${server.createToken()}`)
    expect(reply.status).toBe(302)
    expect(reply.headers.location).toMatch(/^\/results\/abc\?tab=cases#sessionKey=[\w-]{43}$/)
    const cookie = String(reply.headers['set-cookie'])
    const [value, ...attributes] = cookie.split('; ')
    expect(value).toMatch(/^benchmaker-\d+=[\w-]{43}$/)
    expect(attributes.toSorted()).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Strict'])
    expect((await server.ask('/api/app', { headers: readSession(reply) })).status).toBe(200)
  })
  it('works once; after that a page says how to get another', async () => {
    const token = server.createToken()
    expect(token).toMatch(/^[\w-]{43}$/)
    expect((await server.ask(`/?token=${token}`)).status).toBe(302)
    const again = await server.ask(`/?token=${token}`)
    expect([again.status, again.headers['set-cookie']]).toEqual([403, undefined])
    expect(again.text).toContain('press Enter in the terminal')
    expect((await server.ask('/?token=guess')).status).toBe(403)
  })
  it('is not used up by a prefetch, and is not needed with a session', async () => {
    const token = server.createToken()
    await server.ask(`/?token=${token}`, { method: 'HEAD' })
    expect((await server.ask('/?token=used', { headers: { cookie: server.cookie } })).status).toBe(302)
    expect((await server.ask(`/?token=${token}`)).status).toBe(302)
  })
  it('never redirects to another host', async () => {
    for (const path of ['//evil.example/?token=x', '/\\evil.example/?token=x', '///evil.example?token=x']) {
      const reply = await server.ask(path, { headers: { cookie: server.cookie } })
      expect(reply.status).toBe(400)
      expect(reply.headers.location).toBeUndefined()
    }
  })
  it('is given to the command line only for the secret in the data folder', async () => {
    const requestLink = (authorization: string) =>
      server.ask('/local/link', { method: 'POST', headers: { ...json, authorization }, body: '{}' })
    expect((await requestLink('Bearer guess')).status).toBe(401)
    expect((await requestLink(`Bearer ${server.linkSecret}`)).status).toBe(401)
    const challenge = 'c'.repeat(43)
    for (const secret of ['', 'guess', `${server.linkSecret}x`])
      expect((await requestLink(writeLinkRequest(secret, challenge))).status).toBe(401)
    expect((await requestLink(`Benchmaker ${challenge} `)).status).toBe(401)
    expect(
      (await server.ask('/local/link', { method: 'POST', headers: { ...json, cookie: server.cookie }, body: '{}' }))
        .status,
    ).toBe(401)
    const reply = await requestLink(writeLinkRequest(server.linkSecret, challenge))
    const { token } = reply.json<{ token: string }>()
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(reply.json()).toEqual(writeLinkReply(server.linkSecret, challenge, token))
    expect(reply.text + JSON.stringify(reply.headers)).not.toContain(server.linkSecret)
  })
  it('from a private page on this machine signs in; from a page without a token it does not', async () => {
    const navigate = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    const open = (path: string, headers: Record<string, string> = navigate) => server.ask(path, { headers })
    const entered = await open(`/?token=${server.createToken()}`)
    expect([entered.status, entered.headers['location']]).toEqual([200, undefined])
    expect(entered.text).toMatch(/<meta http-equiv="refresh" content="0;url=\/#sessionKey=[\w-]{43}">/)
    expect(String(entered.headers['set-cookie'])).toMatch(/HttpOnly; SameSite=Strict/)
    const older = await open(`/?token=${server.createToken()}`, { accept: 'text/html,*/*' })
    expect([older.status, older.headers['location']]).toEqual([200, undefined])
    const typed = await open(`/?token=${server.createToken()}`, { ...navigate, 'sec-fetch-site': 'none' })
    expect([typed.status, typed.headers['location']]).toEqual([302, expect.stringMatching(/^\/#sessionKey=/)])
    const guess = await open(`/?token=${'g'.repeat(43)}`)
    expect([guess.status, guess.headers['set-cookie']]).toEqual([403, undefined])
    for (const [path, headers] of [
      ['/', navigate],
      ['/?token=', navigate],
      [`/?token=${server.createToken()}&x=1`, navigate],
      [`/results?token=${server.createToken()}`, navigate],
      [`/api/app?token=${server.createToken()}`, navigate],
      [`/?token=${server.createToken()}`, { ...navigate, 'sec-fetch-dest': 'iframe' }],
      [`/?token=${server.createToken()}`, { ...navigate, 'sec-fetch-mode': 'no-cors' }],
      [`/?token=${server.createToken()}`, { ...navigate, origin: 'null' }],
    ] as const) {
      const reply = await open(path, headers)
      expect([reply.status, reply.headers['set-cookie']]).toEqual([403, undefined])
    }
  })
})

describe('where requests come from', () => {
  it('the server can be reached only at 127.0.0.1, not at other addresses of this machine', async () => {
    const others = Object.values(networkInterfaces()).flatMap(
      (addresses) =>
        addresses
          ?.filter(({ family, address }) => family === 'IPv4' && address !== '127.0.0.1')
          .map(({ address }) => address) ?? [],
    )
    // On Linux all of 127.0.0.0/8 is this machine: a server that listens on all addresses would answer there.
    for (const host of [...others, ...(process.platform === 'linux' ? ['127.0.0.2'] : [])])
      expect(await canConnect(host)).toBe(false)
    expect(await canConnect('127.0.0.1')).toBe(true)
  })

  const cookie = () => ({ cookie: server.cookie })

  it.each([
    'evil.example',
    'evil.example:PORT',
    '127.0.0.1',
    '127.0.0.1:1',
    'localhost.evil.example:PORT',
    '127.0.0.1:PORT.evil.example',
    '[::1]:PORT',
    'LOCALHOST:PORT',
    '127.1:PORT',
    '0.0.0.0:PORT',
  ])('Host %s is refused', async (host) => {
    const reply = await server.ask('/api/app', {
      headers: { ...cookie(), host: host.replace('PORT', String(server.port)) },
    })
    expect([reply.status, codeOf(reply)]).toEqual([403, 'foreign-host'])
  })
  it('localhost works like 127.0.0.1', async () => {
    expect((await server.ask('/api/app', { headers: { ...cookie(), host: `localhost:${server.port}` } })).status).toBe(
      200,
    )
  })
  it('two Host headers are refused, even if both are valid; so are none and an absolute address', async () => {
    const good = `Host: 127.0.0.1:${server.port}\r\n`
    const session = Object.entries(server.session)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')
    const ask = (line: string, hosts: string) =>
      sendBytes(`GET ${line} HTTP/1.1\r\n${hosts}${session}Connection: close\r\n\r\n`)
    expect(await ask('/api/app', good)).toMatch(/^HTTP\/1\.1 200/)
    expect(await ask('/api/app', good + good)).toMatch(/^HTTP\/1\.1 400/)
    expect(await ask('/api/app', `${good}Host: evil.example\r\n`)).toMatch(/^HTTP\/1\.1 400/)
    expect(await ask('/api/app', `Host: evil.example\r\n${good}`)).toMatch(/^HTTP\/1\.1 400/)
    expect(await ask('/api/app', '')).toMatch(/^HTTP\/1\.1 400/)
    expect(await ask('http://evil.example/api/app', good)).toMatch(/^HTTP\/1\.1 400/)
  })
  it.each([
    'http://evil.example',
    'null',
    'https://127.0.0.1:PORT',
    'http://127.0.0.1:1',
    'http://localhost:PORT',
    'http://abc.localhost:4999',
    '',
  ])('Origin %s is refused, for reads and writes', async (origin) => {
    const headers = { ...cookie(), origin: origin.replace('PORT', String(server.port)) }
    for (const reply of [
      await server.ask('/api/app', { headers }),
      await server.ask('/api/suites/check', { method: 'POST', headers: { ...headers, ...json }, body: '{"suite":{}}' }),
    ])
      expect([reply.status, codeOf(reply)]).toEqual([403, 'foreign-origin'])
  })
  it('our own origin is accepted', async () => {
    expect((await server.ask('/api/app', { headers: { ...cookie(), origin: server.origin } })).status).toBe(200)
  })
  it.each(['cross-site', 'same-site'])(
    'Sec-Fetch-Site %s is refused; a person gets a page with a link',
    async (site) => {
      const reply = await server.ask('/api/app', { headers: { ...cookie(), 'sec-fetch-site': site } })
      expect([reply.status, codeOf(reply)]).toEqual([403, 'foreign-site'])
      const page = await server.ask('/results?x="><script>', {
        headers: { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate' },
      })
      expect([page.status, page.headers['content-type']]).toEqual([403, 'text/html; charset=utf-8'])
      expect(page.text).toContain('Go to Benchmaker')
      expect(page.text).not.toContain('<script>')
    },
  )
  it('sends no CORS header, not even to a preflight', async () => {
    for (const [method, path] of [
      ['GET', '/api/app'],
      ['OPTIONS', '/api/app'],
      ['OPTIONS', '/api/runs'],
      ['GET', '/'],
    ] as const) {
      const { headers } = await server.ask(path, {
        method,
        headers: { ...cookie(), 'access-control-request-method': 'POST' },
      })
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
    expect((await server.ask('/api/app', { method: 'OPTIONS', headers: cookie() })).status).toBe(405)
  })
})

describe('request bodies', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json+evil',
    'text/plain; application/json',
  ])('%s is refused with 415', async (type) => {
    const reply = await server.ask('/api/suites/check', {
      method: 'POST',
      headers: { cookie: server.cookie, 'content-type': type },
      body: '{"suite":{}}',
    })
    expect([reply.status, codeOf(reply)]).toEqual([415, 'content-type'])
  })
  it('a missing content type is refused, and so is JSON instead of a file', async () => {
    expect(
      (await server.ask('/api/suites/check', { method: 'POST', headers: { cookie: server.cookie }, body: '{}' }))
        .status,
    ).toBe(415)
    expect(
      (await server.ask(`/api/runs/${runId}`, { method: 'DELETE', headers: { cookie: server.cookie } })).status,
    ).toBe(415)
    expect(
      (
        await server.ask('/api/settings/restore', {
          method: 'POST',
          headers: { cookie: server.cookie, ...json },
          body: '{}',
        })
      ).status,
    ).toBe(415)
  })
  it('JSON of more than 10 MB is refused with 413, announced or not', async () => {
    const body = JSON.stringify({ suite: { name: 'x'.repeat(10 * 1024 * 1024) } })
    const headers = { cookie: server.cookie, ...json }
    expect(
      (
        await server.ask('/api/suites/check', {
          method: 'POST',
          headers: { ...headers, 'content-length': String(body.length) },
          body,
        })
      ).status,
    ).toBe(413)
    expect(
      (
        await server.ask('/api/suites/check', {
          method: 'POST',
          headers: { ...headers, 'transfer-encoding': 'chunked' },
          body,
        })
      ).status,
    ).toBe(413)
  })
  it('JSON nested deeper than 100 levels is refused, however deep', async () => {
    const nest = (depth: number) => ({
      body: `{"suite":{"name":${'['.repeat(depth)}${']'.repeat(depth)}}}`,
      method: 'POST',
      headers: { cookie: server.cookie, ...json },
    })
    expect((await server.ask('/api/suites/check', nest(90))).status).toBe(200)
    for (const depth of [110, 100_000])
      expect(codeOf(await server.ask('/api/suites/check', nest(depth)))).toBe('too-deep')
  })
  it('invalid JSON is refused, and so are invalid fields, by name', async () => {
    expect(
      (await server.ask('/api/runs', { method: 'POST', headers: { cookie: server.cookie, ...json }, body: '{"a":' }))
        .status,
    ).toBe(400)
    const reply = await server.try('POST', '/api/runs', { suiteId: 'example-first-look', models: [], evil: 1 })
    expect(reply.status).toBe(422)
    expect(reply.json()).toMatchObject({
      error: { code: 'invalid', problems: expect.arrayContaining([expect.objectContaining({ path: ['models'] })]) },
    })
  })
})

describe('replies', () => {
  const csp =
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; frame-src http://*.localhost:4999; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

  it('pages have the strict policy and are not cached', async () => {
    for (const path of ['/', '/suites/any', '/results/a,b']) {
      const { headers, status } = await server.ask(path, { headers: { cookie: server.cookie } })
      expect(status).toBe(200)
      expect(headers).toMatchObject({
        'content-security-policy': csp,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'permissions-policy': expect.stringContaining('camera=()'),
        'cache-control': 'no-cache',
      })
    }
  })
  it('data never acts as a page and is never cached', async () => {
    for (const path of [
      '/api/app',
      '/api/nothing',
      '/api/suites/example-first-look/export?format=csv',
      `/api/runs/${runId}/exchange?case=capital-australia&model=demo%2Fgood`,
    ]) {
      const { headers } = await server.ask(path, { headers: { cookie: server.cookie } })
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      })
    }
    const refused = await server.ask('/api/app')
    expect(refused.headers).toMatchObject({ 'cache-control': 'no-store', 'content-type': 'application/json' })
  })
  it('files with a hash in their name are cached forever, and compressed on request', async () => {
    const path = '/assets/main-abcdef12.js'
    const plain = await server.ask(path)
    expect(plain.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
    })
    const compressed = await server.ask(path, { headers: { 'accept-encoding': 'gzip' } })
    expect(compressed.headers['content-encoding']).toBe('gzip')
    expect(compressed.text.length).toBeLessThan(plain.text.length / 10)
  })
  it.each([
    '/../package.json',
    '/%2e%2e/package.json',
    '/..%2f..%2fetc/passwd',
    '/assets/../../sessions.json',
    '/assets/%2e%2e/%2e%2e/sessions.json',
    '/assets/..%5c..%5csessions.json',
    '/sessions.json',
    '/benchmaker.db',
    '/web/index.html',
    '/index.html/../../sessions.json',
    '/assets/main-abcdef12.js%00.html',
  ])('%s reaches no file', async (path) => {
    const reply = await server.ask(path, { headers: { cookie: server.cookie } })
    // Addresses without an extension are pages of the app, which are all the same file.
    if (reply.status === 200) expect(reply.text).toContain('<title>Benchmaker</title>')
    else expect([404, 400]).toContain(reply.status)
    expect(reply.text).not.toMatch(/hash|"dependencies"|root:|SQLite/)
  })
})

describe('errors', () => {
  it('that are unexpected show only an id; the details go to the terminal', async () => {
    const broken = await startServer({
      compose: composeServer,
      adapt: (context) => ({
        ...context,
        databaseSize: () => Promise.reject(new TypeError('secret detail /home/user/x.ts')),
      }),
    })
    const reply = await broken.try('GET', '/api/settings')
    expect(reply.status).toBe(500)
    expect(reply.text).not.toMatch(/secret detail|x\.ts|\n|TypeError/)
    const id = /error ([0-9a-f]{8})/.exec(reply.text)?.[1]
    expect(broken.log.join('\n')).toContain(`error ${id}: TypeError: secret detail`)
    await broken.remove()
  })
  it('of every kind are JSON with a code and a message', async () => {
    const conflict = await server.try('PUT', '/api/suites/example-first-look', {
      suite: { name: 'N', testCases: [{ id: 'a', prompt: 'p', scoringMethod: 'boolean' }] },
      after: 7,
    })
    expect([conflict.status, codeOf(conflict)]).toEqual([409, 'version-conflict'])
    for (const [path, status] of [
      ['/api/suites/none', 404],
      ['/api/runs/none/events', 404],
      ['/api/runs/none/exchange', 404],
      ['/api/suites/example-first-look?version=x', 400],
      ['/api/runs?limit=-1', 400],
    ] as const)
      expect((await server.try('GET', path)).status).toBe(status)
  })
})

describe('a body that the client breaks off', () => {
  const JSON_TYPE = 'application/json'
  const BYTES = 'application/octet-stream'
  it.each([
    ['/api/suites', JSON_TYPE, 'content-length: 1000'],
    ['/api/runs', JSON_TYPE, 'transfer-encoding: chunked'],
    ['/api/imports', BYTES, 'content-length: 1000'],
    ['/api/imports/preview', BYTES, 'content-length: 1000'],
    ['/api/tool-calls', BYTES, 'content-length: 1000'],
    ['/api/tool-calls', JSON_TYPE, 'transfer-encoding: chunked'],
    ['/api/settings/restore', BYTES, 'content-length: 1000'],
  ])('leaves no stack trace in the log: %s as %s with %s', async (path, type, framing) => {
    const printed = (['error', 'warn', 'info', 'log'] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation(() => {}),
    )
    const before = server.log.length
    const session = Object.entries(server.session).map(([name, value]) => `${name}: ${value}`)
    const head = [`POST ${path}?name=a.json HTTP/1.1`, `host: 127.0.0.1:${server.port}`, `content-type: ${type}`]
    const text = `${[...head, ...session, framing].join('\r\n')}\r\n\r\n${framing.includes('chunked') ? '5\r\n{"a":\r\n' : '{"a":'}`
    for (const end of ['destroy', 'reset', 'end'] as const) {
      const socket = connect(server.port, '127.0.0.1')
      const closed = new Promise((resolve) => socket.on('close', resolve))
      socket.on('error', () => undefined)
      socket.resume()
      await new Promise<void>((resolve) => socket.write(text, () => resolve()))
      await new Promise((resolve) => setTimeout(resolve, 100))
      if (end === 'destroy') socket.destroy()
      else if (end === 'reset') socket.resetAndDestroy()
      else socket.end()
      await closed
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect((await server.ask('/api/app', { headers: server.session })).status).toBe(200)
    expect(server.log.slice(before)).toEqual([])
    for (const spy of printed) {
      expect(spy.mock.calls).toEqual([])
      spy.mockRestore()
    }
  })
})
