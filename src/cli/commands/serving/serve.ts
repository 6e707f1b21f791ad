import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import { createApp, openSessions, startHttpServer, warmNewest } from '../../../server/index.ts'
import { createOpenPages, findOpenPage } from '../../../server/http/open-pages.ts'
import { announceServer, findRunningServer, withdrawServer } from '../../../server/http/server-file.ts'
import { findDataFolder } from '../../data-folder.ts'
import { DEFAULT_PORT, type ServeOptions, readServePlace } from '../../options/serve-place.ts'
import { openServing } from './serving.ts'
import { packageFile } from '../../package-files.ts'
import { listenForEnd } from '../../output/end-signals.ts'
import type { Terminal } from '../../output/terminal.ts'

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

/** `benchmaker serve` */
export async function serve(
  options: ServeOptions,
  terminal: Terminal,
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  const dataFolder = findDataFolder(options.data, env)
  const place = readServePlace(options, env)
  if (place.isTeam) return (await import('./serve-team.ts')).serveTeam(options, { place, dataFolder, terminal, env })
  const print = (url: string, label: string) =>
    terminal.stdout.write(options.json ? `${JSON.stringify({ url })}\n` : `${label} ${url}\n`)
  const wantsPage = canOpenBrowser(options, env)
  const running = await findRunningServer(dataFolder, { wantsPage })
  if (running !== undefined) {
    print(running.url, 'Benchmaker is already running:')
    openBrowser(running.page)
    return 0
  }

  const serving = await openServing({ dataFolder, env, terminal })
  const { composeServer } = await import('../../compose-server.ts')
  const app = await serving.compose(() => composeServer({ dataFolder, env, log: serving.log }))
  const sessions = openSessions({ dataFolder, now: Date.now })
  const secret = randomBytes(32).toString('base64url')
  let port = 0
  const linkWith = (token: string) => `http://127.0.0.1:${port}/?token=${token}`
  const pages = createOpenPages({ dataFolder, sessions, createLink: linkWith })
  const routes = createApp(app.context, {
    ...serving.routes(app),
    sessions,
    webFolder: packageFile('dist/web'),
    port: () => port,
    linkSecret: secret,
    createPage: pages.create,
    previewOrigins: [app.context.previews.origin],
  })
  const server = await serving.listen(app, () =>
    startHttpServer(routes, {
      ...serving.listening,
      port: options.port ?? DEFAULT_PORT,
      isFixed: options.port !== undefined,
    }),
  )
  port = server.port
  announceServer(dataFolder, { port, pid: process.pid, secret })
  const createLink = () => linkWith(sessions.createToken())
  const ended = new Promise<void>((resolve) => void listenForEnd(resolve))
  const stopOffering = offerNewLinks(() => print(createLink(), 'Benchmaker:'))
  print(createLink(), 'Benchmaker:')
  if (wantsPage) openBrowser(findOpenPage(dataFolder, pages.create()))
  // Only for speed: requests for the data report its errors.
  warmNewest(app.context).catch(() => undefined)
  if (options.continueRuns) serving.continueRuns(app)

  await ended
  stopOffering()
  withdrawServer(dataFolder, secret)
  pages.close()
  await serving.stop(app, server)
  return 0
}
