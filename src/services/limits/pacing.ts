import type {
  CancelSignal,
  Client,
  ClientError,
  LimitStore,
  ModelAnswer,
  ModelRequest,
  ProviderLimits,
} from '../../contract/index.ts'
import type { Clock } from '../asking/clock.ts'
import { createLimiter, type Limiter } from '../asking/limiter.ts'
import { MAX_RETRY_AFTER_MS } from '../asking/retry.ts'
import { createRateLimiter, type RateLimiter, type Permit } from './rate-limiter.ts'
import { createLocalLimitStore } from './local-limit-store.ts'
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
export interface Throttle {
  /** Waits until there are few enough requests in progress; call the returned function when the request has ended. */
  acquire(signal?: CancelSignal): Promise<() => void>
  /** Waits until the limits per minute allow the request. */
  enter(request: ModelRequest, signal?: CancelSignal): Promise<Admission>
}

/** The limits of all providers. One for the whole process: what two runs send to a provider counts together. */
export interface Pacing {
  /** True if other processes share these limits: budgets are then shared too. */
  readonly isShared: boolean
  throttleOf(client: Client, run?: RunPace): Throttle
  /** The run has ended here. */
  endRun(id: string): Promise<void>
  close(): Promise<void>
}

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000

interface Limiters {
  rateLimiter: RateLimiter
  limiter: (Limiter & Partial<SharedLimiter>) | undefined
  refusals: number
  limits: ProviderLimits
}

const unpaced: Admission = { onAnswered: () => {}, onFailed: () => {}, onUnsent: () => {} }

/** A throttle that limits only the requests in progress. */
export function createThrottle(limiter: Limiter): Throttle {
  return { acquire: (signal) => limiter.acquire(signal), enter: async () => unpaced }
}

/** The throttle, with another limit on the requests in progress. */
export function limitThrottle(throttle: Throttle, limiter: Limiter): Throttle {
  return {
    async acquire(signal) {
      const releaseOwn = await limiter.acquire(signal)
      try {
        const release = await throttle.acquire(signal)
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
      const admission = await throttle.enter(request, signal)
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

const openPermit: Permit = { settle: () => {} }

export function createPacing({
  clock,
  limitStore = createLocalLimitStore(clock),
}: {
  clock: Clock
  limitStore?: LimitStore
}): Pacing {
  const limitersByKey = new Map<string, Limiters>()
  const forecast = createTokenForecast()

  function limitersOf(key: string, limits: ProviderLimits): Limiters {
    const known = limitersByKey.get(key)
    if (known && isSame(known.limits, limits)) return known
    // Changed in the settings: what waits in the old limiters still goes out at the old rate.
    if (known) void closeLimiters(known)
    const { concurrency } = limits
    const limiters: Limiters = {
      rateLimiter: createRateLimiter({ key, limits, limitStore, clock }),
      limiter:
        concurrency === undefined
          ? undefined
          : limitStore.isShared
            ? createSharedLimiter(key, concurrency, limitStore)
            : createLimiter(concurrency),
      refusals: 0,
      limits,
    }
    limitersByKey.set(key, limiters)
    return limiters
  }

  function onRefused(limiters: Limiters, { retryAfterMs }: ClientError): void {
    limiters.refusals++
    limiters.limiter?.onRateLimited()
    const backOffMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (limiters.refusals - 1))
    const pauseMs = retryAfterMs ?? backOffMs
    // A server that asks for hours refuses this account; requests fail and say so, instead of waiting.
    if (pauseMs > 0 && pauseMs <= MAX_RETRY_AFTER_MS) limiters.rateLimiter.postpone(pauseMs)
  }

  return {
    isShared: limitStore.isShared,
    throttleOf(client, run) {
      const { name = client.provider, ...limits } = client.limits ?? {}
      // Looked up each time: settings may change during a run.
      const provider = () => limitersOf(`provider ${name}`, limits)
      const own = () => (run ? limitersOf(`${runKey(run.id)}${name}`, run.limits) : undefined)
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
          const ownLimiters = own()
          const ownPermit =
            ownLimiters && isPaced(ownLimiters.limits)
              ? await ownLimiters.rateLimiter.enter(tokens, signal)
              : openPermit
          const limiters = provider()
          let permit: Permit
          try {
            permit = await limiters.rateLimiter.enter(tokens, signal)
          } catch (error) {
            ownPermit.settle(0)
            throw error
          }
          const settle = (used: number | undefined) => {
            permit.settle(used)
            ownPermit.settle(used)
          }
          return {
            onAnswered(answer) {
              settle(forecast.learn(request, answer))
              for (const answered of [limiters, ownLimiters]) {
                if (!answered) continue
                answered.refusals = 0
                answered.limiter?.onAnswered()
              }
            },
            onFailed(failure) {
              const isRefused = failure.status === 429
              settle(isRefused ? 0 : undefined)
              if (!isRefused) return
              onRefused(limiters, failure)
              ownLimiters?.limiter?.onRateLimited()
            },
            onUnsent: () => settle(0),
          }
        },
      }
    },
    async endRun(id) {
      const ended = [...limitersByKey].filter(([key]) => key.startsWith(runKey(id)))
      for (const [key] of ended) limitersByKey.delete(key)
      await Promise.all(ended.map(([, limiters]) => closeLimiters(limiters)))
    },
    async close() {
      await Promise.all([...limitersByKey.values()].map(closeLimiters))
      limitersByKey.clear()
      await limitStore.close()
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

async function closeLimiters({ rateLimiter, limiter }: Limiters): Promise<void> {
  await Promise.all([rateLimiter.close(), limiter?.close?.()])
}
