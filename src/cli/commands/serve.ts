import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import { createApp, openSessions, startHttpServer, warmNewest } from '../../server/index.ts'
import { createOpenPages, findOpenPage } from '../../server/http/open-pages.ts'
import { announceServer, findRunningServer, withdrawServer } from '../../server/http/server-file.ts'
import { findDataFolder } from '../data-folder.ts'
import { readOpenIdSettings, readServePlace, type PlaceOptions, type ServePlace } from '../options/serve-place.ts'
import { packageFile } from '../package-files.ts'
import { listenForEnd } from '../output/end-signals.ts'
import type { Terminal } from '../output/terminal.ts'

export interface ServeOptions extends PlaceOptions {
  port?: number
  open?: boolean
  data?: string
  json?: boolean
}

const DEFAULT_PORT = 4747

/** False if there is no display. */
function canOpenBrowser({ open = true }: ServeOptions, env: NodeJS.ProcessEnv): boolean {
  const hasDisplay = process.platform !== 'linux' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'])
  return open && process.stdout.isTTY === true && !env['CI'] && hasDisplay
}

/** Opens the browser with a private page. Not with the link: other users of this machine can see arguments. */
function openBrowser(page: string | undefined): void {
  if (page === undefined) return
  const [program, args] =
    process.platform === 'darwin'
      ? ['open', [page]]
      : process.platform === 'win32'
        ? ['cmd', ['/c', 'start', '', page]]
        : ['xdg-open', [page]]
  const child = spawn(program, args, { stdio: 'ignore', detached: true })
  // Not fatal: the link is also printed in the terminal.
  child.on('error', () => undefined)
  child.unref()
}

/** Prints another link, for another browser, when the user presses Enter. */
function offerNewLinks(writeLink: () => void): () => void {
  if (process.stdin.isTTY !== true) return () => undefined
  const lines = createInterface({ input: process.stdin })
  lines.on('line', writeLink)
  return () => lines.close()
}

interface TeamServing {
  place: ServePlace
  dataFolder: string
  terminal: Terminal
  env: NodeJS.ProcessEnv
}

/** A server for several people: they sign in, and no link lets anybody in without an account. */
async function serveTeam(options: ServeOptions, { place, dataFolder, terminal, env }: TeamServing): Promise<number> {
  const log = (line: string) => terminal.stderr.write(`${line.replaceAll('\n', '\n  ')}\n`)
  const settings = readOpenIdSettings(env)
  const openId = settings && (await import('../../server/access/openid.ts')).createOpenId(settings)
  const { composeServer } = await import('../compose-server.ts')
  const app = await composeServer({ dataFolder, env: { ...env, BENCHMAKER_TEAM: 'on' }, log })
  let port = 0
  const publicUrl = () => place.publicUrl(port)
  const { isSecure, isBehindProxy, host, tls } = place
  const routes = createApp(app.context, {
    sessions: openSessions({ dataFolder, now: Date.now }),
    webFolder: packageFile('dist/web'),
    port: () => port,
    linkSecret: '',
    redact: app.redact,
    log: (line) => log(app.redact(line)),
    previewOrigins: [app.context.previews.origin],
    team: { publicUrl, isSecure, isBehindProxy, openId },
  })
  const server = await startHttpServer(routes, {
    port: options.port ?? DEFAULT_PORT,
    isFixed: options.port !== undefined,
    ...(host !== undefined && { host }),
    tls,
    place: () => ({ publicUrl: publicUrl(), isBehindProxy }),
  }).catch(async (error: unknown) => {
    await app.close()
    throw error
  })
  port = server.port
  const ended = new Promise<void>((resolve) => void listenForEnd(resolve))
  terminal.stdout.write(
    options.json ? `${JSON.stringify({ url: publicUrl(), port })}\n` : `Benchmaker: ${publicUrl()}\n`,
  )
  if (!openId && (await app.context.storage.access.listAccounts()).length === 0)
    log(`Nobody has an account yet. Make the first: benchmaker invite NAME --role admin --url ${publicUrl()}`)
  warmNewest(app.context).catch(() => undefined)

  await ended
  await app.context.runs.close()
  await server.close()
  await app.close()
  return 0
}

/** `benchmaker serve` */
export async function serve(
  options: ServeOptions,
  terminal: Terminal,
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  const dataFolder = findDataFolder(options.data, env)
  const place = readServePlace(options, env)
  if (place.isTeam) return serveTeam(options, { place, dataFolder, terminal, env })
  const print = (url: string, label: string) =>
    terminal.stdout.write(options.json ? `${JSON.stringify({ url })}\n` : `${label} ${url}\n`)
  const wantsPage = canOpenBrowser(options, env)
  const running = await findRunningServer(dataFolder, { wantsPage })
  if (running !== undefined) {
    print(running.url, 'Benchmaker is already running:')
    openBrowser(running.page)
    return 0
  }

  // Indented: foreign text in an error must not look like another entry.
  const log = (line: string) => terminal.stderr.write(`${line.replaceAll('\n', '\n  ')}\n`)
  const { composeServer } = await import('../compose-server.ts')
  const app = await composeServer({ dataFolder, env, log })
  const sessions = openSessions({ dataFolder, now: Date.now })
  const secret = randomBytes(32).toString('base64url')
  let port = 0
  const linkWith = (token: string) => `http://127.0.0.1:${port}/?token=${token}`
  const pages = createOpenPages({ dataFolder, sessions, createLink: linkWith })
  const routes = createApp(app.context, {
    sessions,
    webFolder: packageFile('dist/web'),
    port: () => port,
    linkSecret: secret,
    createPage: pages.create,
    redact: app.redact,
    log: (line) => log(app.redact(line)),
    previewOrigins: [app.context.previews.origin],
  })
  const server = await startHttpServer(routes, {
    port: options.port ?? DEFAULT_PORT,
    isFixed: options.port !== undefined,
  }).catch(async (error: unknown) => {
    await app.close()
    throw error
  })
  port = server.port
  announceServer(dataFolder, { port, pid: process.pid, secret })
  const createLink = () => linkWith(sessions.createToken())
  const ended = new Promise<void>((resolve) => void listenForEnd(resolve))
  const stopOffering = offerNewLinks(() => print(createLink(), 'Benchmaker:'))
  print(createLink(), 'Benchmaker:')
  if (wantsPage) openBrowser(findOpenPage(dataFolder, pages.create()))
  // Only for speed: requests for the data report its errors.
  warmNewest(app.context).catch(() => undefined)

  await ended
  stopOffering()
  const live = app.context.runs.liveRuns()
  if (live.length > 0)
    log(
      `Stopping ${live.length === 1 ? 'a run' : `${live.length} runs`}; finished cells are kept, and the rest can be resumed.`,
    )
  withdrawServer(dataFolder, secret)
  pages.close()
  await app.context.runs.close()
  await server.close()
  await app.close()
  return 0
}
