import { ClientError, InputError, ScoringError, StorageError } from '../../contract/index.ts'

/** An error as it may be logged. */
export interface LoggedError {
  name: string
  /** Absent if it may quote a prompt or an answer. */
  message?: string
  code?: string
  status?: number
  stack?: string
  cause?: LoggedError
}

const MAX_CAUSES = 5
const MAX_FRAMES = 12

/** The places in the code, without the message that a stack begins with: lines of it may look like places. */
function framesOf({ stack = '', message }: Error): string {
  return stack
    .replace(message, '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, MAX_FRAMES)
    .join('\n')
}

/** A parser quotes what it could not read. */
function withoutQuotes(message: string): string {
  return message.replace(/(["'`])[\s\S]*\1/g, '$1…$1')
}

function codeOf(error: Error): { code?: string; status?: number } {
  if (error instanceof ClientError)
    return { code: error.kind, ...(error.status !== undefined && { status: error.status }) }
  const code: unknown = 'code' in error ? error.code : undefined
  return typeof code === 'string' ? { code } : {}
}

/** A provider may echo the prompt, a scorer quotes the answer, and bad input is the user's own text. */
function mayQuote(error: Error): boolean {
  return error instanceof ClientError || error instanceof ScoringError || error instanceof InputError
}

/**
 * Name, message, code and causes of an error. Nothing else: database errors, for one, carry whole rows in their
 * details.
 */
export function toLoggedError(error: unknown, depth = 0): LoggedError {
  // A thrown text may be anything.
  if (!(error instanceof Error)) return { name: typeof error }
  const hasStack = depth === 0 && !mayQuote(error) && !(error instanceof StorageError)
  const message = error instanceof SyntaxError ? withoutQuotes(error.message) : error.message
  return {
    name: error.name,
    ...codeOf(error),
    ...(!mayQuote(error) && { message }),
    // Our own errors say enough; where a programming mistake is, only the stack says.
    ...(hasStack && { stack: framesOf(error) }),
    ...(error.cause !== undefined && depth < MAX_CAUSES && { cause: toLoggedError(error.cause, depth + 1) }),
  }
}
