import { ClientError, type CancelSignal } from '../../contract/index.ts'

/** Adds time limits, cancellation and timing to a call made by third-party code. */
export interface CallSupervisor {
  /** Aborts on a timeout or when the caller cancels. */
  readonly abortSignal: AbortSignal
  /** Rejects at that moment; never resolves. */
  readonly failed: Promise<never>
  /** Call this when data arrives; `started` is true from the first token on. */
  noteActivity(started: boolean): void
  times(streamed: boolean): { latencyMs: number; firstTokenMs?: number }
  stop(): void
}

export interface SuperviseOptions {
  provider: string
  signal?: CancelSignal | undefined
  firstTokenTimeoutMs: number
  idleTimeoutMs: number
}

export function superviseCall(options: SuperviseOptions): CallSupervisor {
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
