import type { LanguageModelV2, LanguageModelV3, LanguageModelV4 } from '@ai-sdk/provider'
import {
  ClientError,
  defaultTimeoutSeconds,
  type Batches,
  type Client,
  type CompleteOptions,
  type ModelAnswer,
  type ModelInfo,
  type ModelRequest,
  type CancelSignal,
  InputError,
  isRecord,
} from '../../contract/index.ts'
import { createSdkAnswer, type SdkAnswer } from './answer.ts'
import { writePlainCall, writeTaggedCall, type CallSettings } from './prompt.ts'
import { OPTIONAL_PARAMETERS, WIRE_NAMES, type OptionalParameter } from '../openai/parameter-names.ts'
import { createRedactor } from '../http/redact.ts'
import { fillRequest } from '../request-defaults.ts'
import { noRouter } from '../no-router.ts'
import { describeNoEmbeddings } from '../no-embeddings.ts'
import { findUnsupported, isStreamingRejected } from '../openai/unsupported-parameters.ts'
import { get, mergeFields, parseJson, textOf } from '../http/json-values.ts'
import { MAX_ERROR_BODY_LENGTH } from '../http/limited-fetch.ts'
import { readErrorBody, toClientError, type ServerError } from '../http/server-error.ts'

/** The vendor's error response; `undefined` if the error did not come from a response. */
function readSdkError(error: unknown): ServerError | undefined {
  const status = get(error, 'statusCode')
  if (typeof status !== 'number' || status < 300) return undefined
  const headers = get(error, 'responseHeaders')
  const texts = isRecord(headers)
    ? Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
    : []
  const body = textOf(get(error, 'responseBody')) || textOf(get(error, 'message')) || ''
  return readErrorBody(status, Object.fromEntries(texts), body.slice(0, MAX_ERROR_BODY_LENGTH), Date.now())
}

const STATUS_OF_NAME: Record<string, number> = {
  AI_LoadAPIKeyError: 401,
  AI_NoSuchModelError: 404,
  AI_UnsupportedFunctionalityError: 400,
  AI_InvalidPromptError: 400,
  AI_InvalidArgumentError: 400,
}

function causeCode(error: unknown): string {
  return textOf(get(error, 'code')) ?? textOf(get(get(error, 'cause'), 'code')) ?? ''
}

const NEVER_SENT = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/

function isConnectionError(error: unknown): boolean {
  const code = causeCode(error)
  const message = textOf(get(error, 'message')) ?? ''
  return (
    /^(?:E[A-Z]+|UND_ERR_.*)$/.test(code) ||
    /fetch failed|Cannot connect to API|terminated|socket hang up/i.test(message)
  )
}

/**
 * Turns an error of the AI SDK, or of a custom model, into one that the engine understands. The original is not kept as
 * a cause: it contains the request and the reply, which may include a key.
 */
function toSdkClientError(error: unknown, provider: string, redact: (text: string) => string): Error {
  if (error instanceof ClientError || error instanceof InputError) return error
  // The SDK wraps what its `fetch` throws.
  const cause = get(error, 'cause')
  if (cause instanceof ClientError) return cause
  const serverError = readSdkError(error)
  if (serverError) return toClientError(serverError, provider, redact)
  const name = textOf(get(error, 'name')) ?? ''
  const message =
    textOf(get(error, 'message')) ?? (typeof error === 'string' ? error : JSON.stringify(error ?? 'unknown error'))
  const status = STATUS_OF_NAME[name]
  if (status !== undefined) return toClientError({ message, status, filtered: false }, provider, redact)
  if (isConnectionError(error))
    return new ClientError('network', `${provider} could not be reached or lost the connection (${redact(message)})`, {
      ...(NEVER_SENT.test(causeCode(error)) && { unbilled: true }),
    })
  // Anthropic sends `{ type: 'overloaded_error', message }` inside a stream.
  const type = textOf(get(error, 'type'))
  if (type !== undefined)
    return toClientError(
      readErrorBody(statusOfType(type), {}, JSON.stringify({ message }), Date.now()),
      provider,
      redact,
      { isInReply: true },
    )
  return new ClientError('broken', `${provider} sent an unreadable answer (${redact(message)})`)
}

function statusOfType(type: string): number {
  if (type.includes('overloaded')) return 529
  if (type.includes('rate_limit')) return 429
  if (type.includes('invalid_request')) return 400
  return 500
}

/** Adds time limits, cancellation and timing to a call made by third-party code. */
interface CallSupervisor {
  /** Aborts on a timeout or when the caller cancels. */
  readonly abortSignal: AbortSignal
  /** Rejects at that moment; never resolves. */
  readonly failed: Promise<never>
  /** Call this when data arrives; `started` is true from the first token on. */
  noteActivity(started: boolean): void
  times(streamed: boolean): { latencyMs: number; firstTokenMs?: number }
  stop(): void
}

interface SuperviseOptions {
  provider: string
  signal?: CancelSignal | undefined
  firstTokenTimeoutMs: number
  idleTimeoutMs: number
}

function superviseCall(options: SuperviseOptions): CallSupervisor {
  const { provider, signal, firstTokenTimeoutMs, idleTimeoutMs } = options
  const abort = new AbortController()
  const { promise: failed, reject } = Promise.withResolvers<never>()
  failed.catch(() => undefined)
  const startedAt = performance.now()
  let firstTokenAt: number | undefined

  function fail(error: ClientError): void {
    reject(error)
    abort.abort(error)
  }

  const cancel = (): void => fail(new ClientError('cancelled', 'The request was cancelled'))
  const startTimer = (ms: number, problem: string): NodeJS.Timeout =>
    setTimeout(() => fail(new ClientError('timeout', `${provider} ${problem} ${ms / 1000} s`)), ms)

  let timer = startTimer(firstTokenTimeoutMs, 'sent no answer within')
  if (signal?.aborted) cancel()
  signal?.addEventListener('abort', cancel, { once: true })

  return {
    abortSignal: abort.signal,
    failed,
    noteActivity(started) {
      if (!started) return
      if (firstTokenAt === undefined) {
        firstTokenAt = performance.now()
        clearTimeout(timer)
        timer = startTimer(idleTimeoutMs, 'sent nothing more for')
      } else timer.refresh()
    },
    times: (streamed) => ({
      latencyMs: performance.now() - startedAt,
      ...(streamed && firstTokenAt !== undefined && { firstTokenMs: firstTokenAt - startedAt }),
    }),
    stop() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancel)
    },
  }
}

/** Any language model for the AI SDK, in the versions of its specification that are in use. */
export type SdkLanguageModel = LanguageModelV2 | LanguageModelV3 | LanguageModelV4

/** What the package's `fetch` does besides sending. */
interface RequestWay {
  /** Used instead of a connection. */
  post: CompleteOptions['post']
  /** Added to the body of the request. */
  extraBody: ModelRequest['parameters']['extraBody']
}

export interface AISDKOptions {
  provider: string
  /** One model for every model id, or a function that returns the model for an id. */
  model: SdkLanguageModel | ((modelId: string, way: RequestWay) => SdkLanguageModel | Promise<SdkLanguageModel>)
  batches?: Batches
  listModels?: Client['listModels']
  close?: Client['close']
  /** The vendor's own options for a thinking budget. */
  writeThinkingBudget?: CallSettings['writeThinkingBudget']
  /** What the vendor has no field for, although the package does not say so. */
  listLacking?(request: ModelRequest): OptionalParameter[]
  /** Said of a reasoning effort that the package sends as another without saying so. */
  describeEffort?(request: ModelRequest): string | undefined
  /** Values that must not appear in messages. */
  secrets?: string[]
}

const FIRST_TOKEN_TIMEOUT_MS = defaultTimeoutSeconds * 1000
const IDLE_TIMEOUT_MS = 30_000

async function openStream(
  model: SdkLanguageModel,
  request: ModelRequest,
  settings: CallSettings,
): Promise<{ stream: ReadableStream<unknown>; request?: { body?: unknown } }> {
  switch (model.specificationVersion) {
    case 'v2':
      return model.doStream(writePlainCall(request, settings))
    case 'v3':
      return model.doStream(writePlainCall(request, settings))
    case 'v4':
      return model.doStream(writeTaggedCall(request, settings))
  }
}

async function generate(
  model: SdkLanguageModel,
  request: ModelRequest,
  settings: CallSettings,
): Promise<{
  content: unknown[]
  warnings: unknown
  finishReason: unknown
  usage: unknown
  request?: { body?: unknown }
  response?: { body?: unknown }
}> {
  switch (model.specificationVersion) {
    case 'v2':
      return model.doGenerate(writePlainCall(request, settings))
    case 'v3':
      return model.doGenerate(writePlainCall(request, settings))
    case 'v4':
      return model.doGenerate(writeTaggedCall(request, settings))
  }
}

interface Call {
  model: SdkLanguageModel
  request: ModelRequest
  settings: CallSettings
  answer: SdkAnswer
  supervisor: CallSupervisor
  onText: CompleteOptions['onText']
  onBegin: () => void
  /** Gets the body that the package made of the request. */
  onSent: (body: unknown) => void
}

async function readStream({ onText, onBegin, onSent, ...call }: Call): Promise<void> {
  const { model, request, settings, answer, supervisor } = call
  const opened = await openStream(model, request, settings)
  const reader = opened.stream.getReader()
  onBegin()
  onSent(opened.request?.body)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done || settings.abortSignal.aborted) return
      const text = answer.add(value)
      supervisor.noteActivity(answer.hasStarted())
      if (text !== '') onText?.(text)
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

async function readWholeReply({ model, request, settings, answer, onSent }: Call): Promise<void> {
  const { content, warnings, finishReason, usage, response, ...sent } = await generate(model, request, settings)
  onSent(sent.request?.body)
  answer.add({ type: 'stream-start', warnings })
  answer.add({ type: 'raw', rawValue: response?.body })
  for (const part of content) answer.add(part)
  answer.add({ type: 'finish', finishReason, usage })
}

function wantedOf({ parameters, responseSchema }: ModelRequest): OptionalParameter[] {
  return OPTIONAL_PARAMETERS.filter(
    (name) => (name === 'responseSchema' ? responseSchema : parameters[name]) !== undefined,
  )
}

/** The package has one name for both formats. */
function isUnsupported(name: OptionalParameter, answer: SdkAnswer, { responseSchema }: ModelRequest): boolean {
  const named = name === 'responseFormat' && !responseSchema ? 'responseSchema' : name
  return answer.leftOut().includes(named)
}

/** What a package calls the model, the messages and the tools, which are no parameters. */
const CONTENT = new Set(
  'model modelId messages contents input prompt system systemInstruction tools toolConfig stream'.split(' '),
)

/** The parameters in the body that a package made of a request. */
function readSent(body: unknown): Record<string, unknown> | undefined {
  const value = typeof body === 'string' ? parseJson(body) : body
  return isRecord(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => !CONTENT.has(name))) : undefined
}

/** Our name for a field that the vendor rejected under its own or the SDK's name. */
function findRejected(error: unknown, request: ModelRequest): OptionalParameter | undefined {
  const serverError = readSdkError(error)
  const wanted = wantedOf(request)
  const field = serverError && findUnsupported(serverError, [...wanted, ...wanted.map((name) => WIRE_NAMES[name])])
  return wanted.find((name) => name === field || WIRE_NAMES[name] === field)
}

function refusesToStream(error: unknown, { message, status }: ClientError): boolean {
  const described = { message, filtered: false, ...(status !== undefined && { status }) }
  return isStreamingRejected(readSdkError(error) ?? described)
}

/**
 * A client for any AI SDK language model. Times include the SDK's own work. The SDK's retries happen above the model
 * and are not used.
 */
export function createAISDKClient(options: AISDKOptions): Client {
  const { provider, model: modelOrFactory, writeThinkingBudget } = options
  const redact = createRedactor(options.secrets ?? [])
  const leftOutOf = new Map<string, Set<OptionalParameter>>()
  const unstreamed = new Set<string>()

  async function ask(
    request: ModelRequest,
    leftOut: Set<OptionalParameter>,
    { signal, onText, onBegin, post }: CompleteOptions & Pick<Call, 'onBegin'>,
  ): Promise<ModelAnswer> {
    const isOwn = typeof modelOrFactory === 'function'
    const { extraBody, reasoningEffort, thinkingBudget } = request.parameters
    const model = isOwn ? await modelOrFactory(request.modelId, { post, extraBody }) : modelOrFactory
    const isTold = thinkingBudget !== undefined && writeThinkingBudget !== undefined && !leftOut.has('thinkingBudget')
    // What the package has no way for at all, so that it says nothing about it either.
    const unsaid = [
      extraBody && !isOwn && 'extraBody',
      thinkingBudget !== undefined && !writeThinkingBudget && 'thinkingBudget',
      reasoningEffort && (model.specificationVersion !== 'v4' || isTold) && 'reasoningEffort',
    ].filter((name) => typeof name === 'string')
    let sent: Record<string, unknown> | undefined
    const answer = createSdkAnswer({ provider, redact })
    const supervisor = superviseCall({
      provider,
      signal,
      firstTokenTimeoutMs: request.firstTokenTimeoutMs ?? FIRST_TOKEN_TIMEOUT_MS,
      idleTimeoutMs: request.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
    })
    const call: Call = {
      model,
      request,
      answer,
      supervisor,
      onText,
      onBegin,
      onSent: (body) => (sent = readSent(body)),
      settings: { leftOut, writeThinkingBudget, abortSignal: supervisor.abortSignal },
    }
    try {
      const stream = request.stream ?? true
      await Promise.race([stream ? readStream(call) : readWholeReply(call), supervisor.failed])
      const result = answer.result({ isWhole: !stream })
      const known = wantedOf(request).filter((name) => leftOut.has(name) || isUnsupported(name, answer, request))
      const left = [...known, ...unsaid]
      const notes = [...answer.notes(), ...[options.describeEffort?.(request)].filter((note) => note !== undefined)]
      return {
        ...result,
        ...supervisor.times(stream),
        ...(sent && { sent: isOwn && extraBody ? mergeFields(sent, extraBody) : sent }),
        ...(left.length > 0 && { leftOut: left }),
        ...(notes.length > 0 && { notes }),
      }
    } finally {
      supervisor.stop()
    }
  }

  return {
    provider,
    ...(typeof modelOrFactory === 'function' && {
      async checkHost(modelId: string) {
        if (modelId.includes('#')) throw noRouter(provider, modelId)
      },
    }),
    async complete(partialRequest, completeOptions = {}) {
      const filled = fillRequest(partialRequest)
      const stream = filled.stream !== false && !unstreamed.has(filled.modelId)
      const request = { ...filled, stream }
      if (request.embed)
        throw new ClientError('refused', describeNoEmbeddings(provider), { retryable: false, unbilled: true })
      const leftOut = leftOutOf.get(request.modelId) ?? new Set<OptionalParameter>()
      leftOutOf.set(request.modelId, leftOut)
      // Other requests may add to what is left out while this one is sent.
      const leftOutNow = new Set([...leftOut, ...(options.listLacking?.(request) ?? [])])
      let hasBegun = false
      try {
        return await ask(request, leftOutNow, { ...completeOptions, onBegin: () => (hasBegun = true) })
      } catch (error) {
        const rejected = findRejected(error, request)
        const described = toSdkClientError(error, provider, redact)
        if (described instanceof ClientError) {
          described.duringStream = hasBegun
          const isUnstreamed = rejected === undefined && stream && !hasBegun && refusesToStream(error, described)
          if (isUnstreamed) unstreamed.add(request.modelId)
          described.adapted = isUnstreamed || (rejected !== undefined && !leftOutNow.has(rejected))
        }
        if (rejected !== undefined) leftOut.add(rejected)
        throw described
      }
    },
    async listModels(listOptions): Promise<ModelInfo[]> {
      if (options.listModels) return options.listModels(listOptions)
      if (typeof modelOrFactory !== 'function') return [{ id: modelOrFactory.modelId }]
      throw new ClientError('refused', `${provider} cannot list its models`)
    },
    ...(options.batches && { batches: options.batches }),
    close: async () => options.close?.(),
  }
}
