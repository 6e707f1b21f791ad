import { ClientError, type CancelSignal } from '../../contract/index.ts'
import { parseBaseUrl } from '../http/base-url.ts'
import type { ConnectGuard } from '../http/connect-guard.ts'
import { describeConnectionError } from '../http/connection-error.ts'
import { createGuardedFetch } from '../http/guarded-fetch.ts'
import { parseJson } from '../http/json-values.ts'
import { readErrorBody, toClientError } from '../http/server-error.ts'

const TIMEOUT_MS = 10 * 60_000

/** More than any line of a result needs. */
const MAX_LINE_LENGTH = 64 * 1024 * 1024

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

/** Requests for batches: few, large, and not timed. Redirects are not followed: the other server would get the key. */
export function createBatchHttp({ provider, baseUrl, headers, redact, guard }: BatchHttpOptions): BatchHttp {
  const url = parseBaseUrl(baseUrl)
  const fetchChecked = guard ? createGuardedFetch(guard) : fetch
  const addressOf = (path: string) => {
    const address = new URL(`${url.origin}${url.pathname.replace(/\/+$/, '')}${path}`)
    for (const [name, value] of url.searchParams) address.searchParams.append(name, value)
    return address
  }

  async function send(path: string, init: RequestInit, signal: CancelSignal | undefined): Promise<Response> {
    let reply: Response
    try {
      reply = await fetchChecked(addressOf(path), { ...init, redirect: 'manual', signal: limitTime(signal) })
    } catch (error) {
      if (signal?.aborted) throw new ClientError('cancelled', 'The request was cancelled')
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
      throw describeConnectionError(cause instanceof Error ? cause : new Error(String(cause)), provider, 'sent')
    }
    if (reply.ok) return reply
    const text = await reply.text().catch(() => '')
    throw toClientError(
      readErrorBody(reply.status, Object.fromEntries(reply.headers), text, Date.now()),
      provider,
      redact,
    )
  }

  async function readJson(reply: Response): Promise<unknown> {
    const text = await reply.text().catch(() => undefined)
    const json = text === undefined ? undefined : parseJson(text)
    if (json === undefined) throw new ClientError('broken', `${provider} did not return JSON for a batch`)
    return json
  }

  async function* readLines(path: string, signal: CancelSignal | undefined): AsyncGenerator<unknown> {
    const reply = await send(path, { headers }, signal)
    const decoder = new TextDecoder()
    let rest = ''
    try {
      for await (const chunk of reply.body ?? []) {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
        rest = lines.pop()!
        if (rest.length > MAX_LINE_LENGTH) throw new ClientError('broken', `${provider} sent a line without an end`)
        for (const line of lines) yield parseJson(line)
      }
    } catch (error) {
      if (error instanceof ClientError) throw error
      throw new ClientError('broken', `${provider} broke off while sending the results of a batch`, { cause: error })
    }
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
