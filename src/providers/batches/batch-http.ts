import { ClientError, type CancelSignal } from '../../contract/index.ts'
import { loginHeaders, parseBaseUrl } from '../http/endpoint.ts'
import type { ConnectGuard } from '../http/connect-guard.ts'
import { toConnectionError, readErrorBody, toClientError } from '../http/server-error.ts'
import { parseJson } from '../http/json-values.ts'
import { MAX_ERROR_BODY_LENGTH, MAX_REPLY_BYTES, replyTooLarge } from '../http/limited-fetch.ts'
import { Agent, fetch as undiciFetch } from 'undici'

/** `fetch` that connects only to addresses that the guard allows. Redirects must not be followed by the caller. */
function createGuardedFetch(guard: ConnectGuard): (address: URL, init: RequestInit) => Promise<Response> {
  const dispatcher = new Agent({ connect: { lookup: guard.lookup } })
  return async (address, { body, headers, method = 'GET', signal }) => {
    guard.checkWritten(address)
    // Written out first: undici has a class for forms of its own, and does not know the one of Node.
    const written = new Response(body ?? null)
    const type = written.headers.get('content-type')
    const bytes = body ? new Uint8Array(await written.arrayBuffer()) : undefined
    const all = new Headers(headers)
    if (type !== null && !all.has('content-type')) all.set('content-type', type)
    const reply: unknown = await undiciFetch(address, {
      method,
      redirect: 'manual',
      dispatcher,
      headers: [...all],
      ...(bytes && { body: bytes }),
      ...(signal && { signal }),
    })
    return reply as Response
  }
}

/** The most requests in one batch, from the documentation of OpenAI's Batch API and Anthropic's Message Batches API. */
export const MAX_OPENAI_ENTRIES = 50_000
export const MAX_ANTHROPIC_ENTRIES = 100_000

const TIMEOUT_MS = 10 * 60_000

/** What a server without batches says to one. */
const NOT_FOUND = new Set([404, 405, 501])
const NO_BATCHES = 'This endpoint has no batches: run without them.'

export interface BatchHttp {
  get(path: string, signal?: CancelSignal): Promise<unknown>
  post(path: string, body: object | FormData, signal?: CancelSignal): Promise<unknown>
  /** Loads a file of JSON lines, however long. Lines that are not JSON are left out. */
  readLines(path: string, signal?: CancelSignal): AsyncGenerator<unknown>
}

interface BatchHttpOptions {
  provider: string
  baseUrl: string
  headers: Record<string, string>
  redact(text: string): string
  /** Refuses internal addresses. */
  guard?: ConnectGuard | undefined
}

/** Ends with the caller's signal, and in any case after some minutes. */
function limitTime(signal: CancelSignal | undefined): AbortSignal {
  const controller = new AbortController()
  const stop = () => controller.abort(new ClientError('cancelled', 'The request was cancelled'))
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop, { once: true })
  return AbortSignal.any([controller.signal, AbortSignal.timeout(TIMEOUT_MS)])
}

/** The text of a reply, decompressed, as it arrives. Whoever stops reading ends the reply. */
async function* readTexts(reply: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const chunk of reply.body ?? []) yield decoder.decode(chunk, { stream: true })
}

async function readErrorText(reply: Response): Promise<string> {
  let text = ''
  for await (const piece of readTexts(reply)) {
    text += piece
    if (text.length > MAX_ERROR_BODY_LENGTH) break
  }
  return text
}

/** Requests for batches: few, large, and not timed. Redirects are not followed: the other server would get the key. */
export function createBatchHttp(options: BatchHttpOptions): BatchHttp {
  const { provider, baseUrl, redact, guard } = options
  const url = parseBaseUrl(baseUrl)
  const headers = { ...loginHeaders(url), ...options.headers }
  const fetchChecked = guard ? createGuardedFetch(guard) : fetch
  const addressOf = (path: string) => {
    const address = new URL(`${url.origin}${url.pathname.replace(/\/+$/, '')}${path}`)
    for (const [name, value] of url.searchParams) address.searchParams.append(name, value)
    return address
  }

  function brokeOff(what: string, cause: unknown): ClientError {
    return new ClientError('broken', `${provider} broke off while sending ${what}`, { cause })
  }

  async function send(path: string, init: RequestInit, signal: CancelSignal | undefined): Promise<Response> {
    let reply: Response
    try {
      reply = await fetchChecked(addressOf(path), { ...init, redirect: 'manual', signal: limitTime(signal) })
    } catch (error) {
      if (signal?.aborted) throw new ClientError('cancelled', 'The request was cancelled')
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
      throw toConnectionError(cause instanceof Error ? cause : new Error(String(cause)), provider, 'sent')
    }
    if (reply.ok) return reply
    const text = await readErrorText(reply).catch(() => '')
    throw toClientError(
      readErrorBody(reply.status, Object.fromEntries(reply.headers), text, Date.now()),
      provider,
      redact,
      // Only a submission is posted.
      { ...(init.method === 'POST' && NOT_FOUND.has(reply.status) && { advice: NO_BATCHES }) },
    )
  }

  async function readJson(reply: Response): Promise<unknown> {
    let text = ''
    try {
      for await (const piece of readTexts(reply)) {
        text += piece
        if (text.length > MAX_REPLY_BYTES) throw replyTooLarge(provider)
      }
    } catch (error) {
      throw error instanceof ClientError ? error : brokeOff('its reply about a batch', error)
    }
    const json = parseJson(text)
    if (json === undefined) throw new ClientError('broken', `${provider} did not return JSON for a batch`)
    return json
  }

  async function* readLines(path: string, signal: CancelSignal | undefined): AsyncGenerator<unknown> {
    const reply = await send(path, { headers }, signal)
    // A line comes in many pieces, which are joined once it is complete.
    let pieces: string[] = []
    let length = 0
    try {
      for await (const text of readTexts(reply)) {
        for (const [index, piece] of text.split('\n').entries()) {
          if (index > 0) {
            yield parseJson(pieces.join(''))
            pieces = []
            length = 0
          }
          pieces.push(piece)
          length += piece.length
          if (length > MAX_REPLY_BYTES) throw replyTooLarge(provider)
        }
      }
    } catch (error) {
      throw error instanceof ClientError ? error : brokeOff('the results of a batch', error)
    }
    const rest = pieces.join('')
    if (rest.trim() !== '') yield parseJson(rest)
  }

  return {
    get: async (path, signal) => readJson(await send(path, { headers }, signal)),
    post: async (path, body, signal) =>
      readJson(
        await send(
          path,
          body instanceof FormData
            ? { method: 'POST', headers, body }
            : {
                method: 'POST',
                headers: { ...headers, 'content-type': 'application/json' },
                body: JSON.stringify(body),
              },
          signal,
        ),
      ),
    readLines,
  }
}
