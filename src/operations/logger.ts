import { InputError, ClientError, ScoringError, StorageError } from '../contract/index.ts'

/** An error as it may be logged. */
interface LoggedError {
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

function errorFields(error: Error): { code?: string; status?: number } {
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
function toLoggedError(error: unknown, depth = 0): LoggedError {
  // A thrown text may be anything.
  if (!(error instanceof Error)) return { name: typeof error }
  const hasStack = depth === 0 && !mayQuote(error) && !(error instanceof StorageError)
  const message = error instanceof SyntaxError ? withoutQuotes(error.message) : error.message
  return {
    name: error.name,
    ...errorFields(error),
    ...(!mayQuote(error) && { message }),
    // Our own errors say enough; where a programming mistake is, only the stack says.
    ...(hasStack && { stack: framesOf(error) }),
    ...(error.cause !== undefined && depth < MAX_CAUSES && { cause: toLoggedError(error.cause, depth + 1) }),
  }
}

const levels = ['debug', 'info', 'warn', 'error'] as const
type LogLevel = (typeof levels)[number]

export interface LogSettings {
  format: 'json' | 'text'
  level: LogLevel
}

type LogValue = string | number | boolean | undefined

/** Names and numbers. Prompts, answers and messages of providers, which may quote them, are never passed. */
type LogFields = Readonly<Record<string, LogValue>>

/** Writes one line per event. `event` says what happened, in a few words that never vary. */
export interface Logger {
  log(level: LogLevel, event: string, fields?: LogFields, error?: unknown): void
}

function isOneOf<Value extends string>(value: string, values: readonly Value[]): value is Value {
  return values.some((known) => known === value)
}

/** `BENCHMAKER_LOG` and `BENCHMAKER_LOG_LEVEL`; undefined if no log is wanted. */
export function readLogSettings(env: Readonly<Record<string, string | undefined>>): LogSettings | undefined {
  const { BENCHMAKER_LOG: format, BENCHMAKER_LOG_LEVEL: level = 'info' } = env
  if (!format) return undefined
  if (!isOneOf(format, ['json', 'text'] as const))
    throw new InputError(`BENCHMAKER_LOG is ${format}: it must be json or text, or not set`)
  if (!isOneOf(level, levels))
    throw new InputError(`BENCHMAKER_LOG_LEVEL is ${level}: it must be one of ${levels.join(', ')}`)
  return { format, level }
}

const MAX_LENGTH = 4_000
const HIDDEN = '[hidden]'

/** A second safeguard, although no secrets are passed: what a header, an address or a cookie would look like in a text. */
const secretForms: [RegExp, string][] = [
  [/(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*):[^\s/@]+@/gi, `$1:${HIDDEN}@`],
  [/\b(Bearer|Basic) [\w+/=.~-]{6,}/gi, `$1 ${HIDDEN}`],
  [
    /\b(authorization|cookie|set-cookie|x-api-key|password|passwd|secret|token)(["']?\s*[:=]\s*["']?)[^\s"',;&]+/gi,
    `$1$2${HIDDEN}`,
  ],
]

function hideSecrets(text: string, redact: (text: string) => string): string {
  const hidden = secretForms.reduce((clean, [form, replacement]) => clean.replace(form, replacement), redact(text))
  return hidden.length > MAX_LENGTH ? `${hidden.slice(0, MAX_LENGTH)}…` : hidden
}

function hideInError(error: LoggedError, hide: (text: string) => string): LoggedError {
  const { message, stack, cause } = error
  return {
    ...error,
    ...(message !== undefined && { message: hide(message) }),
    ...(stack !== undefined && { stack: hide(stack) }),
    ...(cause && { cause: hideInError(cause, hide) }),
  }
}

/** Quoted only where a reader could not tell where the value ends; never more than one line. */
function writeLogValue(value: LogValue | LoggedError): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return /^[^\s"=\p{Cc}]+$/u.test(text) ? text : JSON.stringify(text)
}

/** JSON leaves some control characters and line ends as they are; in a terminal they would act. */
function escapeControls(text: string): string {
  return text.replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** In text, an error is its names and messages; the stack is in the JSON. */
function writeErrorText({ name, message, code, status, cause }: LoggedError): string {
  const own = [name, code, status, message].filter((part) => part !== undefined).join(' ')
  return cause ? `${own} (cause: ${writeErrorText(cause)})` : own
}

export interface LoggerOptions extends LogSettings {
  write(line: string): unknown
  /** Removes keys and passwords from a text. */
  redact(text: string): string
  now(): number
}

export function createLogger({ format, level: least, write, redact, now }: LoggerOptions): Logger {
  const hide = (text: string) => hideSecrets(text, redact)
  return {
    log(level, event, fields = {}, error) {
      if (levels.indexOf(level) < levels.indexOf(least)) return
      const described = error === undefined ? undefined : hideInError(toLoggedError(error), hide)
      const known = Object.entries(fields).flatMap(([name, value]): [string, LogValue][] =>
        value === undefined ? [] : [[name, typeof value === 'string' ? hide(value) : value]],
      )
      const time = new Date(now()).toISOString()
      if (format === 'json') {
        const line = { time, level, event, ...Object.fromEntries(known), ...(described && { error: described }) }
        write(`${escapeControls(JSON.stringify(line))}\n`)
        return
      }
      const shown: [string, LogValue][] = described ? [...known, ['error', writeErrorText(described)]] : known
      const pairs = shown.map(([name, value]) => ` ${name}=${writeLogValue(value)}`)
      write(`${escapeControls(`${time} ${level} ${event}${pairs.join('')}`)}\n`)
    },
  }
}
