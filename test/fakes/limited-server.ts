import { startModelServer, type ModelServer, type ModelServerOptions, type ScriptedReply } from './model-server.ts'

export interface EnforcedLimits {
  requestsPerMinute: number
  tokensPerMinute: number
  /** How far back the limits are counted. Default: a minute. */
  windowSeconds?: number
  /** Also refuses more than a second's worth at once, as a bucket that fills at the limit's rate. */
  perSecond?: boolean
}

export interface Arrival {
  /** Seconds since the first request. */
  at: number
  tokens: number
  /** Which limit refused it. */
  refusedBy?: 'requests a window' | 'tokens a window' | 'requests a second' | 'tokens a second'
}

export interface LimitedServer extends ModelServer {
  /** Every request that arrived, in order. */
  readonly arrivals: readonly Arrival[]
}

/** A bucket that holds a second's worth and fills at the limit's rate. */
function createBucket(perMinute: number) {
  const capacity = perMinute / 60
  let level = capacity
  let filledAt = 0
  return {
    fill(at: number): void {
      level = Math.min(capacity, level + (at - filledAt) * capacity)
      filledAt = at
    },
    has: (amount: number) => level >= amount - 1e-9,
    take: (amount: number) => void (level -= amount),
  }
}

/** A model server that refuses what exceeds its limits, and keeps a record of what arrived. */
export async function startLimitedServer(
  limits: EnforcedLimits,
  { answer = () => 'four', ...options }: Omit<ModelServerOptions, 'reply'> = {},
): Promise<LimitedServer> {
  const { requestsPerMinute, tokensPerMinute, windowSeconds = 60, perSecond = false } = limits
  const arrivals: Arrival[] = []
  const requestBucket = createBucket(requestsPerMinute)
  const tokenBucket = createBucket(tokensPerMinute)
  let startedAt: number | undefined
  /** Those of the current window that were answered. */
  let recent: Arrival[] = []

  function findRefusal(at: number, tokens: number): Arrival['refusedBy'] {
    recent = recent.filter((arrival) => arrival.at > at - windowSeconds)
    const share = windowSeconds / 60
    if (recent.length + 1 > requestsPerMinute * share) return 'requests a window'
    const used = recent.reduce((sum, arrival) => sum + arrival.tokens, 0)
    if (used + tokens > tokensPerMinute * share) return 'tokens a window'
    if (perSecond && !requestBucket.has(1)) return 'requests a second'
    if (perSecond && !tokenBucket.has(tokens)) return 'tokens a second'
    return undefined
  }

  const words = (text: string) => text.split(/\s+/).filter(Boolean).length
  const server = await startModelServer({
    ...options,
    answer,
    reply(request): ScriptedReply | undefined {
      const now = performance.now() / 1000
      startedAt ??= now
      const at = now - startedAt
      const tokens = words(request.prompt) + words(answer(request))
      requestBucket.fill(at)
      tokenBucket.fill(at)
      const refusedBy = findRefusal(at, tokens)
      const arrival: Arrival = { at, tokens, ...(refusedBy && { refusedBy }) }
      arrivals.push(arrival)
      if (!refusedBy) {
        recent.push(arrival)
        requestBucket.take(1)
        tokenBucket.take(tokens)
        return undefined
      }
      return {
        status: 429,
        headers: { 'content-type': 'application/json', 'retry-after': '1' },
        pieces: [JSON.stringify({ error: { message: `Rate limit: ${refusedBy}`, type: 'rate_limit' } })],
      }
    },
  })
  return { ...server, arrivals }
}
