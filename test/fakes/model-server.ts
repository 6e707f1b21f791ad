import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { vendorOf, writeError, writeSpoken, type Spoken, type Vendor } from './spoken-replies.ts'

/**
 * A model server on loopback that speaks OpenAI's chat completions, streamed or whole, and embeddings, with latency and
 * seeded faults. With `speak` it calls tools, and speaks as Anthropic and Gemini do too, by the path that is asked.
 * It counts requests and times itself, so that a client's numbers can be compared with its own.
 *
 * As a separate process, `node test/fakes/model-server.ts '{"latencyMs": 100}'` prints its base URL on the first line;
 * `GET /stats` returns the statistics and `POST /reset` clears them.
 */
export interface ModelServerOptions {
  /** From the request to the first token. */
  latencyMs?: number
  /** Between one token and the next; 0 sends the answer in one piece. */
  tokenDelayMs?: number
  /** Words in the answer, unless `answer` is set. */
  tokenCount?: number
  answer?: (request: ChatRequest) => string
  /** Instead of `answer`: with tool calls, and for every vendor. */
  speak?: (request: ChatRequest) => Spoken
  /** US dollars per request, sent as `usage.cost`. */
  cost?: number
  models?: string[]
  /** What a request waits for before it is answered. */
  hold?: (request: ChatRequest) => Promise<void> | undefined
  faults?: Faults
  /** Maximum number of requests to keep; the rest are only counted. */
  keepRequests?: number
  /** A complete reply to send instead of an answer. */
  reply?: (request: ChatRequest) => ScriptedReply | undefined
  /** The embedding of a text. By default texts with the same words are close. */
  embed?: (text: string) => number[]
  embeddingFault?: (request: ChatRequest) => EmbeddingFault | undefined
}

export const EMBEDDING_FAULTS = [
  'too few',
  'too many',
  'uneven lengths',
  'all zeros',
  'infinite',
  'null',
  'strings',
  'base64',
  'empty vectors',
  'empty data',
  'no data',
  'not JSON',
  'error in 200',
  'text too long',
  'a gigabyte',
  'endless numbers',
  'cut',
] as const

export type EmbeddingFault = (typeof EMBEDDING_FAULTS)[number]

/** Fractions of requests from 0 to 1. A request's fault depends on the seed, its body and how often it was sent. */
export interface Faults {
  seed: number
  rateLimit?: number
  serverError?: number
  empty?: number
  cut?: number
  hang?: number
  /** The `Retry-After` of a 429. Default 0. */
  retryAfterSeconds?: number
}

type FaultName = 'rateLimit' | 'serverError' | 'empty' | 'cut' | 'hang'

export interface ChatRequest {
  path: string
  /** Without its question mark. */
  query: string
  vendor: Vendor
  headers: Record<string, string | string[] | undefined>
  model: string
  /** The last message's text. */
  prompt: string
  stream: boolean
  /** How many answers of the model are in it. */
  answers: number
  body: Record<string, unknown>
}

export interface ScriptedReply {
  status?: number
  headers?: Record<string, string>
  /** Sent one after another, each in its own write. */
  pieces: (string | Uint8Array)[]
  pieceDelayMs?: number
  /** Repeated after the pieces, as fast as the client reads, until it leaves. */
  endless?: string | Uint8Array
  /** `end` is the default; `destroy` resets the connection; `hang` leaves it open. */
  ending?: 'end' | 'destroy' | 'hang'
}

export interface ModelServerStats {
  requests: number
  /** Answered in full. */
  answered: number
  /** Not answered in full: cancelled by the client, or cut by a fault. */
  aborted: number
  inFlight: number
  maxInFlight: number
  openSockets: number
  byPath: Record<string, number>
  byModel: Record<string, number>
  faults: Record<FaultName, number>
  /** From the complete request to the last byte written to the socket. */
  served: { model: string; prompt: string; ms: number }[]
}

export interface ModelServer {
  readonly baseUrl: string
  readonly requests: ChatRequest[]
  stats(): ModelServerStats
  reset(): void
  /** Throws what a function of its options threw, so that no test passes in spite of it. */
  close(): Promise<void>
}

const FAULT_NAMES: FaultName[] = ['rateLimit', 'serverError', 'empty', 'cut', 'hang']

function hash(text: string, seed: number): number {
  let value = (seed ^ 0x811c9dc5) >>> 0
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d)
  value = Math.imul(value ^ (value >>> 12), 0x297a2d39)
  return ((value ^ (value >>> 15)) >>> 0) / 2 ** 32
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return Array.isArray(content)
    ? content.map((part: unknown) => (isRecord(part) ? String(part['text'] ?? '') : '')).join('')
    : ''
}

/** The texts to embed. */
export function listInputs({ input }: Record<string, unknown>): string[] {
  return input === undefined ? [] : [input].flat().map(String)
}

const EMBEDDING_LENGTH = 64

function embedByWords(text: string): number[] {
  const vector = Array.from({ length: EMBEDDING_LENGTH }, () => 0)
  for (const word of text.toLowerCase().match(/\w+/g) ?? ['']) {
    const place = Math.floor(hash(word, 1) * EMBEDDING_LENGTH)
    vector[place] = vector[place]! + 1
  }
  return vector
}

type EmbeddingItem = { object: string; index: number; embedding: unknown }

function writeEmbeddings(items: EmbeddingItem[], request: ChatRequest): ScriptedReply {
  const tokens = listInputs(request.body).reduce((sum, text) => sum + countWords(text), 0)
  const usage = { prompt_tokens: tokens, total_tokens: tokens }
  return {
    headers: JSON_TYPE,
    pieces: [JSON.stringify({ object: 'list', data: items, model: request.model, usage })],
  }
}

/** What a broken server sends instead of these embeddings. */
function spoilEmbeddings(fault: EmbeddingFault, items: EmbeddingItem[], request: ChatRequest): ScriptedReply {
  const send = (spoiled: EmbeddingItem[]) => writeEmbeddings(spoiled, request)
  const each = (embedding: unknown) => send(items.map((item) => ({ ...item, embedding })))
  const error = (message: string, status: number): ScriptedReply => ({
    status,
    headers: JSON_TYPE,
    pieces: [JSON.stringify({ error: { message, type: 'invalid_request_error', code: null } })],
  })
  switch (fault) {
    case 'too few':
      return send(items.slice(1))
    case 'too many':
      return send([...items, ...items])
    case 'uneven lengths':
      return send(items.map((item, index) => ({ ...item, embedding: Array.from({ length: 3 + index }, () => 1) })))
    case 'all zeros':
      return each([0, 0, 0])
    case 'infinite': {
      const { headers = JSON_TYPE, pieces } = each([1, 'INFINITE'])
      return { headers, pieces: pieces.map((piece) => String(piece).replaceAll('"INFINITE"', '1e999')) }
    }
    case 'null':
      return each([1, null, Number.NaN])
    case 'strings':
      return each(['0.1', '0.2'])
    case 'base64':
      return each('AACAPwAAAEA=')
    case 'empty vectors':
      return each([])
    case 'empty data':
      return send([])
    case 'no data':
      return { headers: JSON_TYPE, pieces: ['{"object": "list"}'] }
    case 'not JSON':
      return { headers: { 'content-type': 'text/html' }, pieces: ['<html>Bad gateway</html>'] }
    case 'error in 200':
      return error('no model loaded', 200)
    case 'text too long':
      return error("This model's maximum context length is 8192 tokens, however you requested 9000 tokens.", 400)
    case 'a gigabyte':
      return { headers: JSON_TYPE, pieces: ['{"data": "'], endless: 'x'.repeat(65_536), pieceDelayMs: 0 }
    case 'endless numbers':
      return {
        headers: JSON_TYPE,
        pieces: ['{"data": [{"embedding": [0'],
        endless: ',0'.repeat(32_768),
        pieceDelayMs: 0,
      }
    case 'cut':
      return { headers: JSON_TYPE, pieces: ['{"data": [{"embedding": [0.1, '], ending: 'destroy' }
  }
}

/** The messages of a request: Gemini has `contents`, and names the model in its path. */
function readMessages(body: Record<string, unknown>): unknown[] {
  const messages = body['messages'] ?? body['contents']
  return Array.isArray(messages) ? messages : []
}

function readRequest(url: string, headers: IncomingMessage['headers'], text: string): ChatRequest {
  const [path = '', query = ''] = url.split('?')
  const parsed: unknown = JSON.parse(text)
  const body = isRecord(parsed) ? parsed : {}
  const messages = readMessages(body)
  const last = messages.at(-1)
  const vendor = vendorOf(path) ?? 'openai'
  return {
    path,
    query,
    vendor,
    headers,
    model: vendor === 'google' ? path.replace(/^.*\/models\/|:\w+$/g, '') : String(body['model']),
    prompt: isRecord(last) ? textOf(last['content'] ?? last['parts']) : listInputs(body).join('\n'),
    stream: body['stream'] === true || path.includes(':streamGenerateContent'),
    answers: messages.filter((one) => isRecord(one) && ['assistant', 'model'].includes(String(one['role']))).length,
    body,
  }
}

function countWords(text: string): number {
  return text.split(/\s+/).filter(Boolean).length
}

function emptyStats(): ModelServerStats {
  const faults = { rateLimit: 0, serverError: 0, empty: 0, cut: 0, hang: 0 }
  return {
    requests: 0,
    answered: 0,
    aborted: 0,
    inFlight: 0,
    maxInFlight: 0,
    openSockets: 0,
    byPath: {},
    byModel: {},
    faults,
    served: [],
  }
}

const EVENT_STREAM = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' }
const JSON_TYPE = { 'content-type': 'application/json' }

export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const { latencyMs = 0, tokenDelayMs = 0, tokenCount = 8, models = ['fake'], keepRequests = 1000, faults } = options
  const plainAnswer = Array.from({ length: tokenCount }, (_, index) => `word${index + 1}`).join(' ')
  const sockets = new Set<Socket>()
  const seen = new Map<string, number>()
  const requests: ChatRequest[] = []
  /** What `answer`, `reply` and the like threw. */
  const failures: unknown[] = []
  let stats = emptyStats()

  function drawFault(text: string): FaultName | undefined {
    if (!faults) return undefined
    const times = (seen.get(text) ?? 0) + 1
    seen.set(text, times)
    let draw = hash(`${times}\n${text}`, faults.seed)
    for (const name of FAULT_NAMES) {
      draw -= faults[name] ?? 0
      if (draw < 0) return name
    }
    return undefined
  }

  function usageOf(request: ChatRequest, answer: string): Record<string, unknown> {
    const counts = { prompt_tokens: countWords(request.prompt), completion_tokens: countWords(answer) }
    return {
      ...counts,
      total_tokens: counts.prompt_tokens + counts.completion_tokens,
      ...(options.cost !== undefined && { cost: options.cost }),
    }
  }

  function event(request: ChatRequest, choices: unknown[], more: Record<string, unknown> = {}): string {
    return `data: ${JSON.stringify({ id: 'chatcmpl-fake', object: 'chat.completion.chunk', created: 0, model: request.model, choices, ...more })}\n\n`
  }

  function writePieces(request: ChatRequest, answer: string): string[] {
    const words = answer === '' ? [] : answer.split(/(?<=\s)/)
    return [
      ...words.map((content) => event(request, [{ index: 0, delta: { content }, finish_reason: null }])),
      `${event(request, [{ index: 0, delta: {}, finish_reason: 'stop' }])}${event(request, [], { usage: usageOf(request, answer) })}data: [DONE]\n\n`,
    ]
  }

  /** Writes the pieces with pauses and calls `done` after the last one; stops if the client is gone. */
  function send(response: ServerResponse, pieces: (string | Uint8Array)[], pauseMs: number, done: () => void): void {
    const [first, ...rest] = pieces
    if (response.destroyed) return
    if (first !== undefined) response.write(first)
    if (rest.length === 0) done()
    else setTimeout(() => send(response, rest, pauseMs, done), pauseMs)
  }

  function sendEndlessly(response: ServerResponse, piece: string | Uint8Array, pauseMs: number): void {
    if (response.destroyed) return
    const next = () => sendEndlessly(response, piece, pauseMs)
    const hasRoom = response.write(piece)
    if (pauseMs > 0) setTimeout(next, pauseMs)
    else if (hasRoom) setImmediate(next)
    else response.once('drain', next)
  }

  function sendPieces(response: ServerResponse, pieces: string[], isCut: boolean): void {
    response.writeHead(200, EVENT_STREAM)
    if (isCut) {
      const half = pieces.slice(0, Math.max(1, Math.floor(pieces.length / 2)))
      send(response, half, tokenDelayMs, () => setTimeout(() => response.destroy(), 1))
    } else if (tokenDelayMs === 0) response.end(pieces.join(''))
    else send(response, pieces, tokenDelayMs, () => response.end())
  }

  function sendAnswer(request: ChatRequest, response: ServerResponse, fault: FaultName | undefined): void {
    if (options.speak) {
      const spoken = fault === 'empty' ? {} : options.speak(request)
      const { whole, pieces } = writeSpoken(request.vendor, request.model, spoken, options.cost)
      if (request.stream) sendPieces(response, pieces, fault === 'cut')
      else if (fault === 'cut') send(response, ['{"cut'], 0, () => setTimeout(() => response.destroy(), 1))
      else sendJson(response, whole)
      return
    }
    const answer = fault === 'empty' ? '' : (options.answer?.(request) ?? plainAnswer)
    if (!request.stream && fault !== 'cut') {
      const message = { role: 'assistant', content: answer }
      const choices = [{ index: 0, message, finish_reason: 'stop' }]
      response.writeHead(200, JSON_TYPE)
      response.end(
        JSON.stringify({
          id: 'chatcmpl-fake',
          object: 'chat.completion',
          model: request.model,
          choices,
          usage: usageOf(request, answer),
        }),
      )
      return
    }
    const pieces = request.stream ? writePieces(request, answer) : ['{"id": "chatcmpl-fake", "choi']
    sendPieces(response, pieces, fault === 'cut')
  }

  function replyWithEmbeddings(request: ChatRequest): ScriptedReply {
    const items = listInputs(request.body).map((text, index) => ({
      object: 'embedding',
      index,
      embedding: (options.embed ?? embedByWords)(text),
    }))
    const fault = options.embeddingFault?.(request)
    return fault === undefined ? writeEmbeddings(items, request) : spoilEmbeddings(fault, items, request)
  }

  function respond(request: ChatRequest, response: ServerResponse, text: string): void {
    const isEmbedding = request.path.endsWith('/embeddings')
    const fault = isEmbedding ? drawFault(text) : undefined
    const isPlain = fault === undefined || fault === 'empty' || fault === 'cut'
    const scripted = options.reply?.(request) ?? (isEmbedding && isPlain ? replyWithEmbeddings(request) : undefined)
    if (scripted) {
      const { status = 200, headers = EVENT_STREAM, pieces, endless, pieceDelayMs = 5, ending = 'end' } = scripted
      response.writeHead(status, headers)
      send(response, pieces, pieceDelayMs, () => {
        if (endless !== undefined) sendEndlessly(response, endless, scripted.pieceDelayMs ?? 0)
        else if (ending === 'end') response.end()
        else if (ending === 'destroy') setTimeout(() => response.destroy(), 5)
      })
      return
    }
    sendFault(fault ?? drawFault(text), request, response)
  }

  function sendFault(fault: FaultName | undefined, request: ChatRequest, response: ServerResponse): void {
    if (fault) stats.faults[fault]++
    if (fault === 'hang') return
    if (fault === 'rateLimit') {
      response.writeHead(429, { ...JSON_TYPE, 'retry-after': String(faults?.retryAfterSeconds ?? 0) })
      response.end(JSON.stringify(writeError(request.vendor, fault)))
    } else if (fault === 'serverError') sendJson(response, writeError(request.vendor, fault), 500)
    else sendAnswer(request, response, fault)
  }

  function answerChat(url: string, headers: IncomingMessage['headers'], text: string, response: ServerResponse): void {
    const receivedAt = performance.now()
    const request = readRequest(url, headers, text)
    const currentStats = stats
    currentStats.byModel[request.model] = (currentStats.byModel[request.model] ?? 0) + 1
    currentStats.inFlight++
    currentStats.maxInFlight = Math.max(currentStats.maxInFlight, currentStats.inFlight)
    if (requests.length < keepRequests) requests.push(request)
    let servedMs: number | undefined
    response.once('prefinish', () => {
      servedMs = performance.now() - receivedAt
    })
    response.once('close', () => {
      currentStats.inFlight--
      if (servedMs === undefined) currentStats.aborted++
      else {
        currentStats.answered++
        currentStats.served.push({ model: request.model, prompt: request.prompt.slice(0, 200), ms: servedMs })
      }
    })
    const respondOrFail = () => {
      try {
        respond(request, response, text)
      } catch (error) {
        failures.push(error)
        // Not retried, so that the test fails at once instead of waiting for an answer.
        sendJson(response, { error: { message: `The fake model failed: ${String(error)}`, type: 'fake_failed' } }, 400)
      }
    }
    const held = options.hold?.(request)
    if (held) void held.then(respondOrFail)
    else if (latencyMs > 0) setTimeout(respondOrFail, latencyMs)
    else respondOrFail()
  }

  function reset(): void {
    stats = emptyStats()
    requests.length = 0
    seen.clear()
  }

  const readStats = (): ModelServerStats => ({ ...stats, openSockets: sockets.size })

  function sendJson(response: ServerResponse, value: unknown, status = 200): void {
    response.writeHead(status, JSON_TYPE)
    response.end(JSON.stringify(value))
  }

  const server = createServer((incoming, response) => {
    const path = (incoming.url ?? '/').split('?')[0]!
    const pieces: Buffer[] = []
    incoming.on('data', (piece: Buffer) => pieces.push(piece))
    incoming.on('end', () => {
      if (path === '/stats') return sendJson(response, readStats())
      if (path === '/reset') return sendJson(response, reset() ?? {})
      // A list is no request to a model.
      if (!path.endsWith('/models')) stats.requests++
      stats.byPath[path] = (stats.byPath[path] ?? 0) + 1
      if (path.endsWith('/models'))
        return sendJson(response, { object: 'list', data: models.map((id) => ({ id, object: 'model' })) })
      if (path.endsWith('/embeddings') || vendorOf(path))
        return answerChat(incoming.url!, incoming.headers, Buffer.concat(pieces).toString(), response)
      return sendJson(response, { error: { message: `Nothing at ${path}`, type: 'not_found' } }, 404)
    })
  })
  server.keepAliveTimeout = 60_000
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === 'string') throw new Error('the model server got no port')

  return {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    requests,
    stats: readStats,
    reset,
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
      if (failures.length > 0) throw failures[0]
    },
  }
}

if (import.meta.main) {
  const options: ModelServerOptions = JSON.parse(process.argv[2] ?? '{}')
  console.log((await startModelServer(options)).baseUrl)
}
