import {
  ClientError,
  defaultTimeoutSeconds,
  isRecord,
  KEY_VARIABLE,
  listVariables,
  ONLY_MODEL,
  parseReplyPath,
  parseTemplateBody,
  textOrJson,
  VARIABLE,
  type Client,
  type RequestMessage,
  type ModelAnswer,
  type ModelRequest,
  type RequestTemplate,
} from '../contract/index.ts'
import type { ConnectGuard } from './http/connect-guard.ts'
import { createCollector, createEndpoint } from './http/endpoint.ts'
import { numberOf, parseJson } from './http/json-values.ts'
import { findError, isWebPage, readErrorBody, toClientError } from './http/server-error.ts'
import { describeNoEmbeddings } from './no-embeddings.ts'
import { splitThinking } from './openai/thinking.ts'
import { classifyOutcome } from './openai/answer-assembly.ts'
import { OPTIONAL_PARAMETERS } from './openai/parameter-names.ts'
import { writeMessage } from './openai/request-body.ts'
import { fillRequest } from './request-defaults.ts'

export interface HttpTemplateOptions {
  provider: string
  /** The whole address; it may have variables. */
  baseUrl: string
  template: RequestTemplate
  apiKey?: string | undefined
  headers?: Record<string, string>
  connections?: number | undefined
  guard?: ConnectGuard | undefined
}

const MAX_LISTED_FIELDS = 20

function refuse(message: string): ClientError {
  return new ClientError('refused', message, { retryable: false, unbilled: true })
}

/** The text of a message; an image has no place in one. */
function textOfMessage({ content }: RequestMessage, provider: string): string {
  if (typeof content === 'string') return content
  return content
    .map((part) => {
      if (part.type === 'text') return part.text
      throw refuse(`${provider} cannot be sent an image: its template has no {{messages}}`)
    })
    .join('\n')
}

/** The values of the variables. Nothing of the question may get lost because a template has no place for it. */
function fillVariables(request: ModelRequest, used: ReadonlySet<string>, provider: string): Map<string, unknown> {
  const { modelId, messages, parameters, responseSchema } = request
  const { headers: _headers, extraBody: _body, ...given } = parameters
  const system = messages.filter(({ role }) => role === 'system')
  const others = messages.filter(({ role }) => role !== 'system')
  const values = new Map<string, unknown>(Object.entries({ ...given, responseSchema: responseSchema?.schema }))
  values.set('model', modelId)
  if (used.has('messages')) values.set('messages', (used.has('system') ? others : messages).map(writeMessage))
  if (used.has('system') && system.length > 0)
    values.set('system', system.map((message) => textOfMessage(message, provider)).join('\n\n'))
  if (!used.has('messages') && others.some(({ role, toolCalls }) => role === 'tool' || toolCalls))
    throw refuse(`${provider} cannot be sent calls of tools: its template has no {{messages}}`)
  if (!used.has('prompt')) return values
  if (!used.has('messages') && others.length > 1)
    throw refuse(
      `${provider} cannot be sent a conversation of ${others.length} messages: its template has no {{messages}}`,
    )
  const asked = used.has('messages') ? others.slice(-1) : used.has('system') ? others : [...system, ...others]
  values.set('prompt', asked.map((message) => textOfMessage(message, provider)).join('\n\n'))
  return values
}

/** Fills a parsed body. A variable that is a whole text becomes its value; a field whose value is absent is left out. */
function fillBody(part: unknown, values: ReadonlyMap<string, unknown>): unknown {
  if (typeof part === 'string') {
    const whole = /^\{\{\s*([\w.-]+)\s*\}\}$/.exec(part)?.[1]
    if (whole !== undefined) return values.get(whole)
    return part.replaceAll(VARIABLE, (_match, name: string) => textOrJson(values.get(name)))
  }
  if (Array.isArray(part)) return part.map((item) => fillBody(item, values)).filter((item) => item !== undefined)
  if (!isRecord(part)) return part
  return Object.fromEntries(
    Object.entries(part).flatMap(([key, value]) => {
      const filled = fillBody(value, values)
      return filled === undefined ? [] : [[key, filled]]
    }),
  )
}

/** The path and query to request. A model may be several segments of a path: `org/model`. */
function fillTarget(url: URL, values: ReadonlyMap<string, unknown>, provider: string): string {
  const fill = (text: string, write: (value: string) => string) =>
    text.replaceAll(VARIABLE, (_match, name: string) => write(textOrJson(values.get(name))))
  const path = fill(url.pathname, (value) => value.split('/').map(encodeURIComponent).join('/'))
  if (path.split('/').some((segment) => segment === '.' || segment === '..'))
    throw refuse(`${provider} cannot be asked for this model: its name would lead to another address`)
  return `${path}${fill(url.search, encodeURIComponent)}`
}

/** The value at the path; undefined if there is none. */
function readPath(reply: unknown, path: string): unknown {
  let value = reply
  for (const step of parseReplyPath(path) ?? []) {
    if (Array.isArray(value)) value = Number.isInteger(Number(step)) ? value[Number(step)] : undefined
    else value = isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined
  }
  return value
}

/** The paths of all values, of lists only those of the first. */
function* listPaths(value: unknown, path = ''): Generator<string> {
  if (Array.isArray(value) && value.length > 0) yield* listPaths(value[0], `${path}[0]`)
  else if (isRecord(value) && Object.keys(value).length > 0)
    for (const [key, inner] of Object.entries(value)) {
      const step = /^[\w-]+$/.test(key) ? `${path === '' ? '' : '.'}${key}` : `[${JSON.stringify(key)}]`
      yield* listPaths(inner, `${path}${step}`)
    }
  else if (path !== '') yield path
}

function describeFields(reply: unknown): string {
  const paths = [...listPaths(reply)]
  if (paths.length === 0) return `it is ${textOrJson(reply).slice(0, 200)}`
  return `it has ${paths.slice(0, MAX_LISTED_FIELDS).join(', ')}${paths.length > MAX_LISTED_FIELDS ? ' and more' : ''}`
}

/** A list of parts with texts is one text; anything else that is no text stays JSON. */
function toAnswer(value: unknown): string {
  if (value === null) return ''
  if (!Array.isArray(value) || value.length === 0) return textOrJson(value)
  const texts = value.map((part: unknown) => (isRecord(part) && part['type'] === 'text' ? part['text'] : undefined))
  return texts.every((text) => typeof text === 'string') ? texts.join('') : textOrJson(value)
}

/** A client for an HTTP endpoint with an API of its own: a template makes its requests, a path finds the answer. */
export function createHttpTemplateClient(options: HttpTemplateOptions): Client {
  const { provider, template, connections, guard } = options
  const url = new URL(options.baseUrl)
  const key = options.apiKey?.trim() ?? ''
  const written = Object.entries(template.headers ?? {})
  const needsKey = written.find(([, value]) => value !== value.replaceAll(KEY_VARIABLE, ''))
  const headers = {
    accept: 'application/json',
    ...(key !== '' && !needsKey && { authorization: `Bearer ${key}` }),
    ...Object.fromEntries(
      written.map(([name, value]) => [name.toLowerCase(), value.replaceAll(KEY_VARIABLE, () => key)]),
    ),
    ...options.headers,
  }
  const endpoint = createEndpoint({ provider, baseUrl: options.baseUrl, connections, headers, guard })
  const body = template.body === undefined ? undefined : parseTemplateBody(template.body)
  const used = new Set([...listVariables(options.baseUrl), ...listVariables(template.body ?? '')])

  function readAnswer(text: string): Omit<ModelAnswer, 'latencyMs'> {
    const { answer: path } = template
    const reply = parseJson(text)
    const serverError = findError(reply, Date.now())
    const value = path === undefined ? (typeof reply === 'string' ? reply : text) : readPath(reply, path)
    if (serverError && (path === undefined || value === undefined || value === null))
      throw toClientError(serverError, provider, endpoint.redact, { isInReply: true })
    if (isWebPage(text) && path !== undefined)
      throw new ClientError('broken', `${provider} returned a web page instead of JSON: check the address`)
    if (reply === undefined && path !== undefined)
      throw new ClientError(
        'broken',
        `${provider} did not return JSON: ${endpoint.redact(text.slice(0, 1000)).slice(0, 200) || 'the reply is empty'}`,
      )
    if (value === undefined)
      throw new ClientError(
        'broken',
        `The reply of ${provider} has no ${path}: ${endpoint.redact(describeFields(reply))}. Change the path of the answer in Settings.`,
        { retryable: false },
      )
    const { reasoning, response } = splitThinking(toAnswer(value))
    const count = (at: string | undefined) => (at === undefined ? undefined : numberOf(readPath(reply, at)))
    const [promptTokens, completionTokens] = [count(template.promptTokens), count(template.completionTokens)]
    return {
      outcome: classifyOutcome({ response, refused: false, toolCalls: 0 }),
      response,
      ...(reasoning !== '' && { reasoning }),
      ...(promptTokens !== undefined && { promptTokens }),
      ...(completionTokens !== undefined && { completionTokens }),
    }
  }

  return {
    provider,
    async complete(partialRequest, { signal } = {}) {
      const request = fillRequest(partialRequest)
      const { parameters } = request
      if (request.embed) throw refuse(describeNoEmbeddings(provider))
      if (request.tools && request.tools.length > 0)
        throw refuse(`${provider} cannot be sent tools: an endpoint with a template of its own has no place for them`)
      if (needsKey && key === '')
        throw refuse(`${provider} has no API key, which its header ${needsKey[0]} needs: set it in Settings`)
      const values = fillVariables(request, used, provider)
      const filled = fillBody(body, values)
      const extra = parameters.extraBody
      const collector = createCollector()
      const { latencyMs } = await endpoint.send(
        {
          method: template.method,
          target: fillTarget(url, values, provider),
          ...(body !== undefined && {
            body: JSON.stringify(extra && isRecord(filled) ? { ...filled, ...extra } : filled),
          }),
        },
        collector,
        {
          firstTokenTimeoutMs: request.firstTokenTimeoutMs ?? defaultTimeoutSeconds * 1000,
          idleTimeoutMs: request.firstTokenTimeoutMs ?? defaultTimeoutSeconds * 1000,
          signal,
          headers: parameters.headers,
        },
      )
      const asked = OPTIONAL_PARAMETERS.filter((name) => values.get(name) !== undefined)
      const sent = Object.fromEntries(asked.filter((name) => used.has(name)).map((name) => [name, values.get(name)]))
      const leftOut = [...asked.filter((name) => !used.has(name)), ...(extra && !isRecord(filled) ? ['extraBody'] : [])]
      const described = {
        latencyMs,
        sent: { ...sent, ...(isRecord(filled) && extra) },
        ...(leftOut.length > 0 && { leftOut }),
      }
      const { status, headers: replied, body: text } = collector
      if (status >= 300) {
        const error = readErrorBody(status, replied, text, Date.now())
        if (!error.filtered) throw toClientError(error, provider, endpoint.redact)
        return { outcome: 'filtered', response: '', finishReason: error.code ?? 'content_filter', ...described }
      }
      if (![undefined, 'identity'].includes(replied['content-encoding']?.toString()))
        throw new ClientError('broken', `${provider} sent a compressed reply, which was not requested`, {
          retryable: false,
        })
      return { ...readAnswer(text), ...described }
    },
    // Such an API has no list; without {{model}} there is one model, whatever it is called.
    listModels: async () => (used.has('model') ? [] : [{ id: ONLY_MODEL }]),
    close: endpoint.close,
  }
}
