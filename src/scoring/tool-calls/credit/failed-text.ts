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

const deeds = [
  'cancel|delete|remove|connect|disconnect|update|modify|change|stop|close|send|reset|refund|return|exchange|undo|enable',
  'disable|activate|deactivate|resume|suspend|apply|save|commit|process|merge|restore',
].join('|')

/** Sentences which say in other words that nothing happened. */
const nothingDone: readonly RegExp[] = [
  new RegExp(`\\b(?:${alreadySo})\\b`, 'i'),
  /\b(not found|does(n't| not) exist)\b(?! any|[,;:]? (so )?(creat|add|insert|generat|initiali))/i,
  /\b(do(es)? not have (a|an|any)|was not (successful|completed|processed))\b/i,
  new RegExp(`^no (?!further|more|other|additional)[\\w\\s-]{1,40} to (?:${deeds})\\b`, 'i'),
  /^no (?!conflict|error|issue|problem|warning|duplicate|violation|other|further|more)[\w\s-]{1,40} (found|exists?|match(es|ed|ing)?)\b/i,
  /^(no changes? (was |were )?(made|needed|applied|required)|nothing changed)\b/i,
  new RegExp(`^nothing to (?:do|${deeds})\\b`, 'i'),
  // No comma before these: `Account deleted, this cannot be undone`.
  /^(sorry, )?[\w\s#'"-]{1,60}\b(is|are|was|were) not (authori[sz]ed|allowed|permitted|possible|supported)\b/i,
  /^[\w\s#'"-]{1,60}\b(could not|couldn't|cannot|can't|can not) be (?!undone|reversed|restored|recovered)/i,
  // Not `Marked payment 7 as failed` nor `0 checks failed`.
  /^(?!\d|no\b|none\b)([\w-]+ ){1,4}(?<!\b(as|to|the|all) )failed(?=[:.!,;]|$| (to|because|with|due|for|since)\b)/i,
]

/** A longer sentence may quote such words. */
const SHORT_SENTENCE = 120

/** Returns true if a reply in words says that the call failed or changed nothing. */
export function isFailedText(reply: string): boolean {
  const text = reply.replace(/^(\s|["'`[(*]|api output:|observation:)+/i, '')
  if (doneDespite.test(text)) return false
  if (openings.some((opening) => opening.test(text))) return true
  const [sentence = ''] = text.split(/[.!]\s|\n/)
  return sentence.length <= SHORT_SENTENCE && nothingDone.some((saying) => saying.test(sentence))
}
