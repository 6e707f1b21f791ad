import type { StartedRun } from '../../../server/runs/run-manager.ts'
import type { RunList } from '../../../server/runs/routes.ts'
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { readSession } from '../../../server/testing/started-server.ts'
import { builtProgram } from '../../testing/built-program.ts'
import { drawPort } from '../../testing/draw-port.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-serve-'))
const children = new Set<ChildProcess>()
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Served {
  child: ChildProcess
  out(): string
  err(): string
  ended: Promise<number | null>
  /** The first line of output. */
  line: Promise<string>
}

interface ServeOptions {
  /** With a display: the output then counts as a terminal. */
  env: NodeJS.ProcessEnv
}

const AS_TERMINAL = ['--import', 'data:text/javascript,process.stdout.isTTY=true']

function serve(data: string, ...given: (string | ServeOptions)[]): Served {
  const args = given.filter((arg) => typeof arg === 'string')
  const options = given.find((arg) => typeof arg !== 'string')
  const env = { ...(options?.env ?? process.env), BENCHMAKER_DEMO_DELAY_MS: '100' }
  const child = spawn(
    process.execPath,
    [...(options ? AS_TERMINAL : []), builtProgram, ...args, '--data', join(folder, data)],
    {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  children.add(child)
  let out = ''
  let err = ''
  const ended = new Promise<number | null>((resolve) => child.on('exit', (code) => resolve(code)))
  const line = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (piece: Buffer) => {
      out += piece.toString()
      if (out.includes('\n')) resolve(out.split('\n')[0]!)
    })
    child.stderr.on('data', (piece: Buffer) => (err += piece.toString()))
    void ended.then(() => reject(new Error(`the server ended before it printed a line: ${err}`)))
  })
  line.catch(() => undefined)
  return { child, out: () => out, err: () => err, ended, line }
}

async function serveOnSomePort(data: string): Promise<{ port: number; first: Served }> {
  for (let tries = 1; ; tries++) {
    const port = drawPort()
    const first = serve(data, 'serve', '--port', String(port))
    const isServing = await first.line.then(
      () => true,
      () => false,
    )
    if (isServing || tries === 3) return { port, first }
  }
}

const linkIn = (line: string) => /http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}/.exec(line)?.[0] ?? ''

interface Entered {
  origin: string
  session: Record<string, string>
}

/** Opens the link as a browser would and returns the session. */
async function enter(link: string): Promise<Entered> {
  const reply = await fetch(link, { redirect: 'manual' })
  expect([reply.status, reply.headers.get('location')]).toEqual([302, expect.stringMatching(/^\/#sessionKey=/)])
  return { origin: new URL(link).origin, session: readSession({ headers: Object.fromEntries(reply.headers) }) }
}

async function ask<T>({ origin, session }: Entered, path: string, body?: unknown): Promise<T> {
  const reply = await fetch(`${origin}${path}`, {
    headers: { ...session, 'content-type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
  const value: T = JSON.parse(await reply.text())
  return value
}

function takePort(): Promise<{ port: number; free(): Promise<void> }> {
  return new Promise((resolve) => {
    // Accepts connections but never answers.
    const server = createServer((socket) => socket.resume().on('error', () => undefined))
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve({
        port: typeof address === 'object' ? (address?.port ?? 0) : 0,
        free: () => new Promise((done) => server.close(() => done())),
      })
    })
  })
}

/** Stands in for the program that opens the browser: notes its arguments, and what it was given. */
function installOpener(name: string): { env: NodeJS.ProcessEnv; arguments_(): string; page(): string } {
  const bin = join(folder, name)
  mkdirSync(bin)
  writeFileSync(
    join(bin, 'xdg-open'),
    `#!/bin/sh\ntr '\\0' ' ' < /proc/$$/cmdline > "${bin}/arguments.new"\nstat -c '%a' "$1" "$(dirname "$1")" > "${bin}/modes"\ncat "$1" > "${bin}/page"\nmv "${bin}/arguments.new" "${bin}/arguments"\n`,
    { mode: 0o755 },
  )
  const { CI: _ci, ...rest } = process.env
  return {
    env: { ...rest, DISPLAY: ':0', PATH: [bin, process.env['PATH']].join(delimiter) },
    arguments_: () => (existsSync(join(bin, 'arguments')) ? readFileSync(join(bin, 'arguments'), 'utf8') : ''),
    page: () => readFileSync(join(bin, 'page'), 'utf8') + readFileSync(join(bin, 'modes'), 'utf8'),
  }
}

/** Follows a link on a page of a file, as a browser would; `fetch` sends headers of its own. */
function followFromFile(link: string): Promise<{ status: number | undefined; cookie: string }> {
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  return new Promise((resolve, reject) => {
    get(link, { headers, agent: false }, (reply) => {
      reply.resume()
      resolve({ status: reply.statusCode, cookie: String(reply.headers['set-cookie']) })
    }).on('error', reject)
  })
}

describe.skipIf(process.platform !== 'linux')('the browser', () => {
  it('is opened with a private page and not with the link, which other users could read in its arguments', async () => {
    const first = installOpener('first-opener')
    const served = serve('opened', 'serve', '--port', '0', { env: first.env })
    const printed = linkIn(await served.line)
    await expect.poll(first.arguments_).not.toBe('')
    const second = installOpener('second-opener')
    const again = serve('opened', 'serve', { env: second.env })
    expect(await again.ended).toBe(0)
    await expect.poll(second.arguments_).not.toBe('')

    for (const opener of [first, second]) {
      expect(opener.arguments_()).not.toContain('token')
      const page = opener.arguments_().trim().split(' ').at(-1)!
      expect(dirname(page)).toBe(join(folder, 'opened', 'open'))
      expect(opener.page()).toMatch(/600\n700\n$/)
      const link = linkIn(opener.page())
      expect(opener.arguments_()).not.toContain(new URL(link).searchParams.get('token'))
      expect(existsSync(page)).toBe(true)
      expect(await followFromFile(link)).toEqual({ status: 200, cookie: expect.stringContaining('Strict') })
      expect(existsSync(page)).toBe(false)
      expect(await followFromFile(link)).toEqual({ status: 403, cookie: 'undefined' })
    }
    await enter(printed)
    served.child.kill('SIGTERM')
    await served.ended
    expect(existsSync(join(folder, 'opened', 'open'))).toBe(false)
  })
})

describe('benchmaker serve', () => {
  it('prints one line with a working link, also without a command; a second server on the same data links to the first', async () => {
    const first = serve('one', '--port', '0', '--no-open')
    const link = linkIn(await first.line)
    expect(first.out().trimEnd()).toBe(`Benchmaker: ${link}`)
    const session = await enter(link)
    expect(await ask(session, '/api/app')).toMatchObject({ isDemoOnly: true, dataFolder: join(folder, 'one') })
    expect(statSync(join(folder, 'one', 'server.json')).mode & 0o777).toBe(0o600)

    const second = serve('one', 'serve', '--json')
    const { url }: { url: string } = JSON.parse(await second.line)
    expect(await second.ended).toBe(0)
    expect(new URL(url).origin).toBe(session.origin)
    expect(await ask(await enter(url), '/api/app')).toMatchObject({ dataFolder: join(folder, 'one') })
  })

  it('after a kill in the middle of a run, the next server on the port accepts the session and resumes the run', async () => {
    const { port, first } = await serveOnSomePort('two')
    const session = await enter(linkIn(await first.line))
    const { runId } = await ask<StartedRun>(session, '/api/runs', {
      suiteId: 'example-first-look',
      models: ['demo/good', 'demo/poor'],
      repeat: 2,
    })
    await expect.poll(async () => (await ask<RunList>(session, '/api/runs')).runs[0]?.cells.scored).toBeGreaterThan(5)
    first.child.kill('SIGKILL')
    await first.ended

    const second = serve('two', 'serve', '--port', String(port))
    await second.line
    const [run] = (await ask<RunList>(session, '/api/runs')).runs
    expect(run).toMatchObject({ id: runId, status: 'running', state: 'interrupted' })
    await ask(session, `/api/runs/${runId}/resume`, {})
    await expect
      .poll(async () => (await ask<RunList>(session, '/api/runs')).runs.map(({ status }) => status), {
        timeout: 60_000,
      })
      .toEqual(['completed', 'completed'])
    expect(
      (await ask<RunList>(session, '/api/runs')).runs.map(({ cells }) => [cells.total, cells.pending, cells.errors]),
    ).toEqual([
      [60, 0, 0],
      [60, 0, 0],
    ])
  })

  it.each(['SIGTERM', 'SIGINT'] as const)(
    '%s ends it cleanly: the run is cancelled and resumable, and nothing is left behind',
    async (signal) => {
      const data = `three-${signal}`
      const first = serve(data, 'serve', '--port', '0')
      const session = await enter(linkIn(await first.line))
      await ask<StartedRun>(session, '/api/runs', { suiteId: 'example-first-look', models: ['demo/good'] })
      first.child.kill(signal)
      expect(await first.ended).toBe(0)
      expect(first.err()).toContain('can be resumed')
      expect(existsSync(join(folder, data, 'server.json'))).toBe(false)
      const second = serve(data, 'serve', '--port', '0')
      const { runs } = await ask<RunList>(await enter(linkIn(await second.line)), '/api/runs')
      expect(runs).toMatchObject([{ status: 'cancelled', state: 'stopped' }])
    },
  )

  it('refuses to start when the requested port is in use', async () => {
    const { port, free } = await takePort()
    const refused = serve('four', 'serve', '--port', String(port))
    expect(await refused.ended).toBe(2)
    expect(refused.err()).toContain(`port ${port} is taken`)
    await free()
  })

  it('ignores a server file that is stale or belongs to another program', async () => {
    const { port, free } = await takePort()
    const first = serve('five', 'serve', '--port', '0')
    await first.line
    first.child.kill('SIGKILL')
    await first.ended
    writeFileSync(join(folder, 'five', 'server.json'), JSON.stringify({ port, pid: process.pid, secret: 'x' }))
    const second = serve('five', 'serve', '--port', '0')
    expect(linkIn(await second.line)).not.toContain(`:${port}/`)
    await free()
  })
})
