import type { IncomingMessage } from 'node:http'
import { InputError } from '../../contract/index.ts'
import type { Operations } from '../../operations/operations.ts'
import type { ObservedRequest } from '../../server/http/observe-requests.ts'
import type { Refusal } from '../../server/http/refusal.ts'
import type { Terminal } from '../output/terminal.ts'

const GRACE_VARIABLE = 'BENCHMAKER_STOP_GRACE_SECONDS'
/** Container engines kill ten seconds after they ask a program to stop. */
const GRACE_SECONDS = 8

/** How long cells in progress may go on when the server is asked to stop. */
export function readGrace(env: NodeJS.ProcessEnv): number {
  const written = env[GRACE_VARIABLE] || String(GRACE_SECONDS)
  const seconds = Number(written)
  if (Number.isFinite(seconds) && seconds >= 0 && seconds <= 3600) return seconds * 1000
  throw new InputError(`${GRACE_VARIABLE} is ${written}: it must be a number of seconds from 0 to 3600`)
}

/** What the server writes to stderr: lines for a person, or a structured log. */
export interface ServerLog {
  line(text: string, error?: unknown): void
  /** Undefined if no log is wanted. */
  request: ((request: ObservedRequest) => void) | undefined
  refused(request: IncomingMessage, refusal: Refusal): void
}

export function createServerLog({ logger }: Pick<Operations, 'logger'>, { stderr }: Terminal): ServerLog {
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
