import type { Outcome, ToolCall } from './run.ts'
import type { Message, ModelParameters } from './suite.ts'

/** A function that a model may call, as OpenAI describes them. */
export interface ToolDefinition {
  name: string
  description?: string
  /** JSON Schema of the arguments. */
  parameters: Record<string, unknown>
}

/** One question to one model. */
export interface ModelRequest {
  /** As the provider knows it: `openai/gpt-4o`, `llama3`, `demo/good`. */
  modelId: string
  messages: Message[]
  /** Those actually to be sent: Benchmark Mode is already applied. What is left out is left to the provider. */
  parameters: Partial<Omit<ModelParameters, 'benchmarkMode'>>
  tools?: ToolDefinition[]
  /** The answer must be JSON that fits; ignored (and said so) where the model cannot. */
  responseSchema?: { name: string; schema: Record<string, unknown> }
  /** False asks for the whole answer at once: the fallback when a stream broke. Default true. */
  stream?: boolean
  /** How long until the first token, and how long between tokens; keep-alive comments count as life. */
  firstTokenTimeoutMs?: number
  idleTimeoutMs?: number
}

/** What came back, when something came back. */
export interface ModelAnswer {
  outcome: Extract<Outcome, 'ok' | 'empty' | 'refusal' | 'filtered' | 'truncated'>
  response: string
  reasoning?: string
  toolCalls?: ToolCall[]
  promptTokens?: number
  completionTokens?: number
  /** In US dollars, as the provider said; absent when it did not. */
  cost?: number
  /** From the request on the wire to its last byte. */
  latencyMs: number
  /** From the request on the wire to the first token of answer or reasoning. */
  firstTokenMs?: number
  /** The provider's own word for why it stopped. */
  finishReason?: string
  /** Parameters that this model does not take and that were left out. */
  leftOut?: string[]
}

export type ClientErrorKind =
  /** The server answered with an error status, or with an error inside a 200 or a stream. */
  | 'refused'
  /** No connection, or it was lost before the answer was complete. */
  | 'network'
  /** A stream that ended without its end mark, or that is not what the protocol says. */
  | 'broken'
  | 'timeout'
  | 'cancelled'

/** A request that brought no usable answer. */
export class ClientError extends Error {
  override name = 'ClientError'
  readonly kind: ClientErrorKind
  /** HTTP status, or the one given inside a 200 or a stream. */
  readonly status: number | undefined
  /** How long the server asked to wait. */
  readonly retryAfterMs: number | undefined
  /** Whether asking again may help; undefined: by kind and status. */
  readonly retryable: boolean | undefined
  /** The reply had begun to arrive as a stream: a server that breaks streams may yet give the whole answer at once. */
  duringStream = false

  constructor(
    kind: ClientErrorKind,
    message: string,
    details: { status?: number; retryAfterMs?: number; retryable?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause })
    this.kind = kind
    this.status = details.status
    this.retryAfterMs = details.retryAfterMs
    this.retryable = details.retryable
  }
}

export interface ModelInfo {
  id: string
  name?: string
  contextLength?: number
  /** US dollars for one token. */
  promptPrice?: number
  completionPrice?: number
  /** Parameters the model takes, where the provider says. */
  supportedParameters?: string[]
  /** Kinds of input beside text. */
  takesImages?: boolean
}

/** The part of an AbortSignal that is used: the pure rooms have no DOM types. */
export interface CancelSignal {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}

export interface CompleteOptions {
  signal?: CancelSignal
  /** Called as tokens arrive, with the new text only. */
  onText?: (text: string) => void
}

/** The door to models: one for each endpoint. Throws `ClientError`. Never retries: that is the engine's. */
export interface Client {
  /** Which limit on requests at once this client shares; the same name, the same limit. */
  readonly provider: string
  complete(request: ModelRequest, options?: CompleteOptions): Promise<ModelAnswer>
  listModels(options?: { signal?: CancelSignal }): Promise<ModelInfo[]>
  /** Closes connections. */
  close(): Promise<void>
}
