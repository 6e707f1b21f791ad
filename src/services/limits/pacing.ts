import type {
  CancelSignal,
  Client,
  ClientError,
  LimitBook,
  ModelAnswer,
  ModelRequest,
  ProviderLimits,
} from '../../contract/index.ts'
import type { Clock } from '../asking/clock.ts'
import { createLimiter, type Limiter } from '../asking/limiter.ts'
import { MAX_RETRY_AFTER_MS } from '../asking/retry.ts'
import { createLane, type Lane, type Pass } from './lane.ts'
import { createLocalBook } from './local-book.ts'
import { createSharedLimiter, type SharedLimiter } from './shared-limiter.ts'
import { createTokenForecast } from './token-forecast.ts'

/** What a run allows itself at each provider. */
interface RunPace {
  /** The run, or its series. */
  id: string
  limits: ProviderLimits
}

/** A request that may be sent now. */
export interface Admission {
  /** Call one of these when the request has ended. */
  onAnswered(answer: ModelAnswer): void
  onFailed(failure: ClientError): void
  /** It was not sent. */
  onUnsent(): void
}

/** What stands between a run and a provider: the limits of the run, and those of the provider. */
export interface Gate {
  /** Waits until there are few enough requests in progress; call the returned function when the request has ended. */
  acquire(signal?: CancelSignal): Promise<() => void>
  /** Waits until the limits per minute allow the request. */
  enter(request: ModelRequest, signal?: CancelSignal): Promise<Admission>
}

/** The limits of all providers. One for the whole process: what two runs send to a provider counts together. */
export interface Pacing {
  /** True if other processes share these limits: budgets are then shared too. */
  readonly isShared: boolean
  gateOf(client: Client, run?: RunPace): Gate
  /** The run has ended here. */
  endRun(id: string): Promise<void>
  close(): Promise<void>
}

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000

interface Line {
  lane: Lane
  limiter: (Limiter & Partial<SharedLimiter>) | undefined
  refusals: number
  limits: ProviderLimits
}

const unpaced: Admission = { onAnswered: () => {}, onFailed: () => {}, onUnsent: () => {} }

/** A gate that limits only the requests in progress. */
export function openGate(limiter: Limiter): Gate {
  return { acquire: (signal) => limiter.acquire(signal), enter: async () => unpaced }
}

/** The gate, with another limit on the requests in progress. */
export function limitGate(gate: Gate, limiter: Limiter): Gate {
  return {
    async acquire(signal) {
      const releaseOwn = await limiter.acquire(signal)
      try {
        const release = await gate.acquire(signal)
        return () => {
          release()
          releaseOwn()
        }
      } catch (error) {
        releaseOwn()
        throw error
      }
    },
    async enter(request, signal) {
      const admission = await gate.enter(request, signal)
      return {
        ...admission,
        onAnswered(answer) {
          admission.onAnswered(answer)
          limiter.onAnswered()
        },
        onFailed(failure) {
          admission.onFailed(failure)
          if (failure.status === 429) limiter.onRateLimited()
        },
      }
    },
  }
}

const openPass: Pass = { settle: () => {} }

export function createPacing({ clock, book = createLocalBook(clock) }: { clock: Clock; book?: LimitBook }): Pacing {
  const lines = new Map<string, Line>()
  const forecast = createTokenForecast()

  function lineOf(key: string, limits: ProviderLimits): Line {
    const known = lines.get(key)
    if (known && isSame(known.limits, limits)) return known
    // Changed in the settings: what waits in the old line still goes out at the old rate.
    if (known) void closeLine(known)
    const { concurrency } = limits
    const line: Line = {
      lane: createLane({ key, limits, book, clock }),
      limiter:
        concurrency === undefined
          ? undefined
          : book.isShared
            ? createSharedLimiter(key, concurrency, book)
            : createLimiter(concurrency),
      refusals: 0,
      limits,
    }
    lines.set(key, line)
    return line
  }

  function onRefused(line: Line, { retryAfterMs }: ClientError): void {
    line.refusals++
    line.limiter?.onRateLimited()
    const backOffMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (line.refusals - 1))
    const pauseMs = retryAfterMs ?? backOffMs
    // A server that asks for hours refuses this account; requests fail and say so, instead of waiting.
    if (pauseMs > 0 && pauseMs <= MAX_RETRY_AFTER_MS) line.lane.postpone(pauseMs)
  }

  return {
    isShared: book.isShared,
    gateOf(client, run) {
      const { name = client.provider, ...limits } = client.limits ?? {}
      // Looked up each time: settings may change during a run.
      const provider = () => lineOf(`provider ${name}`, limits)
      const own = () => (run ? lineOf(`${runKey(run.id)}${name}`, run.limits) : undefined)
      return {
        async acquire(signal) {
          const releaseOwn = await own()?.limiter?.acquire(signal)
          try {
            const release = await provider().limiter?.acquire(signal)
            return () => {
              release?.()
              releaseOwn?.()
            }
          } catch (error) {
            releaseOwn?.()
            throw error
          }
        },
        async enter(request, signal) {
          const tokens = forecast.expect(request)
          const ownLine = own()
          const ownPass = ownLine && isPaced(ownLine.limits) ? await ownLine.lane.enter(tokens, signal) : openPass
          const line = provider()
          let pass: Pass
          try {
            pass = await line.lane.enter(tokens, signal)
          } catch (error) {
            ownPass.settle(0)
            throw error
          }
          const settle = (used: number | undefined) => {
            pass.settle(used)
            ownPass.settle(used)
          }
          return {
            onAnswered(answer) {
              settle(forecast.learn(request, answer))
              for (const answered of [line, ownLine]) {
                if (!answered) continue
                answered.refusals = 0
                answered.limiter?.onAnswered()
              }
            },
            onFailed(failure) {
              const isRefused = failure.status === 429
              settle(isRefused ? 0 : undefined)
              if (!isRefused) return
              onRefused(line, failure)
              ownLine?.limiter?.onRateLimited()
            },
            onUnsent: () => settle(0),
          }
        },
      }
    },
    async endRun(id) {
      const ended = [...lines].filter(([key]) => key.startsWith(runKey(id)))
      for (const [key] of ended) lines.delete(key)
      await Promise.all(ended.map(([, line]) => closeLine(line)))
    },
    async close() {
      await Promise.all([...lines.values()].map(closeLine))
      lines.clear()
      await book.close()
    },
  }
}

const runKey = (id: string) => `run ${id} at `

function isPaced({ requestsPerMinute, tokensPerMinute }: ProviderLimits): boolean {
  return requestsPerMinute !== undefined || tokensPerMinute !== undefined
}

function isSame(a: ProviderLimits, b: ProviderLimits): boolean {
  return (
    a.requestsPerMinute === b.requestsPerMinute &&
    a.tokensPerMinute === b.tokensPerMinute &&
    a.concurrency === b.concurrency
  )
}

async function closeLine({ lane, limiter }: Line): Promise<void> {
  await Promise.all([lane.close(), limiter?.close?.()])
}
