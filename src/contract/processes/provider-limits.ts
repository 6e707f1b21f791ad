import { z } from 'zod'

/** The largest limits that can be set: beyond them, nothing here would be the bottleneck. */
export const providerLimitRange = { requestsPerMinute: 1_000_000, tokensPerMinute: 1_000_000_000, concurrency: 1000 }

const wholeNumber = (max: number) => {
  const message = `must be a whole number from 1 to ${max}`
  return z.int(message).min(1, message).max(max, message).optional()
}

/** What a provider allows. What is absent is not limited. */
export const providerLimitsSchema = z.strictObject({
  requestsPerMinute: wholeNumber(providerLimitRange.requestsPerMinute),
  /** Of prompts and answers together. */
  tokensPerMinute: wholeNumber(providerLimitRange.tokensPerMinute),
  /** Requests in progress at once, of all runs together. */
  concurrency: wholeNumber(providerLimitRange.concurrency),
})

export type ProviderLimits = z.output<typeof providerLimitsSchema>

/** Slots for requests, next to each other in time. */
interface SlotBlock {
  slots: number
  /** The seconds that one request takes from the allowance of requests; 0 if that has no limit. */
  requestSeconds: number
  /** The seconds that the tokens of one request take from the allowance of tokens; 0 if that has no limit. */
  tokenSeconds: number
}

/** How often slots were moved on. Slots reserved before the last move are void. */
export interface Moves {
  moves: number
  /** How long nothing may be sent, because the provider asked to wait. */
  pausedMs: number
}

interface ReservedBlock extends Moves {
  /** From now until the first slot. */
  waitMs: number
}

/** What a process asks for when it shares a limit on concurrent requests with others. */
export interface ShareRequest {
  /** Distinguishes everyone who shares the limit. */
  holder: string
  limit: number
  /** Requests in progress or waiting. */
  wanted: number
  /** What it may have in progress until it hears the reply: cannot be given back now. */
  kept: number
}

/**
 * Keeps the limits of providers: for this process only, or for all processes that share a database. A key names what is
 * limited: a provider, or one run at a provider.
 */
export interface LimitStore {
  /** True if other processes use it too: it is then asked in blocks and every so often, not for each request. */
  readonly isShared: boolean
  /** Reserves the next free slots: nobody else gets them, and nobody needs to ask again. */
  reserve(key: string, block: SlotBlock): Promise<ReservedBlock>
  /** Gives back the part of the token allowance that was reserved but not used; takes more if it is negative. */
  refund(key: string, tokenSeconds: number): Promise<Moves>
  /** The provider refused a request: nobody sends another for this long, and reserved slots become void. */
  postpone(key: string, milliseconds: number): Promise<Moves>
  /** Takes or renews a share of a limit on concurrent requests. Returns how many the holder may have in progress. */
  acquire(key: string, request: ShareRequest): Promise<number>
  /** Ends a share. One that is neither renewed nor ended expires. */
  release(key: string, holder: string): Promise<void>
  close(): Promise<void>
}

/** How long a share of a limit on concurrent requests lasts without renewal. */
export const shareLeaseMs = 10_000
