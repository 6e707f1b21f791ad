import { ClientError, type CancelSignal } from '../../contract/index.ts'

/** Watches over a call that is made by somebody else's code: time limits, cancelling, times. */
export interface Watch {
  /** Aborts when time runs out or the caller cancels. */
  readonly abortSignal: AbortSignal
  /** Rejects then; never resolves. */
  readonly failed: Promise<never>
  /** Something came; `started` once it was, or had been, a token. */
  sawLife(started: boolean): void
  times(streamed: boolean): { latencyMs: number; firstTokenMs?: number }
  stop(): void
}

export interface WatchOptions {
  provider: string
  signal?: CancelSignal | undefined
  firstTokenTimeoutMs: number
  idleTimeoutMs: number
}

export function createWatch({ provider, signal, firstTokenTimeoutMs, idleTimeoutMs }: WatchOptions): Watch {
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
  const limit = (ms: number, words: string): NodeJS.Timeout =>
    setTimeout(() => fail(new ClientError('timeout', `${provider} ${words} ${ms / 1000} s`)), ms)

  let timer = limit(firstTokenTimeoutMs, 'sent no answer within')
  if (signal?.aborted) cancel()
  signal?.addEventListener('abort', cancel, { once: true })

  return {
    abortSignal: abort.signal,
    failed,
    sawLife(started) {
      if (!started) return
      if (firstTokenAt === undefined) {
        firstTokenAt = performance.now()
        clearTimeout(timer)
        timer = limit(idleTimeoutMs, 'sent nothing more for')
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
