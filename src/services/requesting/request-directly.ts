import {
  ClientError,
  type CallModel,
  type CancelSignal,
  type Client,
  type ModelAnswer,
  type ModelRequest,
} from '../../contract/index.ts'
import type { Pacing } from '../limits/pacing.ts'
import type { Clock } from './clock.ts'
import { decideRetry, type Tries } from './retry.ts'
import { sendRequest } from './send-request.ts'

export interface DirectTools {
  clock: Clock
  random: () => number
  /** The limits of providers; absent if there are none. */
  pacing?: Pacing | undefined
}

/** Sends requests outside a run, with the same retries but no ledger: for calibration and single judgements. */
export function requestDirectly(
  clientFor: (modelId: string) => Client,
  { clock, random, pacing }: DirectTools,
  signal?: CancelSignal,
): CallModel {
  return async (request) => {
    const client = clientFor(request.modelId)
    const tries: Tries = { requests: 0, emptyReplies: 0, stream: true }
    for (;;) {
      if (signal?.aborted) throw new ClientError('cancelled', 'cancelled before the request')
      const reply = await attemptInTurn(client, { ...request, stream: tries.stream }, { signal, pacing })
      tries.requests++
      const failure = reply instanceof ClientError ? reply : 'empty'
      if (!(reply instanceof ClientError)) {
        if (reply.outcome !== 'empty') return reply
        tries.emptyReplies++
      }
      const retry = decideRetry(tries, failure, random)
      if (!retry) {
        if (reply instanceof ClientError) throw reply
        return reply
      }
      await clock.sleep(retry.waitMs, signal)
      tries.stream = retry.stream
    }
  }
}

/** Waits until the provider's limits allow the request. */
async function attemptInTurn(
  client: Client,
  request: ModelRequest,
  { signal, pacing }: { signal: CancelSignal | undefined; pacing: Pacing | undefined },
): Promise<ModelAnswer | ClientError> {
  if (!pacing) return attempt(client, request, signal)
  const throttle = pacing.throttleOf(client)
  const release = await throttle.acquire(signal)
  try {
    const admission = await throttle.enter(request, signal)
    try {
      const reply = await attempt(client, request, signal)
      if (reply instanceof ClientError) admission.onFailed(reply)
      else admission.onAnswered(reply)
      return reply
    } finally {
      admission.onUnsent()
    }
  } finally {
    release()
  }
}

async function attempt(
  client: Client,
  request: ModelRequest,
  signal: CancelSignal | undefined,
): Promise<ModelAnswer | ClientError> {
  try {
    return (await sendRequest(client, request, { signal })).answer
  } catch (error) {
    if (error instanceof ClientError) return error
    throw error
  }
}
