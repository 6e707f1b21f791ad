import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { readSession } from '../../src/server/testing/started-server.ts'

const program = join(import.meta.dirname, '..', '..', 'dist', 'cli.js')

/** The real program, as a process of its own. */
export interface ServerProcess {
  child: ChildProcess
  out(): string
  err(): string
  ended: Promise<number | null>
  /** The origin of the web app and a cookie of an open session. */
  enter(): Promise<Entered>
}

export interface Entered {
  origin: string
  /** With the session; any status. */
  ask(path: string, body?: unknown): Promise<Response>
  /** The reply, assumed to be of the route's type. */
  read<T>(path: string, body?: unknown): Promise<T>
}

const running = new Set<ChildProcess>()

/** For `afterEach`: nothing that a failed test started may go on. */
export function killServers(): void {
  for (const child of running) child.kill('SIGKILL')
}

export function startProgram(args: string[], env: NodeJS.ProcessEnv): ServerProcess {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let out = ''
  let err = ''
  const ended = new Promise<number | null>((resolve) =>
    child.on('close', (code) => {
      running.delete(child)
      resolve(code)
    }),
  )
  const link = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (piece: Buffer) => {
      out += piece.toString()
      const found = /http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}/.exec(out)?.[0]
      if (found) resolve(found)
    })
    child.stderr.on('data', (piece: Buffer) => (err += piece.toString()))
    void ended.then((code) => reject(new Error(`the program ended with ${code} before it printed a link: ${err}`)))
  })
  link.catch(() => undefined)
  return {
    child,
    out: () => out,
    err: () => err,
    ended,
    async enter() {
      const reply = await fetch(await link, { redirect: 'manual' })
      const { origin } = new URL(await link)
      const session = readSession({ headers: Object.fromEntries(reply.headers) })
      const ask: Entered['ask'] = (path, body) =>
        fetch(`${origin}${path}`, {
          headers: { ...session, ...(body !== undefined && { 'content-type': 'application/json' }) },
          ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        })
      return {
        origin,
        ask,
        read: async (path, body) => JSON.parse(await (await ask(path, body)).text()),
      }
    },
  }
}
