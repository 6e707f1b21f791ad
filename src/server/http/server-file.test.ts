import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { announceServer, findRunningServer, readLinkRequest, withdrawServer, writeLinkReply } from './server-file.ts'

const SECRET = 's'.repeat(43)
const TOKEN = 't'.repeat(43)
let dataFolder: string
let server: Server
let port: number
let seen: IncomingMessage[]
let answer: (request: IncomingMessage, response: ServerResponse) => void

/** What the real server answers. */
const answerHonestly = (request: IncomingMessage, response: ServerResponse) => {
  const challenge = readLinkRequest(String(request.headers.authorization), SECRET)
  response.end(JSON.stringify(writeLinkReply(SECRET, challenge!, TOKEN)))
}

beforeEach(async () => {
  dataFolder = mkdtempSync(join(tmpdir(), 'benchmaker-server-file-'))
  seen = []
  answer = answerHonestly
  server = createServer((request, response) => {
    seen.push(request)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  port = typeof address === 'object' ? (address?.port ?? 0) : 0
})
afterEach(() => {
  server.close()
  server.closeAllConnections()
  rmSync(dataFolder, { recursive: true })
})

const announce = (change: object = {}) =>
  announceServer(dataFolder, { port, pid: process.pid, secret: SECRET, ...change })
const file = () => join(dataFolder, 'server.json')

describe('the file of a running server', () => {
  it('leads to it, on this machine only, and never shows the secret', async () => {
    announce()
    expect(await findRunningServer(dataFolder)).toEqual({ url: `http://127.0.0.1:${port}/?token=${TOKEN}` })
    expect(JSON.stringify([seen[0]?.rawHeaders, seen[0]?.url])).not.toContain(SECRET)
  })

  const reply = (fields: object) => (_request: IncomingMessage, response: ServerResponse) =>
    response.end(JSON.stringify(fields))
  it.each<[string, typeof answer]>([
    ['an address', reply({ url: 'http://evil.example/' })],
    ['a token without proof', reply({ token: TOKEN, page: '', proof: '' })],
    ['a made-up proof', reply({ token: TOKEN, page: '', proof: 'p'.repeat(43) })],
    [
      'the proof of the request',
      (request, response) =>
        response.end(JSON.stringify({ token: TOKEN, proof: request.headers.authorization?.split(' ').at(-1) })),
    ],
    ['a reply to an earlier challenge', reply(writeLinkReply(SECRET, 'c'.repeat(43), TOKEN))],
    ['a redirect', (_request, response) => response.writeHead(302, { location: 'http://evil.example/' }).end()],
    [
      'an endless reply',
      (_request, response) => {
        const more = () => response.destroyed || response.write('x'.repeat(1000), more)
        more()
      },
    ],
    ['nothing', () => undefined],
    ['an error', (_request, response) => response.writeHead(500).end('{}')],
  ])('is stale if another program listens on the port and sends %s', async (_name, behave) => {
    announce()
    answer = behave
    expect(await findRunningServer(dataFolder)).toBeUndefined()
  })

  it.each<[string, object]>([
    ['a port that is none', { port: 0 }],
    ['a port beyond the last', { port: 70_000 }],
    ['a port that is an address', { port: '80@evil.example' }],
    ['a fraction as port', { port: 80.5 }],
    ['no process', { pid: -1 }],
    ['a short secret', { secret: 'x' }],
  ])('with %s is not believed', async (_name, change) => {
    writeFileSync(file(), JSON.stringify({ port, pid: process.pid, secret: SECRET, ...change }), { mode: 0o600 })
    expect(await findRunningServer(dataFolder)).toBeUndefined()
    expect(seen).toEqual([])
  })

  it('of a process that has ended is not believed', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', ''])
    announce({ pid })
    expect(await findRunningServer(dataFolder)).toBeUndefined()
    expect(seen).toEqual([])
  })

  it.skipIf(process.platform === 'win32')(
    'that others can read or write, or that is a link, is not believed',
    async () => {
      for (const mode of [0o644, 0o660, 0o602]) {
        announce()
        chmodSync(file(), mode)
        expect(await findRunningServer(dataFolder)).toBeUndefined()
      }
      announce()
      renameSync(file(), join(dataFolder, 'elsewhere.json'))
      symlinkSync(join(dataFolder, 'elsewhere.json'), file())
      expect(await findRunningServer(dataFolder)).toBeUndefined()
      expect(seen).toEqual([])
    },
  )

  it('can name only a private page of its own', async () => {
    announce()
    for (const [page, path] of [
      [`open-${'0'.repeat(32)}.html`, join(dataFolder, 'open', `open-${'0'.repeat(32)}.html`)],
      ['../../../etc/passwd', undefined],
      ['http://evil.example/', undefined],
      [`open-${'0'.repeat(32)}.html/../../x`, undefined],
    ] as const) {
      answer = (request, response) => {
        const challenge = readLinkRequest(String(request.headers.authorization), SECRET)
        response.end(JSON.stringify(writeLinkReply(SECRET, challenge!, TOKEN, page)))
      }
      expect((await findRunningServer(dataFolder, { wantsPage: true }))?.page).toBe(path)
    }
  })

  it('is removed only by its own server', () => {
    announce()
    withdrawServer(dataFolder, 'o'.repeat(43))
    expect(existsSync(file())).toBe(true)
    withdrawServer(dataFolder, SECRET)
    expect(existsSync(file())).toBe(false)
  })
})
