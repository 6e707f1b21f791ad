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
} from '../../contract/index.ts'
import { createSdkAnswer, type SdkAnswer } from './answer.ts'
import { toSdkClientError, readSdkError } from './error.ts'
import { writePlainCall, writeTaggedCall, type CallSettings } from './prompt.ts'
import { OPTIONAL_PARAMETERS, WIRE_NAMES, type OptionalParameter } from '../openai/parameter-names.ts'
import { createRedactor } from '../http/redact.ts'
import { fillRequest } from '../request-defaults.ts'
import { describeNoEmbeddings } from '../no-embeddings.ts'
import { findUnsupported, isStreamingRejected } from '../openai/unsupported-parameters.ts'
import { superviseCall, type CallSupervisor } from './supervise-call.ts'

/** Any language model for the AI SDK, in the versions of its specification that are in use. */
export type SdkLanguageModel = LanguageModelV2 | LanguageModelV3 | LanguageModelV4

export interface AISDKOptions {
  provider: string
  /** One model for every model id, or a function that returns the model for an id; with `post`, one that uses it. */
  model:
    | SdkLanguageModel
    | ((modelId: string, post: CompleteOptions['post']) => SdkLanguageModel | Promise<SdkLanguageModel>)
  batches?: Batches
  listModels?: Client['listModels']
  close?: Client['close']
  /** Values that must not appear in messages. */
  secrets?: string[]
}

const FIRST_TOKEN_TIMEOUT_MS = defaultTimeoutSeconds * 1000
const IDLE_TIMEOUT_MS = 30_000

async function openStream(
  model: SdkLanguageModel,
  request: ModelRequest,
  settings: CallSettings,
): Promise<ReadableStream<unknown>> {
  switch (model.specificationVersion) {
    case 'v2':
      return (await model.doStream(writePlainCall(request, settings))).stream
    case 'v3':
      return (await model.doStream(writePlainCall(request, settings))).stream
    case 'v4':
      return (await model.doStream(writeTaggedCall(request, settings))).stream
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
}

async function readStream({ model, request, settings, answer, supervisor, onText, onBegin }: Call): Promise<void> {
  const reader = (await openStream(model, request, settings)).getReader()
  onBegin()
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

async function readWhole({ model, request, settings, answer }: Call): Promise<void> {
  const { content, warnings, finishReason, usage, response } = await generate(model, request, settings)
  answer.add({ type: 'stream-start', warnings })
  answer.add({ type: 'raw', rawValue: response?.body })
  for (const part of content) answer.add(part)
  answer.add({ type: 'finish', finishReason, usage })
}

/** Our name for a field that the vendor rejected under its own or the SDK's name. */
function findRejected(error: unknown, request: ModelRequest): OptionalParameter | undefined {
  const serverError = readSdkError(error)
  const wanted = OPTIONAL_PARAMETERS.filter(
    (name) => (name === 'responseSchema' ? request.responseSchema : request.parameters[name]) !== undefined,
  )
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
  const { provider, model: modelOrFactory } = options
  const redact = createRedactor(options.secrets ?? [])
  const leftOutOf = new Map<string, Set<OptionalParameter>>()
  const unstreamed = new Set<string>()

  async function ask(
    request: ModelRequest,
    leftOut: Set<OptionalParameter>,
    { signal, onText, onBegin, post }: CompleteOptions & Pick<Call, 'onBegin'>,
  ): Promise<ModelAnswer> {
    const model = typeof modelOrFactory === 'function' ? await modelOrFactory(request.modelId, post) : modelOrFactory
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
      settings: { leftOut, abortSignal: supervisor.abortSignal },
    }
    try {
      const stream = request.stream ?? true
      await Promise.race([stream ? readStream(call) : readWhole(call), supervisor.failed])
      const left = OPTIONAL_PARAMETERS.filter((name) => leftOut.has(name) || answer.leftOut().includes(name))
      return {
        ...answer.result({ isWhole: !stream }),
        ...supervisor.times(stream),
        ...(left.length > 0 && { leftOut: left }),
      }
    } finally {
      supervisor.stop()
    }
  }

  return {
    provider,
    async complete(partialRequest, completeOptions = {}) {
      const filled = fillRequest(partialRequest)
      const stream = filled.stream !== false && !unstreamed.has(filled.modelId)
      const request = { ...filled, stream }
      if (request.embed)
        throw new ClientError('refused', describeNoEmbeddings(provider), { retryable: false, unbilled: true })
      const leftOut = leftOutOf.get(request.modelId) ?? new Set<OptionalParameter>()
      leftOutOf.set(request.modelId, leftOut)
      // Other requests may add to what is left out while this one is sent.
      const leftOutNow = new Set(leftOut)
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
