import type { LanguageModelV2, LanguageModelV3, LanguageModelV4 } from '@ai-sdk/provider'
import {
  ClientError,
  type Client,
  type CompleteOptions,
  type ModelAnswer,
  type ModelInfo,
  type ModelRequest,
} from '../../contract/index.ts'
import { createSdkAnswer, type SdkAnswer } from './answer.ts'
import { describeSdkError, readSdkError } from './error.ts'
import { writePlainCall, writeTaggedCall, type CallSettings } from './prompt.ts'
import { LEAVABLE_NAMES, WIRE_NAMES, type LeavableName } from '../openai/parameter-names.ts'
import { createRedactor } from '../http/redact.ts'
import { fillRequest } from '../request-defaults.ts'
import { findUnsupported } from '../openai/unsupported-parameters.ts'
import { createWatch, type Watch } from './supervise-call.ts'

/** Any language model made for the AI SDK, by the versions of its specification that are about. */
export type SdkLanguageModel = LanguageModelV2 | LanguageModelV3 | LanguageModelV4

export interface AISDKOptions {
  provider: string
  /** One model, whatever the request's model id; or how to get the one of that id. */
  model: SdkLanguageModel | ((modelId: string) => SdkLanguageModel | Promise<SdkLanguageModel>)
  listModels?: Client['listModels']
  close?: Client['close']
  /** What must not be told in messages. */
  secrets?: string[]
}

const FIRST_TOKEN_TIMEOUT_MS = 120_000
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
): Promise<{ content: unknown[]; warnings: unknown; finishReason: unknown; usage: unknown }> {
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
  watch: Watch
  onText: CompleteOptions['onText']
  onBegun: () => void
}

async function readStream({ model, request, settings, answer, watch, onText, onBegun }: Call): Promise<void> {
  const reader = (await openStream(model, request, settings)).getReader()
  onBegun()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done || settings.abortSignal.aborted) return
      const text = answer.add(value)
      watch.sawLife(answer.hasStarted())
      if (text !== '') onText?.(text)
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

async function readWhole({ model, request, settings, answer }: Call): Promise<void> {
  const { content, warnings, finishReason, usage } = await generate(model, request, settings)
  answer.add({ type: 'stream-start', warnings })
  for (const part of content) answer.add(part)
  answer.add({ type: 'finish', finishReason, usage })
}

/** Our name for a field that the vendor turned down by its own or by the SDK's name. */
function findTurnedDown(error: unknown, request: ModelRequest): LeavableName | undefined {
  const answered = readSdkError(error)
  const wanted = LEAVABLE_NAMES.filter(
    (name) => (name === 'responseSchema' ? request.responseSchema : request.parameters[name]) !== undefined,
  )
  const field = answered && findUnsupported(answered, [...wanted, ...wanted.map((name) => WIRE_NAMES[name])])
  return wanted.find((name) => name === field || WIRE_NAMES[name] === field)
}

/**
 * A client over any AI SDK language model. Times are taken around the SDK, whose own work therefore counts as the
 * server's. The SDK's retries live above the model and are not used.
 */
export function createAISDKClient(options: AISDKOptions): Client {
  const { provider, model: given } = options
  const redact = createRedactor(options.secrets ?? [])
  const leftOutOf = new Map<string, Set<LeavableName>>()

  async function ask(
    request: ModelRequest,
    leftOut: Set<LeavableName>,
    { signal, onText, onBegun }: CompleteOptions & Pick<Call, 'onBegun'>,
  ): Promise<ModelAnswer> {
    const model = typeof given === 'function' ? await given(request.modelId) : given
    const answer = createSdkAnswer(provider)
    const watch = createWatch({
      provider,
      signal,
      firstTokenTimeoutMs: request.firstTokenTimeoutMs ?? FIRST_TOKEN_TIMEOUT_MS,
      idleTimeoutMs: request.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
    })
    const call: Call = {
      model,
      request,
      answer,
      watch,
      onText,
      onBegun,
      settings: { leftOut, abortSignal: watch.abortSignal },
    }
    try {
      const stream = request.stream ?? true
      await Promise.race([stream ? readStream(call) : readWhole(call), watch.failed])
      const left = LEAVABLE_NAMES.filter((name) => leftOut.has(name) || answer.leftOut().includes(name))
      return { ...answer.result(), ...watch.times(stream), ...(left.length > 0 && { leftOut: left }) }
    } finally {
      watch.stop()
    }
  }

  return {
    provider,
    async complete(asked, completeOptions = {}) {
      const request = fillRequest(asked)
      const leftOut = leftOutOf.get(request.modelId) ?? new Set<LeavableName>()
      leftOutOf.set(request.modelId, leftOut)
      for (;;) {
        const already = new Set(leftOut)
        let hasBegun = false
        try {
          return await ask(request, already, { ...completeOptions, onBegun: () => (hasBegun = true) })
        } catch (error) {
          const turnedDown = findTurnedDown(error, request)
          if (turnedDown === undefined || already.has(turnedDown)) {
            const described = describeSdkError(error, provider, redact)
            if (described instanceof ClientError) described.duringStream = hasBegun
            throw described
          }
          leftOut.add(turnedDown)
        }
      }
    },
    async listModels(listOptions): Promise<ModelInfo[]> {
      if (options.listModels) return options.listModels(listOptions)
      if (typeof given !== 'function') return [{ id: given.modelId }]
      throw new ClientError('refused', `${provider} has no list of models`)
    },
    close: async () => options.close?.(),
  }
}
