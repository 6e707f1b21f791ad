import type { ProviderLimits } from '../processes/provider-limits.ts'
import type { Outcome, ToolCall, TokenDetails } from '../runs/run.ts'
import type { ModelParameters } from '../runs/model-parameters.ts'
import type { Message } from '../suites/suite.ts'

/** A function that a model may call, in OpenAI's format. */
export interface ToolDefinition {
  name: string
  description?: string
  /** JSON Schema of the arguments. */
  parameters: Record<string, unknown>
}

/** A message of a request: of a suite, or what a model and its tools have said to each other. */
export interface RequestMessage extends Omit<Message, 'role'> {
  role: Message['role'] | 'tool'
  /** Of an assistant: the calls it made in this message. */
  toolCalls?: ToolCall[]
  /** Of an assistant: what its vendor wants back unchanged, from `ModelAnswer.opaque`. */
  opaque?: unknown
  /** Of a tool: the call that it answers, and its tool. */
  toolCallId?: string
  name?: string
  /** Of a tool: the call failed. */
  isError?: boolean
}

/** A request to a model. */
export interface ModelRequest {
  /** The provider's name for the model: `openai/gpt-4o`, `llama3`, `demo/good`. */
  modelId: string
  messages: RequestMessage[]
  /** The parameters to send, with Benchmark Mode already applied. The provider chooses those that are absent. */
  parameters: Partial<Omit<ModelParameters, 'benchmarkMode'>>
  tools?: ToolDefinition[]
  /** Requests the embeddings of these texts instead of an answer; there are then no messages. */
  embed?: readonly string[]
  /** The answer must be JSON that matches; ignored, and listed in `leftOut`, if the model does not support it. */
  responseSchema?: { name: string; schema: Record<string, unknown> }
  /** The host that must answer, of the several that a router has; refused by an endpoint that is no router. */
  host?: string
  /** A word in the messages that is drawn anew each time: requests that differ only in it are the same request. */
  mark?: string
  /** Default true. False requests the whole answer at once: the fallback after a stream that broke or was refused. */
  stream?: boolean
  /** Time until the first token, and between tokens; keep-alive comments restart the clock. */
  firstTokenTimeoutMs?: number
  idleTimeoutMs?: number
}

/** What the model returned. */
export interface ModelAnswer {
  outcome: Extract<Outcome, 'ok' | 'empty' | 'refusal' | 'filtered' | 'truncated' | 'limit'>
  response: string
  reasoning?: string
  toolCalls?: ToolCall[]
  /** What the vendor wants back unchanged with this message in the next request: signatures, encrypted reasoning. */
  opaque?: unknown
  /** One for each text of `embed`, in the same order. */
  embeddings?: number[][]
  promptTokens?: number
  completionTokens?: number
  tokenDetails?: TokenDetails
  /** When the model gave this answer, if it was served from the answer cache: milliseconds since 1970. */
  cachedAt?: number
  /** US dollars as reported by the provider; absent if it reports none. */
  cost?: number
  /** What was left out of the reply, and why. */
  notes?: string[]
  /** From sending the request to the last byte of the reply; `UNKNOWN_LATENCY` for an answer from elsewhere. */
  latencyMs: number
  /** From sending the request to the first token of the answer or its reasoning. */
  firstTokenMs?: number
  /** Why the model stopped, in the provider's words. */
  finishReason?: string
  /** The model that answered, in the provider's words, if it says so: a dated version, or where a router sent it. */
  servedModel?: string
  /** The host that answered, if a router says which. */
  servedBy?: string
  /** Parameters that were not sent because the model does not support them. */
  leftOut?: string[]
  /** The parameters as they were sent, by their names on the wire. */
  sent?: Record<string, unknown>
}

export type ClientErrorKind =
  /** The server answered with an error status, or with an error inside a 200 or a stream. */
  | 'refused'
  /** No connection, or it was lost before the answer was complete. */
  | 'network'
  /** A stream that ended without its end marker, or violated the protocol. */
  | 'broken'
  | 'timeout'
  | 'cancelled'

/** Longer messages are cut: some libraries put the whole reply into theirs. */
const MAX_MESSAGE_LENGTH = 2000

/** A request that returned no usable answer. */
export class ClientError extends Error {
  override name = 'ClientError'
  readonly kind: ClientErrorKind
  /** The HTTP status, or the status inside a 200 or a stream. */
  readonly status: number | undefined
  /** How long the server asked to wait. */
  readonly retryAfterMs: number | undefined
  /** True if a retry may help; if undefined, kind and status decide. */
  readonly retryable: boolean | undefined
  /** True if the request certainly cost nothing; if undefined, kind and status decide. */
  readonly unbilled: boolean | undefined
  /** The stream had already started: a server that breaks streams may still send the whole answer at once. */
  duringStream = false
  /** The server rejected a parameter or streaming, which the client leaves out from now on: a retry at once may succeed. */
  adapted = false
  /** What answers is no server of this interface: it sent a web page, plain text, or JSON that is broken or another's. */
  wrongProtocol = false
  /** Nothing listens at the address, or not yet: the connection was refused. */
  nobodyListens = false

  constructor(
    kind: ClientErrorKind,
    message: string,
    details: { status?: number; retryAfterMs?: number; retryable?: boolean; unbilled?: boolean; cause?: unknown } = {},
  ) {
    super(message.length > MAX_MESSAGE_LENGTH ? `${message.slice(0, MAX_MESSAGE_LENGTH)}…` : message, {
      cause: details.cause,
    })
    this.kind = kind
    this.status = details.status
    this.retryAfterMs = details.retryAfterMs
    this.retryable = details.retryable
    this.unbilled = details.unbilled
  }
}

export interface ModelInfo {
  id: string
  name?: string
  contextLength?: number
  /** US dollars per token. */
  promptPrice?: number
  completionPrice?: number
  cachedPromptPrice?: number
  cacheWritePrice?: number
  reasoningPrice?: number
  /** Parameters the model supports, if the provider lists them. */
  supportedParameters?: string[]
  /** True if the model accepts images. */
  takesImages?: boolean
  /** True if the model returns embeddings and no answers. */
  isEmbedding?: boolean
}

/** What a model is needed for. */
export type ModelUse = 'answers' | 'embeddings'

/** US dollars per token. */
export interface TokenPrice {
  prompt: number
  completion: number
  /** Of prompt tokens read from the vendor's cache; default: the price of any prompt token. */
  cachedPrompt?: number | undefined
  /** Of prompt tokens written to the vendor's cache for five minutes; default: 1.25 × the prompt price. */
  cacheWrite?: number | undefined
  /** Of completion tokens spent thinking; default: the price of any completion token. */
  reasoning?: number | undefined
  /** For requests with more prompt tokens than `above`, instead of those before; lowest first. */
  tiers?: readonly (Omit<TokenPrice, 'tiers' | 'from'> & { above: number })[] | undefined
  /** The table that it comes from, with its date; absent if the user set it or the endpoint lists it. */
  from?: string | undefined
}

/** The limits of a provider or saved endpoint. */
export interface NamedLimits extends ProviderLimits {
  name: string
}

/** The part of AbortSignal that is needed here: the pure rooms have no DOM types. */
export interface CancelSignal {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** The reply to one request, as it came. */
export interface RawReply {
  status: number
  body: string
}

/** One request of a batch: a JSON body under a name of ours. */
export interface BatchEntry {
  /** Letters, digits, `-` and `_`, at most 64. */
  id: string
  body: string
}

/** What the provider says about a batch. */
export interface BatchState {
  /** In the provider's words. */
  status: string
  isEnded: boolean
  done: number
  total: number
  /** Requests without a reply must not be sent again: the batch is invalid, or someone has cancelled it. */
  isFinal?: boolean
  /** It ended as planned, so that every request should have a result. */
  isComplete?: boolean
  /** Nothing was processed, because too much is waiting at the provider. */
  isQueueFull?: boolean
}

interface BatchCallOptions {
  signal?: CancelSignal | undefined
}

/** A provider's interface for requests that may take hours and cost half. All methods throw `ClientError`. */
export interface Batches {
  /** The most requests in one batch. */
  readonly maxEntries: number
  /** Hands a batch in and returns the provider's id for it. */
  submit(entries: readonly BatchEntry[], name: string, options?: BatchCallOptions): Promise<string>
  /** The ids of batches that were submitted under this name, or may have been: the reply to a submission can get lost. */
  find(lost: { name: string; entries: number; since: number }, options?: BatchCallOptions): Promise<string[]>
  look(id: string, options?: BatchCallOptions): Promise<BatchState>
  /** The results of a batch that has ended: without a reply if the provider says that it did not process the request. */
  collect(id: string, options?: BatchCallOptions): AsyncIterable<{ id: string; reply: RawReply | undefined }>
}

export interface CompleteOptions {
  signal?: CancelSignal
  /** What the request is for: the same again when it is asked again after a restart. */
  key?: string
  /** Used instead of a connection: takes the JSON of the request and returns the reply. */
  post?: (body: string) => Promise<RawReply>
  /** Called as tokens arrive, with the new text only. */
  onText?: (text: string) => void
}

/** Sends requests to one endpoint. Throws `ClientError`. Never retries: the engine does that. */
export interface Client {
  /** Clients with the same provider share one limit on concurrent requests. */
  readonly provider: string
  /** Of the server, without secrets. The answer cache keeps servers apart by it: a name may move to another server. */
  readonly address?: string
  complete(request: ModelRequest, options?: CompleteOptions): Promise<ModelAnswer>
  listModels(options?: { signal?: CancelSignal }): Promise<ModelInfo[]>
  /** The vendor behind it, whose prices a table may know. */
  readonly vendor?: string
  /** What the user pays for all of its models, whatever it lists. */
  readonly price?: TokenPrice
  /** What the user allows to be sent to it. Clients with the same name share these limits. */
  readonly limits?: NamedLimits
  /** Throws `InputError` if it has no such model for this use. Absent if only a request can tell. */
  checkModel?(modelId: string, use?: ModelUse): void
  /** Throws `InputError` if `model#host` names a host and this is no router that could choose one. Absent if nobody can tell. */
  checkHost?(modelId: string): Promise<void>
  /** True if it will answer from a cache, without a request. Absent if it has none. */
  isStored?(request: ModelRequest): Promise<boolean>
  /** Absent if the provider has no batches. */
  readonly batches?: Batches
  /** Closes connections. */
  close(): Promise<void>
}

/** Stored for answers that were given elsewhere and not timed; read back, they have no latency. */
export const UNKNOWN_LATENCY = -1
