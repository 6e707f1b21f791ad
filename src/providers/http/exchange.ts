import type { Dispatcher, Pool } from 'undici'
import { ClientError, type CancelSignal } from '../../contract/index.ts'
import { toConnectionError } from './server-error.ts'
import { MAX_REPLY_BYTES, replyTooLarge } from './limited-fetch.ts'
import type { HeaderValues } from './retry-after.ts'

/** Returns true if it settled a request. Must not throw. */
type Callback = () => boolean

let waiting: Callback[] = []
let next = 0

/**
 * Settles at most one request per turn of the event loop: its answer is stored and the next request sent before the
 * sockets are read again.
 */
function runWaiting(): void {
  while (next < waiting.length) {
    const callback = waiting[next++]!
    if (!callback() || next === waiting.length) continue
    setImmediate(runWaiting)
    return
  }
  waiting = []
  next = 0
}

/**
 * Runs the callback once every socket that is readable now has been read and timed. Otherwise storing and scoring one
 * answer would count as the next server's time, and answers that arrive together would delay the next requests until
 * all of them were stored (docs/decisions/0005-simple-start.md has the figures).
 */
function afterPoll(callback: Callback): void {
  if (waiting.push(callback) === 1) setImmediate(runWaiting)
}

/** Receives a reply as it arrives. If it throws, the exchange ends and the socket is closed. */
export interface Receiver {
  start(status: number, headers: HeaderValues): void
  read(text: string): void
  /** True after the first token: from then on the idle timeout applies. */
  hasStarted(): boolean
  /** True once everything that matters has arrived: losing the connection then loses nothing. */
  hasFinished(): boolean
  /** True once the reply is complete: the end of the response is awaited only briefly. */
  isDone(): boolean
}

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  path: string
  headers: Record<string, string>
  body?: string
  /** From sending the request to the first token. */
  firstTokenTimeoutMs: number
  /** Between two chunks of data, after the first token. */
  idleTimeoutMs: number
  signal?: CancelSignal | undefined
  /** The provider's name, for messages. */
  provider: string
}

export interface ExchangeTimes {
  latencyMs: number
  firstTokenMs?: number
}

/** How long to wait for the end of the response after the end mark, so that the connection can usually be reused. */
const LINGER_MS = 100

/**
 * Sends one request and receives its reply. Times are taken in the socket's callbacks and all other work happens after
 * all readable sockets have been read, so that latency measures only the server.
 */
export function exchange(pool: Pool, request: HttpRequest, receiver: Receiver): Promise<ExchangeTimes> {
  const { signal, provider, firstTokenTimeoutMs, idleTimeoutMs } = request
  return new Promise((resolve, reject) => {
    const decoder = new TextDecoder()
    let arrived: { chunk: Buffer; at: number }[] = []
    let head: { status: number; headers: HeaderValues } | undefined
    let controller: Dispatcher.DispatchController | undefined
    let sentAt = 0
    let lastByteAt = 0
    let bytes = 0
    let firstTokenAt: number | undefined
    let hasReply = false
    let ended = false
    let lost: Error | undefined
    let settled = false
    let willDrain = false
    let timer: NodeJS.Timeout | undefined
    let linger: NodeJS.Timeout | undefined

    const cancel = (): void => fail(new ClientError('cancelled', 'The request was cancelled'))

    function settle(): boolean {
      if (settled) return false
      settled = true
      clearTimeout(timer)
      clearTimeout(linger)
      signal?.removeEventListener('abort', cancel)
      return true
    }

    function fail(error: unknown): void {
      if (!settle()) return
      reject(error)
      controller?.abort(new Error('closed'))
    }

    function succeed(): void {
      if (!settle()) return
      resolve({
        latencyMs: (lastByteAt || performance.now()) - sentAt,
        ...(firstTokenAt !== undefined && { firstTokenMs: firstTokenAt - sentAt }),
      })
      if (!ended) controller?.abort(new Error('closed'))
    }

    function readArrived(): void {
      if (head) receiver.start(head.status, head.headers)
      head = undefined
      const chunks = arrived
      arrived = []
      for (const { chunk, at } of chunks) {
        if (receiver.isDone()) return
        receiver.read(decoder.decode(chunk, { stream: true }))
        lastByteAt = at
        if (receiver.hasStarted()) firstTokenAt ??= at
      }
      if (ended && !receiver.isDone()) {
        const rest = decoder.decode()
        if (rest !== '') receiver.read(rest)
      }
    }

    function drain(): boolean {
      willDrain = false
      if (settled) return false
      try {
        readArrived()
      } catch (error) {
        fail(error)
        return true
      }
      if (ended || (lost && (receiver.hasFinished() || receiver.isDone()))) succeed()
      else if (receiver.isDone() && !lost) linger ??= setTimeout(succeed, LINGER_MS)
      else if (lost) fail(toConnectionError(lost, provider, hasReply ? 'replying' : sentAt > 0 ? 'sent' : 'connecting'))
      return settled
    }

    /** Everything that matters may have arrived before the reply became too large. */
    function stopReading(): void {
      if (drain()) return
      if (receiver.isDone()) succeed()
      else fail(replyTooLarge(provider))
    }

    function drainLater(): void {
      if (willDrain) return
      willDrain = true
      afterPoll(drain)
    }

    function startTimer(ms: number): void {
      timer = setTimeout(() => afterPoll(checkTime), ms)
    }

    /** Runs after the poll, so data that arrived while the event loop was busy has been read and counts. */
    function checkTime(): boolean {
      if (willDrain) drain()
      if (settled || linger) return settled
      const started = firstTokenAt !== undefined
      const limit = started ? idleTimeoutMs : firstTokenTimeoutMs
      const left = (started ? lastByteAt : sentAt) + limit - performance.now()
      // At most the idle timeout even before the first token, because it applies from that token on.
      if (left > 0) startTimer(Math.min(Math.ceil(left), idleTimeoutMs))
      else if (started) fail(new ClientError('timeout', `${provider} sent nothing more for ${limit / 1000} s`))
      else fail(new ClientError('timeout', `${provider} sent no answer within ${limit / 1000} s`))
      return settled
    }

    if (signal?.aborted) {
      cancel()
      return
    }
    signal?.addEventListener('abort', cancel, { once: true })

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started
        if (settled) started.abort(new Error('closed'))
      },
      onRequestSent() {
        sentAt = performance.now()
        startTimer(Math.min(firstTokenTimeoutMs, idleTimeoutMs))
      },
      onResponseStart(_controller, status, headers) {
        if (status < 200) return
        head = { status, headers }
        hasReply = true
        drainLater()
      },
      onResponseData(_controller, chunk) {
        if (settled) return
        bytes += chunk.length
        if (bytes > MAX_REPLY_BYTES) return stopReading()
        arrived.push({ chunk, at: performance.now() })
        drainLater()
      },
      onResponseEnd() {
        ended = true
        drainLater()
      },
      onResponseError(_controller, error) {
        lost = error
        drainLater()
      },
    }
    try {
      pool.dispatch(
        {
          method: request.method,
          path: request.path,
          headers: request.headers,
          body: request.body ?? null,
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        handler,
      )
    } catch (error) {
      fail(error)
    }
  })
}
