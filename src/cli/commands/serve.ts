import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import { createApp, openSessions, startHttpServer, warmNewest } from '../../server/index.ts'
import { createOpenPages, findOpenPage } from '../../server/http/open-pages.ts'
import { announceServer, findRunningServer, withdrawServer } from '../../server/http/server-file.ts'
import { continueRuns, trackRunsInHand } from '../../server/runs/runs-in-hand.ts'
import { createHealth } from '../../operations/health/health.ts'
import { readVersions } from '../compose.ts'
import { composeOperations } from '../compose-operations.ts'
import { findDataFolder } from '../data-folder.ts'
import { createServerLog, readGrace } from './serve-operations.ts'
import { packageFile } from '../package-files.ts'
import { listenForEnd } from '../output/end-signals.ts'
import type { Terminal } from '../output/terminal.ts'

export interface ServeOptions {
  port?: number
  open?: boolean
  data?: string
  json?: boolean
  /** Continues what was in progress when the server was stopped. */
  continueRuns?: boolean
}

const DEFAULT_PORT = 4747
/** For requests in progress when the server stops. */
const REQUEST_MS = 2_000
/** For closing everything, after runs have stopped. */
const CLOSE_MS = 15_000

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

/** A database or browser that does not respond must not keep the process: everything stored is safe. */
function limitShutdown(milliseconds: number, log: (line: string) => void): void {
  setTimeout(() => {
    log('Benchmaker could not close everything in time and ends now. Stored data is safe.')
    process.exit(1)
  }, milliseconds).unref()
}

/** `benchmaker serve` */
export async function serve(
  options: ServeOptions,
  terminal: Terminal,
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  const dataFolder = findDataFolder(options.data, env)
  const print = (url: string, label: string) =>
    terminal.stdout.write(options.json ? `${JSON.stringify({ url })}\n` : `${label} ${url}\n`)
  const wantsPage = canOpenBrowser(options, env)
  const running = await findRunningServer(dataFolder, { wantsPage })
  if (running !== undefined) {
    print(running.url, 'Benchmaker is already running:')
    openBrowser(running.page)
    return 0
  }

  const graceMs = readGrace(env)
  let redact = (text: string) => text
  const operations = await composeOperations(env, terminal, { redact: (text) => redact(text) })
  const { logger } = operations
  const { line: log, request: observe, refused: onRefused } = createServerLog(operations, terminal)
  const { composeServer } = await import('../compose-server.ts')
  const app = await composeServer({ dataFolder, env, log }).catch(async (error: unknown) => {
    logger?.log('error', 'start failed', {}, error)
    await operations.close()
    throw error
  })
  redact = app.redact
  const { runs } = app.context
  runs.listen(operations.onRunEvent)
  const inHand = trackRunsInHand(dataFolder, runs)
  const health = createHealth({ readVersions: () => readVersions(dataFolder, env), now: Date.now })
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
    log: (line, error) => log(app.redact(line), error),
    ...(observe && { observed: { observe } }),
    previewOrigins: [app.context.previews.origin],
  })
  const server = await startHttpServer(routes, {
    port: options.port ?? DEFAULT_PORT,
    isFixed: options.port !== undefined,
    health,
    onRefused,
  }).catch(async (error: unknown) => {
    logger?.log('error', 'start failed', {}, error)
    await app.close()
    await operations.close()
    throw error
  })
  port = server.port
  logger?.log('info', 'server started', { port, version: app.context.version, storage: app.context.storageKind })
  announceServer(dataFolder, { port, pid: process.pid, secret })
  const createLink = () => linkWith(sessions.createToken())
  const ended = new Promise<void>((resolve) => void listenForEnd(resolve))
  const stopOffering = offerNewLinks(() => print(createLink(), 'Benchmaker:'))
  print(createLink(), 'Benchmaker:')
  if (wantsPage) openBrowser(findOpenPage(dataFolder, pages.create()))
  // Only for speed: requests for the data report its errors.
  warmNewest(app.context).catch(() => undefined)
  if (options.continueRuns) void continueRuns(inHand.earlier, runs, log)

  await ended
  health.stop()
  inHand.keep()
  limitShutdown(graceMs + CLOSE_MS, log)
  stopOffering()
  const live = runs.liveRuns()
  if (live.length > 0)
    log(
      `Stopping ${live.length === 1 ? 'a run' : `${live.length} runs`}; finished cells are kept, and the rest can be resumed.`,
    )
  withdrawServer(dataFolder, secret)
  pages.close()
  await runs.close({ graceMs })
  await server.close({ waitMs: REQUEST_MS })
  await app.close()
  logger?.log('info', 'server stopped')
  await operations.close()
  return 0
}
