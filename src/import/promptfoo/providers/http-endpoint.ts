import {
  findTemplateProblem,
  isRecord,
  isSecret,
  isSecretName,
  parseReplyPath,
  requestTemplateSchema,
} from '../../../contract/index.ts'

/** promptfoo's answer path is a JavaScript expression; of those only plain paths are read. */
function readAnswerPath(expression: unknown): string | undefined {
  const path = typeof expression === 'string' ? /^\s*json\s*([.[].*?)\s*;?\s*$/.exec(expression)?.[1] : undefined
  const plain = path?.replaceAll('?.[', '[').replaceAll('?.', '.').replace(/^\./, '')
  return plain !== undefined && parseReplyPath(plain) ? plain : undefined
}

/** A header as Settings takes it: a value that may be secret becomes the saved key. */
function writeHeader(name: string, value: unknown): string {
  const text = String(value)
  if (!isSecret(name, text) && !text.includes('{{')) return `${name}: ${text}`
  return `${name}: ${/^Bearer /i.test(text) ? 'Bearer ' : ''}{{key}}`
}

function readAddress(id: string, config: Record<string, unknown>): string | undefined {
  const written = /^https?:\/\//.test(id) ? id : config['url']
  const url = typeof written === 'string' ? URL.parse(written) : null
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  url.username = url.password = url.hash = ''
  for (const name of Array.from(url.searchParams.keys()).filter(isSecretName)) url.searchParams.delete(name)
  return url.href.replaceAll(/%7B/gi, '{').replaceAll(/%7D/gi, '}')
}

/** What to enter in Settings to ask promptfoo's HTTP provider, to follow "save it as"; undefined if it is none. */
export function describeHttpEndpoint(id: string, config: unknown): string | undefined {
  if (!/^https?(?::|$)/.test(id) || !isRecord(config)) return undefined
  const url = readAddress(id, config)
  if (url === undefined) return undefined
  const { method, headers = {}, body: given, transformResponse, responseParser } = config
  const body = given === undefined || typeof given === 'string' ? given : JSON.stringify(given)
  const parser = transformResponse ?? responseParser
  const answer = readAnswerPath(parser)
  const read = requestTemplateSchema.safeParse({
    method: typeof method === 'string' ? method.toUpperCase() : body === undefined ? 'GET' : 'POST',
    ...(body !== undefined && { body }),
    ...(answer !== undefined && { answer }),
  })
  const problem = read.success ? findTemplateProblem(url, read.data) : read.error.issues[0]?.message
  const written = isRecord(headers) ? headers : {}
  const lines = Object.entries(written)
    .filter(([name]) => !/^(?:content-type|content-length|host)$/i.test(name))
    .map(([name, value]) => writeHeader(name, value))
  const isLong = (body?.length ?? 0) > 500
  return [
    `an endpoint with "Any other" API in the settings: URL ${url}`,
    `method ${read.data?.method ?? String(method)}`,
    ...(lines.length > 0 ? [`headers ${lines.join(' | ')}`] : []),
    ...(body === undefined ? [] : [isLong || isSecret('', body) ? 'the body as it is here' : `body ${body.trim()}`]),
    answer === undefined
      ? parser === undefined
        ? 'no path of the answer'
        : 'the path of the answer, which code finds here'
      : `path of the answer ${answer}`,
  ]
    .join(', ')
    .concat(problem === undefined ? '' : ` (to change: ${problem})`)
}
