import {
  ClaimLost,
  ClientError,
  toDollars,
  type AttemptEnd,
  type AttemptId,
  type AttemptStart,
  type CancelSignal,
  type CellKey,
  type Client,
  type ModelAnswer,
  type ModelRequest,
  type Money,
  type Storage,
  messageOf,
} from '../../contract/index.ts'
import type { Budget } from './budget.ts'
import type { Clock } from './clock.ts'
import type { RunEvent } from '../events.ts'
import type { Admission, Throttle } from '../limits/pacing.ts'
import type { CheckedAnswer } from './check-answer.ts'
import type { Price } from './price.ts'
import { decideRetry, isUnbilled, type Tries } from './retry.ts'
import { sendRequest } from './send-request.ts'

/** What every request of a run shares. */
export interface RequestContext {
  storage: Storage
  clock: Clock
  random: () => number
  budget: Budget
  throttleOf(client: Client): Throttle
  emit(event: RunEvent): void
  signal: CancelSignal | undefined
  /** Once aborted, cells that wait for their first request are left for a resume. */
  drain?: CancelSignal | undefined
  /** Of the process that works on the run: nothing is sent once another has taken it over. */
  claim?: { token: string; confirm(): Promise<void> } | undefined
  /** The longest that one request may take in all. */
  maxTimeMs: number
}

/** A request for a cell that was sent. */
export interface SentRequest {
  /** How many were sent for the cell, with this one. */
  requests: number
  stream: boolean
}

/** Knows what other requests to the same model came to. */
export interface RequestWatch {
  onAnswered(): void
  /** Returns true if another try would be in vain. */
  onFailed(failure: ClientError, sent: SentRequest): boolean
  /** True if the model gets no more requests. */
  isGivenUp(): boolean
}

/** Thrown instead of sending the first request for a cell to a model that was given up. Nothing was written. */
export class ModelGivenUp extends Error {
  override name = 'ModelGivenUp'
}

export interface Question {
  cell: CellKey
  purpose: AttemptStart['purpose']
  client: Client
  request: ModelRequest
  price: Price | undefined
  /** The maximum cost, for the budget; undefined if the price is unknown. */
  estimate: Money | undefined
  watch?: RequestWatch | undefined
  /** For one turn of a conversation: how it is kept, instead of as the answer of the cell. */
  turn?: Turn | undefined
}

interface Turn {
  /** The first request of its conversation. */
  isFirst: boolean
  /** Stored with the attempt. */
  asked(): NonNullable<AttemptStart['event']>
  onAsked(attempt: AttemptId, at: number): void
  /** Ends the attempt and stores what was said. */
  keep(attempt: AttemptId, end: AttemptEnd, answer: ModelAnswer): Promise<void>
}

function attemptEndOf(answer: ModelAnswer, cost: Money | undefined, endedAt: number): AttemptEnd {
  const { outcome, promptTokens, completionTokens, latencyMs, firstTokenMs, notes } = answer
  return {
    endedAt,
    outcome,
    latencyMs,
    ...(promptTokens !== undefined && { promptTokens }),
    ...(completionTokens !== undefined && { completionTokens }),
    ...(cost !== undefined && { cost: toDollars(cost) }),
    ...(firstTokenMs !== undefined && { firstTokenMs }),
    ...(notes && { error: notes.join(' ') }),
  }
}

/** A request that was refused used no tokens: this tells a resume that it need not count its maximum cost. */
function failedEndOf(failure: ClientError, endedAt: number): AttemptEnd {
  const { kind, status = 0, message } = failure
  return {
    endedAt,
    outcome: kind === 'timeout' || kind === 'cancelled' ? kind : 'error',
    error: message,
    // A user's own client may report any number.
    ...(Number.isInteger(status) && status >= 100 && status < 600 && { httpStatus: status }),
    ...(isUnbilled(failure) && { promptTokens: 0, completionTokens: 0 }),
  }
}

/** Clients throw `ClientError`; anything else is a mistake in the request or the client, which a retry repeats. */
function asClientError(error: unknown): ClientError {
  if (error instanceof ClientError) return error
  return new ClientError('network', messageOf(error), {
    cause: error,
    retryable: false,
  })
}

type Reply = CheckedAnswer | { failure: ClientError }

async function send(question: Question, stream: boolean, { signal, emit, maxTimeMs }: RequestContext): Promise<Reply> {
  const { client, request, price, cell, purpose } = question
  const onText = (text: string) => emit({ type: 'tokens-arrived', cell, text })
  const key = JSON.stringify([cell.runId, cell.testCaseId, cell.modelId, purpose])
  try {
    return await sendRequest(
      client,
      { ...request, stream },
      { signal, price, maxTimeMs, key, ...(purpose === 'answer' && { onText }) },
    )
  } catch (error) {
    return { failure: asClientError(error) }
  }
}

interface Sent {
  reply: Reply
  startedAt: number
  attempt: AttemptId
}

/** Sends one request after taking a slot, reserving budget and writing the attempt to the ledger. */
async function attemptOnce(question: Question, { stream, requests }: Tries, context: RequestContext): Promise<Sent> {
  const isFirst = requests === 0
  const { storage, clock, budget, signal } = context
  const { cell, purpose, request, client, turn } = question
  const isBeginning = isFirst && (turn?.isFirst ?? purpose === 'answer')
  const throttle = context.throttleOf(client)
  const release = await throttle.acquire(signal)
  try {
    if (isBeginning && context.drain?.aborted) throw new ClientError('cancelled', 'stopped before the first request')
    if (isFirst && question.watch?.isGivenUp()) throw new ModelGivenUp()
    const reservation = await budget.reserve(question.estimate, signal)
    let admission: Admission | undefined
    try {
      // An answer that is stored already takes nothing from the limits.
      if (!(await client.isStored?.(request))) admission = await throttle.enter(request, signal)
      const startedAt = clock.now()
      const start = {
        ...cell,
        purpose,
        askedModel: request.modelId,
        startedAt,
        claim: context.claim?.token,
        event: turn?.asked(),
      }
      const attempt = await storage.startAttempt(start).catch(async (error: unknown) => {
        if (error instanceof ClaimLost) await context.claim?.confirm()
        throw error
      })
      turn?.onAsked(attempt, startedAt)
      if (isBeginning) context.emit({ type: 'cell-started', cell })
      const reply = await send(question, stream, context)
      if ('answer' in reply) {
        admission?.onAnswered(reply.answer)
        reservation.spend(reply.cost)
      } else {
        admission?.onFailed(reply.failure)
        reservation.spend(isUnbilled(reply.failure) ? 0n : undefined)
      }
      return { reply, attempt, startedAt }
    } finally {
      admission?.onUnsent()
      reservation.release()
    }
  } finally {
    release()
  }
}

/**
 * Sends requests until there is an answer, by the rules of `retry.ts`. The answer is stored before it is returned: a model's in
 * its cell, a judge's as an attempt in the ledger. Throws the last `ClientError` if there is none, or `BudgetReached`.
 */
export async function requestAnswer(question: Question, context: RequestContext): Promise<ModelAnswer> {
  const { storage, clock, random, emit, signal } = context
  const { cell, purpose, watch, turn } = question
  const tries: Tries = { requests: 0, emptyReplies: 0, stream: true }

  for (;;) {
    const { reply, attempt, startedAt } = await attemptOnce(question, tries, context)
    const { provider, address } = question.client
    const call = { purpose, startedAt, provider, address, request: question.request }
    tries.requests++
    const failure = 'failure' in reply ? reply.failure : reply.answer.outcome === 'empty' ? 'empty' : undefined
    if (failure === 'empty') tries.emptyReplies++
    let isInVain = false
    if ('answer' in reply) watch?.onAnswered()
    else isInVain = watch?.onFailed(reply.failure, tries) ?? false
    const retry = failure === undefined || isInVain ? undefined : decideRetry(tries, failure, random)

    if ('answer' in reply) {
      const end = attemptEndOf(reply.answer, reply.cost, clock.now())
      // An empty reply that will be retried is not the model's answer.
      if (turn && !retry) await turn.keep(attempt, end, reply.answer)
      else if (purpose === 'answer' && !retry) await storage.saveAnswer(attempt, end, cell, reply.answer)
      else await storage.endAttempt(attempt, end)
      emit({ type: 'attempt-ended', attempt: cell, end, call: { ...call, answer: reply.answer } })
      if (!retry) {
        if (purpose === 'answer' && !turn) emit({ type: 'answer-stored', cell, answer: reply.answer, cost: end.cost })
        return reply.answer
      }
    } else {
      const end = failedEndOf(reply.failure, clock.now())
      await storage.endAttempt(attempt, end)
      emit({ type: 'attempt-ended', attempt: cell, end, call })
      if (!retry) throw reply.failure
    }

    const reason = failure === 'empty' ? 'empty reply' : failure!.message
    emit({ type: 'attempt-failed', cell, reason, retryInMs: retry.waitMs })
    await clock.sleep(retry.waitMs, signal)
    if (signal?.aborted) throw new ClientError('cancelled', 'cancelled while waiting to retry')
    if ('failure' in reply && watch?.isGivenUp()) throw reply.failure
    tries.stream = retry.stream
  }
}
