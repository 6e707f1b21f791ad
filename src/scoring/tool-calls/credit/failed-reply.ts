import type { ActualCall } from '../calls.ts'
import { isList, isObject, ownValue } from '../json-values.ts'

/** `Error: no seats`, `ValueError('x')`, `Error executing tool`, but not a product called `Error Prevention Handbook`. */
const errorOpening =
  /^\w*(error|exception)\s*([:.!,;()\]"'—-]|$|\d|(executing|occurred|while|when|during|calling|processing|invoking|code|message|parsing|running|in)\b)/i

const failureOpening =
  /^(failed|fail|failure|traceback|unknown (action|tool|function|command)|invalid|cannot|can't|can not|could not|couldn't|unable to|no such|not found|not authori[sz]ed|unauthori[sz]ed|forbidden|bad request|permission denied|access denied|request (failed|denied|rejected)|rejected\s*:|denied\s*:)(?![\w-])/i

/** `HTTP 404`, `404 Not Found`, `HTTP/1.1 500 Internal Server Error`, `status code 403`. */
const httpFailure = /^(http\S*\s+[45]\d\d\b|[45]\d\d\s+[a-z]|.{0,60}\bstatus( code)?:? [45]\d\d\b)/i

/** Says in other words that nothing happened. Only in a short first sentence: a longer reply may quote it. */
const nothingDone =
  /\b(not found|does(n't| not) exist|do(es)? not have (a|an|any)\b|has failed|was not (successful|completed|processed)|already (enabled|disabled|connected|disconnected|active|inactive|suspended|cancelled|canceled|exists))\b|^no [\w\s-]{1,40} to \w+\b/i

const SHORT_SENTENCE = 120

const failedStatuses = new Set(
  [
    'failed failure fail error errored unsuccessful not_found rejected denied declined invalid forbidden unauthorized',
    'unauthorised timeout timed_out aborted refused',
  ].flatMap((list) => list.split(' ')),
)
const noError = new Set(['', 'none', 'null', 'no', 'no error', 'ok', 'success', 'false', '0'])

/** Returns true if the call failed and so changed nothing: by the file's error flag, else by what the tool replied. */
export function isFailedCall({ isError, result, arguments: given }: ActualCall): boolean {
  if (isError === true) return true
  if (result === undefined) return false
  const text = result.trim()
  if (/^[{[]/.test(text)) {
    const reply = parse(text)
    if (reply !== undefined) return isFailedValue(reply, given)
  }
  return isFailedText(text)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isFailedText(reply: string): boolean {
  const text = reply.replace(/^(\s|["'`[(*]|api output:|observation:)+/i, '')
  if (errorOpening.test(text) || failureOpening.test(text) || httpFailure.test(text)) return true
  const [sentence = ''] = text.split(/[.!]\s|\n/)
  return sentence.length <= SHORT_SENTENCE && nothingDone.test(sentence)
}

function isFailedValue(value: unknown, given: unknown): boolean {
  if (typeof value === 'string') return isFailedText(value)
  // A list of parts, as MCP tools reply: [{ "type": "text", "text": "Error: …" }].
  if (isList(value)) {
    const [only] = value
    return value.length === 1 && isObject(only) && typeof only['text'] === 'string' && isFailedText(only['text'])
  }
  if (!isObject(value)) return false
  for (const key of ['error', 'errors', 'is_error', 'isError', 'exception'])
    if (isSet(ownValue(value, key))) return true
  for (const key of ['success', 'ok', 'succeeded', 'successful']) if (isNo(ownValue(value, key))) return true
  if (isFailedStatus(value, given)) return true
  const [[key, only] = []] = Object.entries(value)
  if (Object.keys(value).length !== 1) return false
  // `{ "result": … }` wraps the reply, and a message alone is the reply.
  if (key === 'result' || key === 'data' || key === 'response' || key === 'output' || key === 'content')
    return isFailedValue(only, given)
  return (key === 'message' || key === 'detail' || key === 'reason') && typeof only === 'string' && isFailedText(only)
}

function isFailedStatus(reply: Record<string, unknown>, given: unknown): boolean {
  for (const key of ['status', 'result', 'outcome', 'state']) {
    const status = ownValue(reply, key)
    if (typeof status !== 'string' || !failedStatuses.has(status.trim().toLowerCase().replaceAll(' ', '_'))) continue
    // `set_status("rejected")` replies with the status it was told to set.
    if (!holdsValue(given, status)) return true
  }
  for (const key of ['status', 'statusCode', 'status_code', 'http_status']) {
    const code = Number(ownValue(reply, key) ?? Number.NaN)
    if (code >= 400 && code < 600) return true
  }
  return false
}

/** True for what says that there is an error: not for `null`, `false`, `""`, `0`, `[]`, `{}` or `"none"`. */
function isSet(flag: unknown): boolean {
  if (typeof flag === 'string') return !noError.has(flag.trim().toLowerCase())
  if (isList(flag)) return flag.length > 0
  if (isObject(flag)) return Object.keys(flag).length > 0
  return flag === true || (typeof flag === 'number' && flag !== 0)
}

function isNo(flag: unknown): boolean {
  return flag === false || (typeof flag === 'string' && /^(false|no)$/i.test(flag.trim()))
}

function holdsValue(given: unknown, text: string): boolean {
  const values = isObject(given) ? Object.values(given) : []
  return values.some((value) => typeof value === 'string' && value.toLowerCase() === text.trim().toLowerCase())
}
