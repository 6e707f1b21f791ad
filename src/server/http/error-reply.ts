import { randomBytes } from 'node:crypto'
import {
  ClientError,
  InputError,
  ScoringError,
  StorageError,
  VersionConflict,
  type ApiError,
} from '../../contract/index.ts'
import { Refusal } from './refusal.ts'

export interface ErrorReply {
  status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503
  body: ApiError
}

interface ErrorTools {
  /** Removes keys from a text. */
  redact(text: string): string
  log(line: string, error?: unknown): void
}

function errorReply(status: ErrorReply['status'], code: string, message: string): ErrorReply {
  return { status, body: { error: { code, message } } }
}

/** Nothing was sent: the address is internal, or nothing is left of a budget. */
function wasRefusedHere({ kind, status, unbilled = false }: ClientError): boolean {
  return kind === 'refused' && status === undefined && unbilled
}

function toKnownReply(error: unknown): ErrorReply | undefined {
  if (error instanceof Refusal) {
    const { status, code, message, problems } = error
    return { status, body: { error: { code, message, ...(problems && { problems }) } } }
  }
  if (error instanceof VersionConflict) return errorReply(409, 'version-conflict', error.message)
  if (error instanceof InputError) return errorReply(422, 'invalid', error.message)
  if (error instanceof StorageError) return errorReply(503, 'storage', error.message)
  if (error instanceof ClientError)
    return wasRefusedHere(error)
      ? errorReply(422, 'refused', error.message)
      : errorReply(502, 'provider', error.message)
  if (error instanceof ScoringError) return errorReply(422, error.code, error.message)
  return undefined
}

/** The error as shown on a screen. An unexpected one is shown only by an id; the log has the details under that id. */
export function toErrorReply(error: unknown, { redact, log }: ErrorTools): ErrorReply {
  const known = toKnownReply(error)
  if (known) {
    const { error: shown } = known.body
    const problems = shown.problems?.map((problem) => ({ ...problem, message: redact(problem.message) }))
    return { ...known, body: { error: { ...shown, message: redact(shown.message), ...(problems && { problems }) } } }
  }
  const id = randomBytes(4).toString('hex')
  log(redact(`error ${id}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`), error)
  return errorReply(
    500,
    'internal',
    `Something went wrong inside Benchmaker (error ${id}; see the terminal for details). Stored data is safe; try again.`,
  )
}
