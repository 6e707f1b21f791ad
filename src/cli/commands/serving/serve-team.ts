import { createApp, openSessions, startHttpServer, warmNewest } from '../../../server/index.ts'
import { readOpenIdSettings, type ServePlace, DEFAULT_PORT, type ServeOptions } from '../../options/serve-place.ts'
import { listenForEnd } from '../../output/end-signals.ts'
import type { Terminal } from '../../output/terminal.ts'
import { packageFile } from '../../package-files.ts'
import { openServing } from './serving.ts'

interface TeamServing {
  place: ServePlace
  dataFolder: string
  terminal: Terminal
  env: NodeJS.ProcessEnv
}

/** A server for several people: they sign in, and no link lets anybody in without an account. */
export async function serveTeam(
  options: ServeOptions,
  { place, dataFolder, terminal, env }: TeamServing,
): Promise<number> {
  const settings = readOpenIdSettings(env)
  const openId = settings && (await import('../../../server/access/openid.ts')).createOpenId(settings)
  const teamEnv = { ...env, BENCHMAKER_TEAM: 'on' }
  const serving = await openServing({ dataFolder, env: teamEnv, terminal })
  const { composeServer } = await import('../../compose-server.ts')
  const app = await serving.compose(() => composeServer({ dataFolder, env: teamEnv, log: serving.log }))
  let port = 0
  const publicUrl = () => place.publicUrl(port)
  const { isSecure, isBehindProxy, host, tls } = place
  const routes = createApp(app.context, {
    ...serving.routes(app),
    sessions: openSessions({ dataFolder, now: Date.now }),
    webFolder: packageFile('dist/web'),
    port: () => port,
    linkSecret: '',
    previewOrigins: [app.context.previews.origin],
    team: { publicUrl, isSecure, isBehindProxy, openId },
  })
  const server = await serving.listen(app, () =>
    startHttpServer(routes, {
      ...serving.listening,
      port: options.port ?? DEFAULT_PORT,
      isFixed: options.port !== undefined,
      ...(host !== undefined && { host }),
      tls,
      place: () => ({ publicUrl: publicUrl(), isBehindProxy }),
    }),
  )
  port = server.port
  const ended = new Promise<void>((resolve) => void listenForEnd(resolve))
  terminal.stdout.write(
    options.json ? `${JSON.stringify({ url: publicUrl(), port })}\n` : `Benchmaker: ${publicUrl()}\n`,
  )
  if (!openId && (await app.context.storage.access.listAccounts()).length === 0)
    serving.log(`Nobody has an account yet. Make the first: benchmaker invite NAME --role admin --url ${publicUrl()}`)
  warmNewest(app.context).catch(() => undefined)
  if (options.continueRuns) serving.continueRuns(app)

  await ended
  await serving.stop(app, server)
  return 0
}
