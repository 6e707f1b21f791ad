import type { ActualCall } from '../calls.ts'
import { splitWords, wordSet } from './effectful-tools.ts'
import { isList, tryParseJson, isJsonObject } from '../../../contract/index.ts'

/** What stands before `error`: `An unexpected error occurred`, `requests.exceptions.HTTPError: …`, `MCP error -32602`. */
const errorWords = [
  'there was an?|there is an?|an?|the following|oops|unexpected|unknown|unhandled|uncaught|internal|fatal|runtime|system',
  'server|network|connection|database|api|http|client|mcp|tool|execution|input|output|schema|validation|syntax|type',
  'permission|authentication|authorization',
].join('|')

/** What follows it: `Error: no seats`, `Error executing tool`, but not a product called `Error Prevention Handbook`. */
const afterError = [
  '[:!,;()\\]"\'—]|\\.(?!\\w)|-(?!\\w)|$|-?\\d',
  '(?:executing|occurred|while|when|during|calling|processing|invoking|code|message|parsing|running|in|at|near)\\b',
].join('|')

const failureWords = [
  "failed|fail|failure|traceback|unknown (?:action|tool|function|command)|invalid|cannot|can't|can not|could not",
  "couldn't|unable to|no such|not found|(?:not |un)authori[sz]ed|(?:not |un)authenticated|forbidden|bad request",
  'permission denied|access ?(?:is )?denied|access to [^,;]{1,60} (?:is |was )?denied|request (?:failed|denied|rejected)',
  '(?:operation )?not (?:permitted|allowed)',
  'insufficient|not enough|missing required|too many requests|rate limit (?:exceeded|reached)|service unavailable',
  '(?:authentication|authorization|login) required|please (?:log|sign) in|quota exceeded|constraint violation|deadlock',
  'segmentation fault|something went wrong|timed out|timeout (?:\\d+ ?m?s )?(?:exceeded|expired|while|waiting|after)',
].join('|')

/** Openings of a reply that is an error. */
const openings: readonly RegExp[] = [
  new RegExp(`^(?:(?:${errorWords}),? ){0,4}[\\w.]*(?:error|exception)\\s*(?:${afterError})`, 'i'),
  new RegExp(`^(?:${failureWords}|(?:rejected|denied|conflict)\\s*:)(?![\\w-])`, 'i'),
  /^(❌|✗|✘|🚫|⛔|<\w*(error|fault)\b|\d+ validation errors? for\b|[\w.]+\.(errors?|exceptions?)\.\w+:|errno \d)/iu,
  // `HTTP 404`, `404 Not Found`, `HTTP/1.1 500 …`, `status code 403`; but `404 items deleted` is none.
  /^(http\S*\s+[45]\d\d\b|.{0,60}\bstatus( code)?:? [45]\d\d\b|<[\s\S]{0,200}<title>\s*[45]\d\d\b)/i,
  /^[45]\d\d\s+(bad|un\w+|payment required|forbidden|not|method|request|conflict|gone|too many|internal|service|gateway|client|server|error)\b/i,
  // Shells, databases and browsers: `rm: cannot remove '/a': Permission denied`.
  /^(?!warning|note|info)[a-z][\w./-]*: (\(\d+\) )?([Ee]rror\b|[Ff]ailed |cannot (?!be\b)|can't |permission denied|no such |not found|invalid |unable to |command not found)/,
  /^[a-z][\w./-]*: .{0,200}: (permission denied|no such file or directory|operation not permitted|is a directory)(\n|$)/i,
  /^(EACCES|EPERM|ENOENT|EEXIST|EISDIR|EBUSY|EINVAL|ENOTFOUND|ETIMEDOUT|ECONN[A-Z]+): /,
  /^(fatal: |panic: |npm err!|ora-\d{5}|sqlstate\[|net::err_|exit (code|status):? [1-9])/i,
  /^(the )?(command|process|script|program) (exited|failed|finished|terminated) with (exit )?(code|status) [1-9]/i,
  /^(success|ok)\s*[:=]\s*(false|no)\b|^(status|result|outcome)\s*[:=]\s*(failed|failure|error)\b/i,
]

/** `Failed jobs restarted: 3` opens like an error and is none. */
const doneDespite =
  /^(failed|invalid|unauthori[sz]ed|forbidden) (?!to\b)([\w-]+ ){1,4}(removed|deleted|purged|cleared|dropped|reset|retried|restarted|requeued|revoked|fixed|corrected|ignored|skipped)\b/i

const alreadySo = [
  'already (?:been )?(?:enabled|disabled|connected|disconnected|active|inactive|suspended|cancelled|canceled|exists?',
  'in use|taken|registered|subscribed|refunded|deleted|closed)',
].join('|')

const undoneDeeds = [
  'cancel|delete|remove|connect|disconnect|update|modify|change|stop|close|send|reset|refund|return|exchange|undo|enable',
  'disable|activate|deactivate|resume|suspend|apply|save|commit|process|merge|restore',
].join('|')

/** Sentences which say in other words that nothing happened. */
const nothingDone: readonly RegExp[] = [
  new RegExp(`\\b(?:${alreadySo})\\b`, 'i'),
  /\b(not found|does(n't| not) exist)\b(?! any|[,;:]? (so )?(creat|add|insert|generat|initiali))/i,
  /\b(do(es)? not have (a|an|any)|was not (successful|completed|processed))\b/i,
  new RegExp(`^no (?!further|more|other|additional)[\\w\\s-]{1,40} to (?:${undoneDeeds})\\b`, 'i'),
  /^no (?!conflict|error|issue|problem|warning|duplicate|violation|other|further|more)[\w\s-]{1,40} (found|exists?|match(es|ed|ing)?)\b/i,
  /^(no changes? (was |were )?(made|needed|applied|required)|nothing changed)\b/i,
  new RegExp(`^nothing to (?:do|${undoneDeeds})\\b`, 'i'),
  // No comma before these: `Account deleted, this cannot be undone`.
  /^(sorry, )?[\w\s#'"-]{1,60}\b(is|are|was|were) not (authori[sz]ed|allowed|permitted|possible|supported)\b/i,
  /^[\w\s#'"-]{1,60}\b(could not|couldn't|cannot|can't|can not) be (?!undone|reversed|restored|recovered)/i,
  // Not `Marked payment 7 as failed` nor `0 checks failed`.
  /^(?!\d|no\b|none\b)([\w-]+ ){1,4}(?<!\b(as|to|the|all) )failed(?=[:.!,;]|$| (to|because|with|due|for|since)\b)/i,
]

/** A longer sentence may quote such words. */
const SHORT_SENTENCE = 120

/** Returns true if a reply in words says that the call failed or changed nothing. */
function isFailedText(reply: string): boolean {
  const text = reply.replace(/^(\s|["'`[(*]|api output:|observation:)+/i, '')
  if (doneDespite.test(text)) return false
  if (openings.some((opening) => opening.test(text))) return true
  const [sentence = ''] = text.split(/[.!]\s|\n/)
  return sentence.length <= SHORT_SENTENCE && nothingDone.some((saying) => saying.test(sentence))
}

/** Keys are compared without case and underscores: `isError`, `is_error` and `IsError` are the same. */
const errorKeys = wordSet('error errors iserror exception err fault errorcode errormessage errortype')
const successKeys = wordSet('success ok succeeded successful issuccess')
const statusKeys = wordSet('status result outcome state')
const httpKeys = wordSet('status statuscode httpstatus')
const exitKeys = wordSet('exitcode returncode')

const failedStatuses = wordSet(
  'failed failure fail error errored unsuccessful not_found rejected denied declined invalid forbidden unauthorized',
  'unauthorised timeout timed_out aborted refused permission_denied unauthenticated invalid_argument already_exists',
  'failed_precondition deadline_exceeded unavailable resource_exhausted unimplemented internal_error',
)

/** `reject_request` replies with the status that it was called for. */
const deeds: Readonly<Record<string, string>> = {
  rejected: 'reject',
  denied: 'deny',
  declined: 'decline',
  refused: 'refuse',
  aborted: 'abort',
  failed: 'fail',
  invalid: 'invalidate',
}

const noError = wordSet('none null no ok success false 0').add('').add('no error')

/** The keys of a reply that says how the call went and nothing else: `{ "code": 403, "message": "permission denied" }`. */
const sayings = wordSet('message msg detail reason')
const envelope = wordSet(
  'code type title details description instance path timestamp requestid traceid documentationurl',
)

/** `{'error': 'no seats'}`, as Python writes it, or JSON that is cut off. */
const unparsed =
  /^\{\s*['"](error|errors|exception)['"]\s*:(?!\s*(none|null|false|0|''|""|\[\]|\{\}))|^\{[^{[]*['"](success|ok)['"]\s*:\s*false\b/i

/** Returns true if the call failed and so changed nothing: by the file's error flag, else by what the tool replied. */
export function isFailedCall(call: ActualCall): boolean {
  if (call.isError === true) return true
  return call.result !== undefined && isFailedReply(call.result, call)
}

function isFailedReply(reply: string, call: ActualCall): boolean {
  const text = reply.trim()
  if (!/^[{[]/.test(text)) return isFailedText(text)
  const value = tryParseJson(text)
  return value === undefined ? unparsed.test(text) || isFailedText(text) : isFailedValue(value, call)
}

function isFailedValue(value: unknown, call: ActualCall): boolean {
  if (typeof value === 'string') return isFailedText(value)
  if (isList(value)) return isFailedList(value, call)
  if (!isJsonObject(value)) return false
  const reply = new Map(Object.entries(value).map(([key, inner]) => [key.toLowerCase().replaceAll('_', ''), inner]))
  if (pick(reply, errorKeys).some(isSet)) return true
  const flags = pick(reply, successKeys)
  if (flags.some(isNo) || isFailedStatus(reply, call)) return true
  if (flags.includes(true)) return false
  const content = reply.get('content')
  if (hasParts(content)) return isFailedList(content, call)
  const [[key, only] = ['', undefined]] = reply
  // `{ "result": … }` wraps the reply.
  if (reply.size === 1 && /^(result|data|response|output|content)$/.test(key)) return isFailedValue(only, call)
  return isFailedEnvelope(reply, call)
}

type Reply = ReadonlyMap<string, unknown>

function pick(reply: Reply, keys: ReadonlySet<string>): unknown[] {
  return [...reply].filter(([key]) => keys.has(key)).map(([, value]) => value)
}

/** Parts, as MCP tools reply, of which the first text tells; or several replies, of which all must have failed. */
function isFailedList(list: readonly unknown[], call: ActualCall): boolean {
  if (!hasParts(list)) return list.length > 0 && list.every((item) => isFailedValue(item, call))
  const first = list.find((part) => typeof part['text'] === 'string')?.['text']
  return typeof first === 'string' && isFailedReply(first, call)
}

function hasParts(value: unknown): value is readonly Record<string, unknown>[] {
  if (!isList(value) || !value.every(isJsonObject)) return false
  return value.some((part) => typeof part['text'] === 'string' && (part['type'] === 'text' || value.length === 1))
}

function isFailedEnvelope(reply: Reply, { arguments: given }: ActualCall): boolean {
  const said = pick(reply, sayings)
  const isBare = [...reply].every(
    ([key, value]) => sayings.has(key) || envelope.has(key) || (key === 'data' && !isSet(value)),
  )
  if (said.length === 0 || !isBare) return false
  if (isFailedCode(reply.get('code'))) return true
  // `{ "detail": [{ "loc": …, "msg": "field required" }] }` is what FastAPI says of a request that it refuses.
  return said.some((saying) =>
    isList(saying)
      ? saying.some((item) => isJsonObject(item) && Object.hasOwn(item, 'loc') && Object.hasOwn(item, 'msg'))
      : typeof saying === 'string' && isFailedText(saying) && !holdsValue(given, saying),
  )
}

/** An HTTP status that is in use, or a name such as `PERMISSION_DENIED`. */
function isFailedCode(code: unknown): boolean {
  if (typeof code === 'string' && failedStatuses.has(code.toLowerCase())) return true
  return /^(4[0-2]\d|431|451|50\d|51[01])$/.test(String(code))
}

function isFailedStatus(reply: Reply, { name, arguments: given }: ActualCall): boolean {
  // `set_status("rejected")` and `reject_request` reply with the status they were asked for.
  const isRefusal = (status: unknown): boolean => {
    if (typeof status !== 'string') return false
    const said = status.trim().toLowerCase().replaceAll(' ', '_')
    return failedStatuses.has(said) && !holdsValue(given, status) && !splitWords(name).includes(deeds[said] ?? '')
  }
  return (
    pick(reply, statusKeys).some(isRefusal) ||
    pick(reply, httpKeys).some((code) => Number(code) >= 400 && Number(code) < 600) ||
    pick(reply, exitKeys).some((code) => typeof code === 'number' && code !== 0)
  )
}

/** True for what says that there is an error: not for `null`, `false`, `""`, `0`, `[]`, `{}` or `"none"`. */
function isSet(flag: unknown): boolean {
  if (typeof flag === 'string') return !noError.has(flag.trim().toLowerCase())
  if (isList(flag)) return flag.length > 0
  if (isJsonObject(flag)) return Object.keys(flag).length > 0
  return flag === true || (typeof flag === 'number' && flag !== 0)
}

function isNo(flag: unknown): boolean {
  return flag === false || (typeof flag === 'string' && /^(false|no)$/i.test(flag.trim()))
}

function holdsValue(given: unknown, text: string): boolean {
  const values = isJsonObject(given) ? Object.values(given) : []
  return values.some((value) => typeof value === 'string' && value.toLowerCase() === text.trim().toLowerCase())
}
