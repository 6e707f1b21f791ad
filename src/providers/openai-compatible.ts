import {
  ClientError,
  defaultTimeoutSeconds,
  InputError,
  withoutHost,
  type CancelSignal,
  type Client,
  type CompleteOptions,
  type ModelAnswer,
  type ModelInfo,
  type ModelRequest,
  type RawReply,
} from '../contract/index.ts'
import { createBatchHttp } from './batches/batch-http.ts'
import { createOpenAIBatches } from './batches/openai-batches.ts'
import type { ConnectGuard } from './http/connect-guard.ts'
import { createCollector, createEndpoint } from './http/endpoint.ts'
import { parseJson } from './http/json-values.ts'
import type { Receiver } from './http/exchange.ts'
import { buildEmbeddingsBody, readEmbeddings } from './openai/embeddings.ts'
import { readModelList } from './openai/model-list.ts'
import { fillRequest } from './request-defaults.ts'
import { plainDialect, type Dialect } from './openai/dialect.ts'
import { noRouter } from './no-router.ts'
import { createReplyReader, type ReplyReader } from './openai/reply-reader.ts'
import { buildRequestBody, type RequestBody } from './openai/request-body.ts'
import { findError, readErrorBody, toClientError, type ServerError } from './http/server-error.ts'
import {
  createQuirks,
  findUnsupported,
  isStreamingRejected,
  learnUnsupported,
  quirksFromList,
  type ModelQuirks,
} from './openai/unsupported-parameters.ts'

export interface OpenAICompatibleOptions {
  /** The endpoint's name, for messages; clients with the same name share one concurrency limit. */
  provider: string
  /** The URL without `/chat/completions`. A query (`?api-version=…`) is kept. */
  baseUrl: string
  apiKey?: string | undefined
  headers?: Record<string, string>
  /** Maximum number of connections. Default: one per concurrent request. */
  connections?: number
  /** How the API differs from OpenAI's. */
  dialect?: Dialect | undefined
  /** Extra fields for the body of every request. */
  extraBody?: Record<string, unknown>
  /** Where embedding models are listed, if not with the others. */
  embeddingModelsPath?: string
  /** True if the server may have OpenAI's Batch API. */
  hasBatches?: boolean
  /** Refuses internal addresses. */
  guard?: ConnectGuard | undefined
}

const FIRST_TOKEN_TIMEOUT_MS = defaultTimeoutSeconds * 1000
const IDLE_TIMEOUT_MS = 30_000

/** A chat completion, or the error that the server returned instead. */
type Reply = { answer: ModelAnswer } | { error: ServerError }

interface ReplyReceiver extends Receiver {
  failed: ReturnType<typeof createCollector> | undefined
  /** True once a successful reply has begun to arrive. */
  hasBegun: boolean
}

/** Passes successful replies to the reader and collects the others for their error. */
function createReplyReceiver(
  reader: ReplyReader,
  provider: string,
  onText: ((text: string) => void) | undefined,
): ReplyReceiver {
  return {
    failed: undefined,
    hasBegun: false,
    start(status, headers) {
      this.hasBegun = status < 300
      if (status >= 300) {
        this.failed = createCollector()
        this.failed.start(status, headers)
      } else if (![undefined, 'identity'].includes(headers['content-encoding']?.toString())) {
        throw new ClientError('broken', `${provider} sent a compressed reply, which was not requested`, {
          retryable: false,
        })
      }
    },
    read(text) {
      if (this.failed) {
        this.failed.read(text)
        return
      }
      const newText = reader.read(text)
      if (newText !== '') onText?.(newText)
    },
    hasStarted: reader.hasStarted,
    hasFinished: reader.hasFinished,
    isDone() {
      return this.failed ? this.failed.isDone() : reader.isDone()
    },
  }
}

/** What was sent and what was not, for the answer. Headers of the request cannot go with one of a batch. */
function pickSent({ leftOut, sent, notes }: RequestBody): Pick<ModelAnswer, 'leftOut' | 'sent' | 'notes'> {
  return { sent, ...(leftOut.length > 0 && { leftOut }), ...(notes.length > 0 && { notes }) }
}

/** A client for any OpenAI-compatible endpoint: OpenAI, Ollama, vLLM, LM Studio, llama.cpp, OpenRouter. */
export function createOpenAICompatibleClient(options: OpenAICompatibleOptions): Client {
  const { provider, apiKey, extraBody, embeddingModelsPath, dialect = plainDialect } = options
  const key = apiKey?.trim()
  const ownHeaders = { ...(key && { authorization: `Bearer ${key}` }), ...options.headers }
  const endpoint = createEndpoint({
    provider,
    baseUrl: options.baseUrl,
    connections: options.connections,
    headers: ownHeaders,
    guard: options.guard,
  })
  const quirksOf = new Map<string, ModelQuirks>()

  function quirks(modelId: string): ModelQuirks {
    const modelQuirks = quirksOf.get(modelId) ?? createQuirks(dialect)
    quirksOf.set(modelId, modelQuirks)
    return modelQuirks
  }

  /** Reads a reply that came by another way than a connection of this client. */
  function readRaw({ status, body: text }: RawReply, body: RequestBody): Reply {
    if (status >= 300) return { error: readErrorBody(status, {}, text, Date.now()) }
    const reader = createReplyReader({ provider, redact: endpoint.redact, now: Date.now })
    reader.read(text)
    reader.end()
    return { answer: { ...reader.answer(), latencyMs: 0, ...pickSent(body) } }
  }

  async function ask(
    request: ModelRequest,
    body: RequestBody,
    { signal, onText, post }: CompleteOptions,
  ): Promise<Reply> {
    if (post) return readRaw(await post(body.text), body)
    const reader = createReplyReader({ provider, redact: endpoint.redact, now: Date.now })
    const receiver = createReplyReceiver(reader, provider, onText)
    try {
      return await readReply(request, body, { reader, receiver, signal })
    } catch (error) {
      if (error instanceof ClientError) error.duringStream = receiver.hasBegun && request.stream !== false
      throw error
    }
  }

  async function readReply(
    request: ModelRequest,
    body: RequestBody,
    { reader, receiver, signal }: { reader: ReplyReader; receiver: ReplyReceiver; signal: CancelSignal | undefined },
  ): Promise<Reply> {
    const times = await endpoint.post('/chat/completions', body.text, receiver, {
      firstTokenTimeoutMs: request.firstTokenTimeoutMs ?? FIRST_TOKEN_TIMEOUT_MS,
      idleTimeoutMs: request.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
      signal,
      headers: request.parameters.headers,
    })
    const sent = pickSent(body)
    if (receiver.failed) {
      const { status, headers, body: text } = receiver.failed
      const error = readErrorBody(status, headers, text, Date.now())
      if (!error.filtered) return { error }
      return {
        answer: {
          outcome: 'filtered',
          response: '',
          finishReason: error.code ?? 'content_filter',
          latencyMs: times.latencyMs,
          ...sent,
        },
      }
    }
    if (!reader.isDone()) reader.end()
    return { answer: { ...reader.answer(), ...times, ...sent } }
  }

  async function embed(request: ModelRequest, signal: CancelSignal | undefined): Promise<ModelAnswer> {
    const collector = createCollector()
    const { latencyMs } = await endpoint.post('/embeddings', buildEmbeddingsBody(request), collector, {
      firstTokenTimeoutMs: request.firstTokenTimeoutMs ?? FIRST_TOKEN_TIMEOUT_MS,
      idleTimeoutMs: request.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
      signal,
    })
    const { status, headers, body } = collector
    const reply = status < 300 ? parseJson(body) : undefined
    const error = status < 300 ? findError(reply, Date.now()) : readErrorBody(status, headers, body, Date.now())
    if (error) throw toClientError(error, provider, endpoint.redact)
    return { outcome: 'ok', response: '', latencyMs, ...readEmbeddings(reply, provider) }
  }

  async function listEmbeddingModels(path: string, signal: CancelSignal | undefined): Promise<ModelInfo[]> {
    // Without this list only the prices of embeddings are unknown.
    const reply = await endpoint.getJson(path, { signal }).catch(() => undefined)
    return readModelList(reply).map((model) => ({ ...model, isEmbedding: true }))
  }

  let names: Promise<ReadonlySet<string>> | undefined

  /** Some servers have models with a # in their names, which a list tells from a host. */
  async function isName(modelId: string): Promise<boolean> {
    names ??= endpoint.getJson('/models').then((reply) => new Set(readModelList(reply).map(({ id }) => id)))
    return (await names.catch(() => new Set<string>())).has(modelId)
  }

  async function placeHost(request: ModelRequest): Promise<ModelRequest> {
    const { modelId } = request
    const host = modelId.slice(withoutHost(modelId).length + 1)
    if (!modelId.includes('#') || modelId === withoutHost(modelId)) return request
    if (!dialect.pinHost) {
      if (await isName(modelId)) return request
      throw noRouter(provider, modelId)
    }
    if (host.trim() === '') throw new InputError(`${modelId} names no host after the #: write it like MODEL#HOST`)
    return { ...request, modelId: withoutHost(modelId), host }
  }

  return {
    provider,
    checkHost: async (modelId) => void (await placeHost({ modelId, messages: [], parameters: {} })),
    async complete(partialRequest, completeOptions = {}) {
      const filled = await placeHost(fillRequest(partialRequest))
      if (filled.embed) return embed(filled, completeOptions.signal)
      const modelQuirks = quirks(filled.modelId)
      const stream = filled.stream !== false && modelQuirks.supportsStreaming
      const request = { ...filled, stream }
      const body = buildRequestBody(request, modelQuirks, { dialect, ...(extraBody && { extraBody }) })
      const reply = await ask(request, body, completeOptions)
      if ('answer' in reply) return reply.answer
      const field =
        findUnsupported(reply.error, Object.keys(body.fields)) ??
        (stream && isStreamingRejected(reply.error) ? 'stream' : undefined)
      if (field !== undefined) learnUnsupported(modelQuirks, field, reply.error, { dialect, value: body.fields[field] })
      const error = toClientError(reply.error, provider, endpoint.redact)
      error.adapted = field !== undefined
      throw error
    },
    async listModels({ signal } = {}) {
      const embedding = embeddingModelsPath === undefined ? [] : listEmbeddingModels(embeddingModelsPath, signal)
      const models = readModelList(await endpoint.getJson('/models', { signal }))
      for (const { id, supportedParameters } of models) {
        if (!supportedParameters) continue
        const listed = quirksFromList(supportedParameters, dialect)
        const learned = quirksOf.get(id)
        if (learned) for (const name of listed.leftOut) learned.leftOut.add(name)
        else quirksOf.set(id, listed)
      }
      const ids = new Set(models.map(({ id }) => id))
      return [...models, ...(await embedding).filter(({ id }) => !ids.has(id))]
    },
    ...(options.hasBatches && {
      batches: createOpenAIBatches(
        createBatchHttp({
          provider,
          baseUrl: options.baseUrl,
          headers: ownHeaders,
          redact: endpoint.redact,
          guard: options.guard,
        }),
        provider,
      ),
    }),
    close: endpoint.close,
  }
}
