import type { IncomingMessage } from 'node:http'
import type { Operations } from '../../../operations/operations.ts'
import type { ObservedRequest } from '../../../server/http/observe-requests.ts'
import type { Refusal } from '../../../server/http/refusal.ts'
import type { Terminal } from '../../output/terminal.ts'

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
