import type {
  CancelSignal,
  Client,
  ClientError,
  LimitStore,
  ModelAnswer,
  ModelRequest,
  ProviderLimits,
  Moves,
} from '../../contract/index.ts'
import type { Clock } from '../requesting/clock.ts'
import { createLimiter, type Limiter } from '../requesting/limiter.ts'
import { MAX_RETRY_AFTER_MS } from '../requesting/retry.ts'
import { createRateLimiter, type RateLimiter, type Permit } from './rate-limiter.ts'
import { createSharedLimiter, type SharedLimiter } from './shared-limiter.ts'

/** Until an answer has come, it is assumed to be no longer than this. */
const FIRST_ANSWER_TOKENS = 512
const TOKENS_PER_CHARACTER = 0.25
const TOKENS_PER_IMAGE = 1000
/** How much the last answer counts. */
const WEIGHT = 0.1

function countCharacters({ messages, tools, embed }: ModelRequest): { characters: number; images: number } {
  let characters = tools ? JSON.stringify(tools).length : 0
  let images = 0
  for (const text of embed ?? []) characters += text.length
  for (const { content } of messages) {
    if (typeof content === 'string') characters += content.length
    else
      for (const part of content) {
        if (part.type === 'text') characters += part.text.length
        else images++
      }
  }
  return { characters, images }
}

interface TokenForecast {
  /** What a request will probably use: prompt and answer. */
  expect(request: ModelRequest): number
  /** Returns what it used; undefined if the provider did not say. */
  learn(request: ModelRequest, answer: ModelAnswer): number | undefined
}

/**
 * Expects of a request what those before it used. Much quicker than counting, and good enough: what was wrong is
 * corrected when the answer is there.
 */
function createTokenForecast(): TokenForecast {
  const answerTokens = new Map<string, number>()
  let perCharacter = TOKENS_PER_CHARACTER
  const follow = (before: number | undefined, seen: number) =>
    before === undefined ? seen : before + WEIGHT * (seen - before)

  return {
    expect(request) {
      const { characters, images } = countCharacters(request)
      const { maxTokens = Infinity } = request.parameters
      const answer = request.embed
        ? 0
        : Math.min(maxTokens, answerTokens.get(request.modelId) ?? Math.min(maxTokens, FIRST_ANSWER_TOKENS))
      return Math.ceil(characters * perCharacter + images * TOKENS_PER_IMAGE + answer)
    },
    learn(request, { promptTokens, completionTokens }) {
      if (promptTokens === undefined && completionTokens === undefined) return undefined
      const { modelId } = request
      if (completionTokens !== undefined) answerTokens.set(modelId, follow(answerTokens.get(modelId), completionTokens))
      const { characters, images } = countCharacters(request)
      if (promptTokens !== undefined && images === 0 && characters > 0)
        perCharacter = follow(perCharacter, promptTokens / characters)
      return (promptTokens ?? 0) + (completionTokens ?? 0)
    },
  }
}

/** The times are milliseconds since 1970. */
interface LimitState {
  requestSlot: number
  tokenSlot: number
  pausedUntil: number
  moves: number
}

/** A pause that ends at most this much later than the one before is the same pause. */
const SAME_PAUSE_MS = 250

/** Keeps limits for this process. The database does the same for several (`src/storage/postgres/limit-store.ts`). */
export function createLocalLimitStore(clock: Pick<Clock, 'now'>): LimitStore {
  const states = new Map<string, LimitState>()
  const stateOf = (key: string): LimitState => {
    const state = states.get(key) ?? { requestSlot: 0, tokenSlot: 0, pausedUntil: 0, moves: 0 }
    states.set(key, state)
    return state
  }
  const describe = ({ moves, pausedUntil }: LimitState): Moves => ({
    moves,
    pausedMs: Math.max(0, pausedUntil - clock.now()),
  })

  return {
    isShared: false,
    async reserve(key, { slots, requestSeconds, tokenSeconds }) {
      const state = stateOf(key)
      const now = clock.now()
      const request = Math.max(state.requestSlot, now)
      const token = Math.max(state.tokenSlot, now)
      state.requestSlot = request + slots * requestSeconds * 1000
      state.tokenSlot = token + slots * tokenSeconds * 1000
      return { waitMs: Math.max(request, token) - now, ...describe(state) }
    },
    async refund(key, tokenSeconds) {
      const state = stateOf(key)
      state.tokenSlot -= tokenSeconds * 1000
      return describe(state)
    },
    async postpone(key, milliseconds) {
      const state = stateOf(key)
      const until = clock.now() + milliseconds
      if (until > state.pausedUntil + Math.min(SAME_PAUSE_MS, milliseconds / 2)) {
        state.pausedUntil = until
        state.requestSlot = until
        state.moves++
      }
      return describe(state)
    },
    // One process: its limiters count the requests themselves.
    acquire: async (_key, { limit }) => limit,
    release: async () => {},
    close: async () => {},
  }
}

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
    if (known && areSameLimits(known.limits, limits)) return known
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

function areSameLimits(a: ProviderLimits, b: ProviderLimits): boolean {
  return (
    a.requestsPerMinute === b.requestsPerMinute &&
    a.tokensPerMinute === b.tokensPerMinute &&
    a.concurrency === b.concurrency
  )
}

async function closeLimiters({ rateLimiter, limiter }: Limiters): Promise<void> {
  await Promise.all([rateLimiter.close(), limiter?.close?.()])
}
