import {
  ClientError,
  type CancelSignal,
  type LimitStore,
  type Moves,
  type ProviderLimits,
} from '../../contract/index.ts'
import type { Clock } from '../requesting/clock.ts'

/** The rest is for requests that arrive later than they were sent, and for clocks that differ. */
const USED_SHARE = 0.97

/** Longer blocks save little, and a server that counts by the second refuses some of their requests. */
const BLOCK_SECONDS = 0.5

/** A process that was frozen must not send everything at once that it missed. */
const TOO_LATE_MS = 1000

/** How often a process tells the others what it did not use, and hears whether slots have moved. */
const REPORT_EVERY_MS = 250
/** Without a rate limit there is only a pause to hear of. */
const LISTEN_EVERY_MS = 1000

/** Permission to send one request now. */
export interface Permit {
  /** The request has ended; undefined if it is not known how many tokens it used. */
  settle(usedTokens: number | undefined): void
}

/** The line in front of a provider, or of one run's share of it. */
export interface RateLimiter {
  /** Waits until a request may be sent that will use about this many tokens. */
  enter(tokens: number, signal?: CancelSignal): Promise<Permit>
  /** The provider refused a request: everybody waits this long. */
  postpone(milliseconds: number): void
  /** Tells the others at once what is not used. */
  close(): Promise<void>
}

interface Waiting {
  tokens: number
  enter(permit: Permit): void
  fail(error: unknown): void
}

interface Block {
  left: number
  /** When the next slot comes. */
  nextAt: number
  /** No slot is further away than this, whatever the clock says. */
  longestWaitMs: number
  gapMs: number
  moves: number
  tokenSeconds: number
}

export interface RateLimiterOptions {
  key: string
  limits: ProviderLimits
  limitStore: LimitStore
  clock: Clock
}

export function createRateLimiter({ key, limits, limitStore, clock }: RateLimiterOptions): RateLimiter {
  const { requestsPerMinute, tokensPerMinute } = limits
  const requestSeconds = requestsPerMinute === undefined ? 0 : 60 / (USED_SHARE * requestsPerMinute)
  const secondsPerToken = tokensPerMinute === undefined ? 0 : 60 / (USED_SHARE * tokensPerMinute)
  const isLimited = requestSeconds > 0 || secondsPerToken > 0

  const waiting = new Set<Waiting>()
  let inProgress = 0
  let block: Block | undefined
  let moves = 0
  let pausedUntil = 0
  /** Token seconds that were reserved but not used, and not yet given back. */
  let unused = 0
  let isAdmitting = false
  let sleeping: AbortController | undefined
  let reporting: NodeJS.Timeout | undefined
  let isReporting = false

  const learn = (news: Moves) => {
    if (news.moves <= moves) return
    moves = news.moves
    pausedUntil = clock.now() + news.pausedMs
  }

  function dropBlock(): void {
    if (block) unused += block.left * block.tokenSeconds
    block = undefined
    if (!limitStore.isShared) void report()
  }

  async function reserve(): Promise<Block> {
    if (!isLimited) {
      const pausedMs = Math.max(0, pausedUntil - clock.now())
      const nextAt = clock.now() + pausedMs
      return { left: Number.MAX_SAFE_INTEGER, nextAt, longestWaitMs: pausedMs, gapMs: 0, moves, tokenSeconds: 0 }
    }
    // Those that come next, as many as fit into the block: their mean is what a slot of it takes.
    const next = [...waiting].slice(0, Math.max(1, Math.floor(BLOCK_SECONDS / Math.max(requestSeconds, 1e-4))))
    let tokenSeconds = 0
    let slots = 0
    for (const { tokens } of next) {
      const own = tokens * secondsPerToken
      if (slots > 0 && tokenSeconds + own > BLOCK_SECONDS) break
      tokenSeconds += own
      slots++
    }
    tokenSeconds /= slots
    const reserved = await limitStore.reserve(key, { slots, requestSeconds, tokenSeconds })
    learn(reserved)
    const gapMs = 1000 * Math.max(requestSeconds, tokenSeconds)
    return {
      left: slots,
      nextAt: clock.now() + reserved.waitMs,
      longestWaitMs: reserved.waitMs + gapMs,
      gapMs,
      moves: reserved.moves,
      tokenSeconds,
    }
  }

  function createPermit(reservedSeconds: number): Permit {
    inProgress++
    let isSettled = false
    return {
      settle(usedTokens) {
        if (isSettled) return
        isSettled = true
        inProgress--
        if (usedTokens === undefined || secondsPerToken === 0) return
        unused += reservedSeconds - usedTokens * secondsPerToken
        if (!limitStore.isShared) void report()
      },
    }
  }

  /** Admits one after another, each at its slot. */
  async function admit(): Promise<void> {
    if (isAdmitting) return
    isAdmitting = true
    try {
      while (waiting.size > 0) {
        if (block && (block.moves < moves || clock.now() - block.nextAt > TOO_LATE_MS)) dropBlock()
        if (!block || block.left === 0) block = await reserve()
        const current = block
        const waitMs = Math.min(current.nextAt - clock.now(), current.longestWaitMs)
        if (waitMs > 0) {
          sleeping = new AbortController()
          await clock.sleep(waitMs, sleeping.signal)
          if (sleeping.signal.aborted || current.moves < moves) continue
        }
        const [next] = waiting
        if (!next) break
        waiting.delete(next)
        current.left--
        // A late one shifts the next: requests of one process never come closer than the limit allows.
        current.nextAt = Math.max(current.nextAt, clock.now()) + current.gapMs
        next.enter(createPermit(current.tokenSeconds))
      }
    } catch (error) {
      for (const { fail } of waiting) fail(error)
      waiting.clear()
    } finally {
      isAdmitting = false
    }
  }

  /** Never rejects: what could not be told is told next time. */
  async function report(): Promise<void> {
    if (isReporting) return
    isReporting = true
    let given = 0
    try {
      do {
        given = unused
        unused = 0
        learn(await limitStore.refund(key, given))
      } while (!limitStore.isShared && unused !== 0)
    } catch {
      unused += given
    } finally {
      isReporting = false
    }
  }

  function startReporting(): void {
    if (!limitStore.isShared || reporting) return
    reporting = setInterval(
      () => {
        const isIdle = waiting.size === 0 && inProgress === 0
        if (isIdle && block) dropBlock()
        if (isIdle && unused === 0) stopReporting()
        else void report()
      },
      isLimited ? REPORT_EVERY_MS : LISTEN_EVERY_MS,
    )
    reporting.unref()
  }

  function stopReporting(): void {
    clearInterval(reporting)
    reporting = undefined
  }

  return {
    enter: (tokens, signal) =>
      new Promise((resolve, reject) => {
        const stop = () => signal?.removeEventListener('abort', cancel)
        const entry: Waiting = {
          tokens,
          enter: (permit) => {
            stop()
            resolve(permit)
          },
          fail: (error) => {
            stop()
            reject(error)
          },
        }
        const cancel = () => {
          waiting.delete(entry)
          // Nobody is left to wait for: a timer would keep the program from ending.
          if (waiting.size === 0) sleeping?.abort()
          entry.fail(new ClientError('cancelled', "cancelled while waiting for the provider's limit"))
        }
        if (signal?.aborted) return cancel()
        signal?.addEventListener('abort', cancel, { once: true })
        waiting.add(entry)
        startReporting()
        void admit()
        return undefined
      }),
    postpone(milliseconds) {
      // If it cannot be told, the next request is refused too, and says so again.
      void limitStore.postpone(key, milliseconds).then(learn, () => {})
    },
    async close() {
      stopReporting()
      dropBlock()
      if (unused !== 0) await report()
    },
  }
}
