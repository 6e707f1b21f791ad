import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, request as send } from 'undici'
import { openAccountSession } from '../../access/index.ts'
import { SESSION_KEY_HEADER, SESSION_KEY_QUERY, type Account, type Role } from '../../contract/index.ts'
import type { OpenId } from '../access/openid.ts'
import { createApp } from '../http/app.ts'
import type { ObservedRequest } from '../http/observe-requests.ts'
import { startHttpServer } from '../http/http-server.ts'
import { openSessions } from '../http/sessions.ts'
import type { StartOptions } from './started-server.ts'

export interface TeamReply {
  status: number
  /** Of the refusal. */
  code: unknown
  headers: Headers
  text: string
  json: Record<string, unknown>
}

export interface TeamServer {
  origin: string
  port: number
  log: string[]
  /** As the log of requests gets them. */
  requests: ObservedRequest[]
  context: Awaited<ReturnType<StartOptions['compose']>>['context']
  app: ReturnType<typeof createApp>
  /** A new account with an open session; the cookie of that. */
  enter(role: Role, id?: string): Promise<string>
  /** Adds the key that belongs to the cookie, as the web app does. */
  ask(
    method: string,
    path: string,
    options?: { cookie?: string; body?: unknown; headers?: Record<string, string> },
  ): Promise<TeamReply>
  /** Reads a stream until it ends or is closed. */
  listen(
    path: string,
    cookie: string,
    onText: (text: string) => void,
  ): Promise<{ close: () => void; ended: Promise<void> }>
  remove(): Promise<void>
}

/** A real team server on loopback, with a real database. */
export async function startTeamServer({
  compose,
  env = {},
  openId,
}: Pick<StartOptions, 'compose' | 'env'> & { openId?: (port: number) => OpenId }): Promise<TeamServer> {
  const folder = mkdtempSync(join(tmpdir(), 'benchmaker-team-'))
  const webFolder = join(folder, 'web')
  mkdirSync(webFolder)
  writeFileSync(join(webFolder, 'index.html'), '<!doctype html><html><head><title>Benchmaker</title></head></html>')
  const log: string[] = []
  const requests: ObservedRequest[] = []
  const composed = await compose({
    dataFolder: folder,
    env: { BENCHMAKER_KEY_STORE: 'file', BENCHMAKER_DEMO_DELAY_MS: '0', BENCHMAKER_TEAM: 'on', ...env },
    log: (line) => log.push(line),
  })
  const { context } = composed
  let port = 0
  const publicUrl = () => `http://127.0.0.1:${port}`
  const team = {
    publicUrl,
    isSecure: false,
    get openId() {
      return openId?.(port)
    },
  }
  const app = createApp(context, {
    sessions: openSessions({ dataFolder: folder, now: Date.now }),
    webFolder,
    port: () => port,
    linkSecret: '',
    redact: composed.redact,
    log: (line) => log.push(line),
    observed: { observe: (request) => requests.push(request) },
    team,
  })
  const server = await startHttpServer(app, { port: 0, place: () => ({ publicUrl: publicUrl() }) })
  port = server.port
  const agent = new Agent()
  /** The keys of sessions by their cookies, kept as a browser keeps them. */
  const keys = new Map<string, string>()
  return {
    origin: publicUrl(),
    port,
    log,
    requests,
    context,
    app,
    async enter(role, id = `${role}-${Math.random().toString(36).slice(2)}`) {
      const account: Account = { id, login: id, name: id, role, createdAt: Date.now() }
      await context.storage.access.createAccount(account)
      const secret = await openAccountSession(account, context)
      const cookie = `benchmaker-session-${port}=${secret.slice(0, 43)}`
      keys.set(cookie, secret.slice(43))
      return cookie
    },
    async ask(method, path, { cookie, body = {}, headers = {} } = {}) {
      const reply = await send(`${publicUrl()}${path}`, {
        method,
        dispatcher: agent,
        headers: {
          ...(cookie !== undefined && { cookie }),
          ...(cookie !== undefined && keys.has(cookie) && { [SESSION_KEY_HEADER]: keys.get(cookie)! }),
          ...(method !== 'GET' && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(method !== 'GET' && { body: JSON.stringify(body) }),
      })
      const given = new Headers()
      for (const [name, values = []] of Object.entries(reply.headers))
        for (const value of [values].flat()) given.append(name, value)
      const isStream = given.get('content-type')?.startsWith('text/event-stream') ?? false
      if (isStream) reply.body.destroy()
      const text = isStream ? '' : await reply.body.text()
      const json: Record<string, unknown> = text.startsWith('{') ? Object(JSON.parse(text)) : {}
      const key = String(json['key'] ?? new RegExp(`#${SESSION_KEY_QUERY}=([\\w-]+)`).exec(text)?.[1] ?? '')
      for (const line of given.getSetCookie()) if (key) keys.set(line.split(';')[0]!, key)
      return { status: reply.statusCode, code: Object(json['error'])['code'], headers: given, text, json }
    },
    async listen(path, cookie, onText) {
      const reply = await send(`${publicUrl()}${path}`, {
        dispatcher: agent,
        headers: { cookie, ...(keys.has(cookie) && { [SESSION_KEY_HEADER]: keys.get(cookie)! }) },
      })
      const ended = once(reply.body, 'close').then(() => undefined)
      reply.body.on('data', (chunk: Buffer) => onText(chunk.toString()))
      reply.body.on('error', () => undefined)
      return { close: () => reply.body.destroy(), ended }
    },
    async remove() {
      await server.close()
      await agent.destroy()
      await composed.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
