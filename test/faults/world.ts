/** The real program in processes of its own, and a counting model server. Needs dist/, which `npm test` builds first. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startModelServer, type ModelServer, type ModelServerOptions } from '../fakes/model-server.ts'
import { builtProgram } from '../../src/cli/testing/built-program.ts'
import { readSession } from '../../src/server/testing/started-server.ts'

interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
  out: string
  err: string
}

export interface Started {
  child: ChildProcess
  pid: number
  ended: Promise<Exit>
  out(): string
  err(): string
  hasEnded(): boolean
}

/** Polls: what happens in another process cannot be awaited. */
export async function until(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const start = performance.now(); !(await isTrue());) {
    if (performance.now() - start > 120_000) throw new Error(`never happened: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

export function startProcess(command: string, args: string[], options: Parameters<typeof spawn>[2] = {}): Started {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
  let out = ''
  let err = ''
  let hasEnded = false
  child.stdout?.on('data', (piece: Buffer) => (out += piece.toString()))
  child.stderr?.on('data', (piece: Buffer) => (err += piece.toString()))
  const ended = new Promise<Exit>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      hasEnded = true
      resolve({ code, signal, out, err })
    })
  })
  return { child, pid: child.pid!, ended, out: () => out, err: () => err, hasEnded: () => hasEnded }
}

export interface World {
  folder: string
  data: string
  suite: string
  server: ModelServer
  env: NodeJS.ProcessEnv
  start(...args: string[]): Started
  /** Starts a run of all cases, four at a time. */
  startRun(...args: string[]): Started
  /** Waits for so many requests in all. */
  untilAsked(requests: number): Promise<void>
  listRuns(): Promise<ListedRun[]>
  close(): Promise<void>
}

export interface ListedRun {
  id: string
  status: string
  state?: string
  /** Absent if this server works on it. */
  workedOnBy?: unknown
  cells: { total: number; scored: number; errors: number; pending: number }
}

export const CONCURRENCY = 4

export async function createWorld({
  cases = 100,
  env = {},
  ...options
}: ModelServerOptions & { cases?: number; env?: Record<string, string> } = {}): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'benchmaker-faults-'))
  const server = await startModelServer({ latencyMs: 25, answer: () => 'yes', cost: 0.001, ...options })
  const suite = join(folder, 'suite.json')
  const testCases = Array.from({ length: cases }, (_, index) => ({
    id: `case-${index}`,
    prompt: `Question ${index}`,
    scoringMethod: 'exact-match',
    expectedOutput: 'yes',
  }))
  writeFileSync(suite, JSON.stringify({ name: 'Faults', testCases }))
  const data = join(folder, 'data')
  const environment = { ...process.env, BENCHMAKER_HOME: data, ...env }
  const started = new Set<Started>()
  const start = (...args: string[]) => {
    const child = startProcess(process.execPath, [builtProgram, ...args], { env: environment, cwd: folder })
    started.add(child)
    return child
  }
  return {
    folder,
    data,
    suite,
    server,
    env: environment,
    start,
    startRun: (...args) =>
      start('run', suite, '--models', 'm', '--base-url', server.baseUrl, '--concurrency', String(CONCURRENCY), ...args),
    untilAsked: (requests) => until(() => server.stats().requests >= requests, `${requests} requests`),
    async listRuns() {
      const { out, err, code } = await start('list', '--json').ended
      if (code !== 0) throw new Error(`list exited with ${code}: ${err}`)
      return JSON.parse(out).runs
    },
    async close() {
      for (const child of started) if (!child.hasEnded()) child.child.kill('SIGKILL')
      await Promise.all([...started].map(({ ended }) => ended))
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export interface Serving {
  process: Started
  get<Reply>(path: string): Promise<{ status: number; body: Reply }>
  post<Reply>(path: string, body: unknown): Promise<{ status: number; body: Reply }>
  download(path: string): Promise<Uint8Array>
  upload<Reply>(path: string, bytes: Uint8Array): Promise<{ status: number; body: Reply }>
}

/** Starts the web server and opens a session. */
export async function startServing(world: World): Promise<Serving> {
  const process = world.start('serve', '--no-open', '--json', '--port', '0')
  await until(() => process.out().includes('\n') || process.hasEnded(), 'the server starts')
  const { url }: { url: string } = JSON.parse(process.out())
  const { origin } = new URL(url)
  const entered = await fetch(url, { redirect: 'manual' })
  const session = readSession({ headers: Object.fromEntries(entered.headers) })
  const send = async <Reply>(
    path: string,
    init: RequestInit,
    type = 'application/json',
  ): Promise<{ status: number; body: Reply }> => {
    const reply = await fetch(`${origin}/api${path}`, {
      headers: { ...session, origin, 'content-type': type },
      ...init,
    })
    return { status: reply.status, body: (await reply.json()) as Reply }
  }
  return {
    process,
    get: (path) => send(path, {}),
    post: (path, body) => send(path, { method: 'POST', body: JSON.stringify(body) }),
    download: async (path) =>
      new Uint8Array(await (await fetch(`${origin}/api${path}`, { headers: session })).arrayBuffer()),
    upload: (path, bytes) => send(path, { method: 'POST', body: Buffer.from(bytes) }, 'application/octet-stream'),
  }
}

/** A finding that nobody should see: a crash, or words for one. */
export const crashWords = /at .*\.js:\d+|TypeError|unhandled|report (it|this)|bug in Benchmaker/i
