import { InputError } from '../../../contract/index.ts'
import { createHealth } from '../../../operations/health.ts'
import type { AppOptions } from '../../../server/http/app.ts'
import type { ListeningServer, ListenOptions } from '../../../server/http/http-server.ts'
import { continueRuns, trackActiveRuns, type ActiveRuns } from '../../../server/runs/active-runs.ts'
import type { ServerApp } from '../../compose-server.ts'
import { composeOperations } from '../../compose-operations.ts'
import { readVersions } from '../../compose.ts'
import type { Terminal } from '../../output/terminal.ts'
import type { IncomingMessage } from 'node:http'
import type { Operations } from '../../../operations/operations.ts'
import type { ObservedRequest } from '../../../server/http/observe-requests.ts'
import type { Refusal } from '../../../server/http/refusal.ts'

/** What the server writes to stderr: lines for a person, or a structured log. */
interface ServerLog {
  line(text: string, error?: unknown): void
  /** Undefined if no log is wanted. */
  request: ((request: ObservedRequest) => void) | undefined
  refused(request: IncomingMessage, refusal: Refusal): void
}

function createServerLog({ logger }: Pick<Operations, 'logger'>, { stderr }: Terminal): ServerLog {
  if (!logger)
    return {
      // Indented: foreign text in an error must not look like another entry.
      line: (text) => stderr.write(`${text.replaceAll('\n', '\n  ')}\n`),
      request: undefined,
      refused: () => undefined,
    }
  return {
    line(text, error) {
      // The text of an error may quote a prompt; what may be logged of it is in the error itself.
      if (error === undefined) logger.log('info', 'note', { message: text })
      else logger.log('error', 'error', { in: text.split(':')[0] }, error)
    },
    request({ error, ...request }) {
      const isServerError = request.status >= 500
      // An unexpected error has a line of its own, with an id that the user sees.
      const shown = request.status === 500 ? undefined : error
      logger.log(isServerError ? 'error' : 'info', 'request', request, shown)
    },
    refused({ method }, { status, code }) {
      logger.log('warn', 'request refused', { method, status, code })
    },
  }
}

const GRACE_VARIABLE = 'BENCHMAKER_STOP_GRACE_SECONDS'
/** Container engines kill ten seconds after they ask a program to stop. */
const GRACE_SECONDS = 8
/** For requests in progress when the server stops. */
const REQUEST_MS = 2_000
/** For closing everything, after runs have stopped. */
const CLOSE_MS = 15_000

/** How long cells in progress may go on when the server is asked to stop. */
function readGrace(env: NodeJS.ProcessEnv): number {
  const written = env[GRACE_VARIABLE] || String(GRACE_SECONDS)
  const seconds = Number(written)
  if (Number.isFinite(seconds) && seconds >= 0 && seconds <= 3600) return seconds * 1000
  throw new InputError(`${GRACE_VARIABLE} is ${written}: it must be a number of seconds from 0 to 3600`)
}

/** What every server has, whoever may enter: a log, health, telemetry, and an orderly start and end. */
export interface Serving {
  log(line: string, error?: unknown): void
  /** Wires the server's parts; a failure is logged. */
  compose(work: () => Promise<ServerApp>): Promise<ServerApp>
  /** For `createApp`. */
  routes(app: ServerApp): Pick<AppOptions, 'redact' | 'log' | 'observed'>
  /** For `startHttpServer`. */
  listening: Pick<ListenOptions, 'health' | 'onRefused'>
  /** Starts to listen; a failure is logged and closes the app. */
  listen(app: ServerApp, work: () => Promise<ListeningServer>): Promise<ListeningServer>
  /** Continues the runs that were in progress in an earlier server. */
  continueRuns(app: ServerApp): void
  /** Not ready any more; hands runs back, and closes everything within a bound. */
  stop(app: ServerApp, server: ListeningServer): Promise<void>
}

interface ServingOptions {
  dataFolder: string
  env: NodeJS.ProcessEnv
  terminal: Terminal
}

export async function openServing({ dataFolder, env, terminal }: ServingOptions): Promise<Serving> {
  const graceMs = readGrace(env)
  let redact = (text: string) => text
  let inHand: ActiveRuns | undefined
  const operations = await composeOperations(env, terminal, { redact: (text) => redact(text) })
  const { logger } = operations
  const { line: log, request: observe, refused: onRefused } = createServerLog(operations, terminal)
  const health = createHealth({ readVersions: () => readVersions(dataFolder, env), now: Date.now })

  /** A database or browser that does not respond must not keep the process: everything stored is safe. */
  const limitStop = () => {
    const timer = setTimeout(() => {
      log('Benchmaker could not close everything in time and ends now. Stored data is safe.')
      process.exit(1)
    }, graceMs + CLOSE_MS)
    timer.unref()
  }

  return {
    log,
    async compose(work) {
      try {
        const app = await work()
        redact = app.redact
        app.context.runs.listen(operations.onRunEvent)
        inHand = trackActiveRuns(dataFolder, app.context.runs)
        return app
      } catch (error) {
        logger?.log('error', 'start failed', {}, error)
        await operations.close()
        throw error
      }
    },
    routes: (app) => ({
      redact: app.redact,
      log: (line, error) => log(app.redact(line), error),
      ...(observe && { observed: { observe } }),
    }),
    listening: { health, onRefused },
    async listen(app, work) {
      try {
        const server = await work()
        const { version, storageKind } = app.context
        logger?.log('info', 'server started', { port: server.port, version, storage: storageKind })
        return server
      } catch (error) {
        logger?.log('error', 'start failed', {}, error)
        await app.close()
        await operations.close()
        throw error
      }
    },
    continueRuns(app) {
      void continueRuns(inHand?.earlier ?? [], app.context.runs, log)
    },
    async stop(app, server) {
      health.stop()
      inHand?.keep()
      limitStop()
      const { runs } = app.context
      const live = runs.ownRuns().length
      if (live > 0)
        log(`Stopping ${live === 1 ? 'a run' : `${live} runs`}; finished cells are kept, and the rest can be resumed.`)
      await runs.close({ graceMs })
      await server.close({ waitMs: REQUEST_MS })
      await app.close()
      logger?.log('info', 'server stopped')
      await operations.close()
    },
  }
}
