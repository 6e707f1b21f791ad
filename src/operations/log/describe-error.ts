import { ClientError, InputError, ScoringError, StorageError } from '../../contract/index.ts'

/** An error as it may be logged. */
export interface DescribedError {
  name: string
  /** Absent if it may quote a prompt or an answer. */
  message?: string
  code?: string
  status?: number
  stack?: string
  cause?: DescribedError
}

const MAX_CAUSES = 5
const MAX_FRAMES = 12

/** The places in the code, without the message that a stack begins with. */
function framesOf({ stack = '' }: Error): string {
  return stack
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

function messageOf(error: Error): { message?: string } {
  // A provider may echo the prompt, a scorer quotes the answer, and bad input is the user's own text.
  if (error instanceof ClientError || error instanceof ScoringError || error instanceof InputError) return {}
  return { message: error instanceof SyntaxError ? withoutQuotes(error.message) : error.message }
}

/**
 * Name, message, code and causes of an error. Nothing else: database errors, for one, carry whole rows in their
 * details.
 */
export function describeError(error: unknown, depth = 0): DescribedError {
  // A thrown text may be anything.
  if (!(error instanceof Error)) return { name: typeof error }
  const stack = framesOf(error)
  return {
    name: error.name,
    ...codeOf(error),
    ...messageOf(error),
    // Our own errors say enough; where a programming mistake is, only the stack says.
    ...(depth === 0 && stack !== '' && !(error instanceof StorageError) && { stack }),
    ...(error.cause !== undefined && depth < MAX_CAUSES && { cause: describeError(error.cause, depth + 1) }),
  }
}
