import { createHash } from 'node:crypto'
import {
  ClientError,
  type BatchEntry,
  type Batches,
  type BatchState,
  type CancelSignal,
  type RawReply,
} from '../../contract/index.ts'
import type { Clock } from '../requesting/clock.ts'
import { isUnbilled, isWorthRetrying, MAX_RETRY_AFTER_MS } from '../requesting/retry.ts'
import type { RunEvent } from '../events.ts'
import type { BatchStore, StoredBatch } from './stored-batches.ts'

/** Providers take some 200 MB at a time. */
const MAX_BATCH_BYTES = 100 * 1024 * 1024

/** A provider takes only requests for the same model in one batch. */
function modelOf({ body }: BatchEntry): string {
  const { model }: { model?: unknown } = JSON.parse(body)
  return String(model)
}

export function* splitIntoBatches(
  entries: readonly BatchEntry[],
  { maxEntries, maxBytes = MAX_BATCH_BYTES }: { maxEntries: number; maxBytes?: number },
): Generator<BatchEntry[]> {
  for (const group of Map.groupBy(entries, modelOf).values()) {
    let batch: BatchEntry[] = []
    let bytes = 0
    for (const entry of group) {
      const entryBytes = Buffer.byteLength(entry.body)
      if (batch.length === maxEntries || (batch.length > 0 && bytes + entryBytes > maxBytes)) {
        yield batch
        batch = []
        bytes = 0
      }
      batch.push(entry)
      bytes += entryBytes
    }
    yield batch
  }
}

/** Requests that are made within this time of each other share a batch. */
const QUIET_MS = 300

const FIRST_POLL_MS = 1000
const MAX_POLL_MS = 60_000
const POLL_GROWTH = 1.5

/** A provider that cannot take a batch for so many tries, over a minute, is not waited for: nothing is lost yet. */
const MAX_SUBMISSIONS = 10

/** A batch that has just been submitted, or its results, may not be found at once; after so many tries it is gone. */
const MAX_NOT_FOUND = 8

/** A result that so many batches lack is not asked for again: each of them may have been paid for. */
const MAX_MISSING = 3

/** Before a batch that was too much for the provider's queue is submitted in two parts. */
const FULL_QUEUE_MS = 60_000

export interface BatchQueueTools {
  provider: string
  batches: Batches
  store: BatchStore
  clock: Clock
  createId: () => string
  emit: (event: RunEvent) => void
  signal: CancelSignal | undefined
}

/** A request of a batch, whose reply may not be there yet. */
interface Entry {
  id: string
  reply: Promise<RawReply>
  settle(reply: RawReply): void
  fail(error: unknown): void
}

function createEntry(id: string): Entry {
  const { promise, resolve, reject } = Promise.withResolvers<RawReply>()
  // The run may have ended before anyone waits for it.
  promise.catch(() => undefined)
  return { id, reply: promise, settle: resolve, fail: reject }
}

/** The beginning of the ids of all requests for one purpose; the number that follows tells them apart. */
function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 40)
}

const hashOf = (entry: Entry) => entry.id.split('-', 1)[0]!

/** The provider did nothing for a request, so it is not paid for. */
class NotProcessed extends ClientError {
  constructor(provider: string, { status, isFinal = false }: Pick<BatchState, 'status' | 'isFinal'>) {
    super('refused', `${provider} did not process the request: its batch ended as "${status}"`, {
      retryable: !isFinal,
      unbilled: true,
    })
  }
}

/** A batch that ended well lacks the result of a request, which may have been processed and paid for. */
class MissingResult extends ClientError {
  constructor(provider: string, status: string, times: number) {
    const batches = times === 1 ? 'a batch that it calls' : `${times} batches that it calls`
    super(
      'broken',
      `${provider} gave no result for the request in ${batches} "${status}"; it may have charged for ${times === 1 ? 'it' : 'them'}`,
      { retryable: times < MAX_MISSING },
    )
  }
}

/** For the cells of a batch that could not be submitted: it has been tried often enough. */
function withoutRetry({ kind, message, status, unbilled, cause }: ClientError): ClientError {
  return new ClientError(kind, message, {
    retryable: false,
    ...(status !== undefined && { status }),
    ...(unbilled !== undefined && { unbilled }),
    cause,
  })
}

const isNotFound = (error: ClientError) => error.kind === 'refused' && error.status === 404

const cancelled = () => new ClientError('cancelled', 'cancelled while waiting for a batch')

/** Gathers requests into batches, hands them in, waits and passes the replies on. */
export interface BatchQueue {
  /** `key` says what the request is for: after a restart, its reply comes from the batch that it was already in. */
  ask(key: string, body: string): Promise<RawReply>
}

export function createBatchQueue(tools: BatchQueueTools): BatchQueue {
  const { provider, batches, store, clock, createId, emit, signal } = tools
  /** By hashed key, the requests of earlier processes that nobody has asked for yet. */
  const earlier = new Map<string, Entry[]>()
  const used = new Map<string, number>()
  /** By hashed key, how many batches lack a result for it. */
  const missing = new Map<string, number>()
  let pending: { entry: Entry; body: string }[] = []
  let isGathering = false
  let opening: Promise<void> | undefined

  /** Repeats what failed for a reason that passes: a batch of hours is not lost to a minute without a network. */
  async function insist<Value>(
    work: () => Promise<Value>,
    isHopeless: (error: ClientError, tries: number) => boolean,
  ): Promise<Value> {
    let wait = FIRST_POLL_MS
    for (let tries = 1; ; tries++) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof ClientError) || error.kind === 'cancelled' || isHopeless(error, tries)) throw error
        emit({ type: 'batch-delayed', reason: error.message })
        await clock.sleep(Math.max(wait, Math.min(error.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS)), signal)
        if (signal?.aborted) throw cancelled()
        wait = Math.min(wait * POLL_GROWTH, MAX_POLL_MS)
      }
    }
  }

  /** What was submitted is paid for: only a refusal or its absence ends the wait for it. */
  const insistOnSubmitted = <Value>(work: () => Promise<Value>) =>
    insist(work, (error, tries) => (isNotFound(error) ? tries >= MAX_NOT_FOUND : !isWorthRetrying(error)))

  async function waitForEnd(id: string): Promise<BatchState> {
    for (let wait = FIRST_POLL_MS; ; wait = Math.min(wait * POLL_GROWTH, MAX_POLL_MS)) {
      const state = await insistOnSubmitted(() => batches.look(id, { signal }))
      const { status, done, total, isEnded } = state
      emit({ type: 'batch-looked-at', provider, id, status, done, total, isEnded })
      if (isEnded) return state
      await clock.sleep(wait, signal)
      if (signal?.aborted) throw cancelled()
    }
  }

  function countMissing(entry: Entry, status: string): MissingResult {
    const times = (missing.get(hashOf(entry)) ?? 0) + 1
    missing.set(hashOf(entry), times)
    return new MissingResult(provider, status, times)
  }

  /** Takes the entries that have a reply from `waiting`, and notes those that were not processed. */
  async function collectBatch(id: string, waiting: Map<string, Entry>, unprocessed: Set<string>): Promise<BatchState> {
    try {
      const state = await waitForEnd(id)
      await insistOnSubmitted(async () => {
        for await (const { id: entryId, reply } of batches.collect(id, { signal })) {
          if (!reply) {
            if (waiting.has(entryId)) unprocessed.add(entryId)
            continue
          }
          waiting.get(entryId)?.settle(reply)
          waiting.delete(entryId)
        }
      })
      return state
    } catch (error) {
      if (error instanceof ClientError && isNotFound(error))
        return { status: 'not found', isEnded: true, done: 0, total: 0 }
      throw error
    }
  }

  /**
   * Waits for a batch and gives its entries their replies. Of several candidates, only the right one has our ids. Returns
   * true if the provider's queue was too full for it: then nothing was processed.
   */
  async function follow(batch: StoredBatch, ids: readonly string[], entries: readonly Entry[]): Promise<boolean> {
    const waiting = new Map(entries.map((entry) => [entry.id, entry]))
    const unprocessed = new Set<string>()
    try {
      let state: BatchState | undefined
      if (batch.isUnread) await store.save({ ...batch, isUnread: false })
      for (const id of ids) if (waiting.size > 0) state = await collectBatch(id, waiting, unprocessed)
      if (state?.isQueueFull) {
        await store.remove(batch)
        return true
      }
      const { status, isFinal = false, isComplete } = state ?? { status: 'not found' }
      // A batch that was only found may be another's, without our requests.
      const isOurs = batch.id !== undefined
      for (const entry of waiting.values())
        entry.fail(
          isOurs && isComplete && !unprocessed.has(entry.id)
            ? countMissing(entry, status)
            : new NotProcessed(provider, { status, isFinal }),
        )
    } catch (error) {
      // Before the cells fail: then the run may end, and forget its batches.
      await store.save({ ...batch, isUnread: true }).catch(() => undefined)
      for (const entry of waiting.values()) entry.fail(error)
    }
    return false
  }

  /**
   * The reply to a submission can get lost, with the process or the connection: look before submitting again. Returns the
   * batch, or those that may be it.
   */
  async function submit(
    { name, since }: StoredBatch,
    contents: readonly BatchEntry[],
  ): Promise<{ ids: string[]; isConfirmed: boolean }> {
    let isRepeated = false
    const submitOnce = async () => {
      const known = isRepeated ? await batches.find({ name, entries: contents.length, since }, { signal }) : []
      isRepeated = true
      if (known.length > 0) return { ids: known, isConfirmed: false }
      return { ids: [await batches.submit(contents, name, { signal })], isConfirmed: true }
    }
    return insist(submitOnce, (error, tries) => tries >= MAX_SUBMISSIONS || !isWorthRetrying(error))
  }

  async function submitHalves(contents: readonly BatchEntry[], entries: readonly Entry[]): Promise<void> {
    const middle = Math.ceil(contents.length / 2)
    await clock.sleep(FULL_QUEUE_MS, signal)
    await handIn(contents.slice(0, middle), entries.slice(0, middle))
    await handIn(contents.slice(middle), entries.slice(middle))
  }

  async function handIn(contents: readonly BatchEntry[], entries: readonly Entry[]): Promise<void> {
    if (signal?.aborted) return entries.forEach((entry) => entry.fail(cancelled()))
    let batch: StoredBatch = {
      provider,
      name: createId(),
      since: clock.now(),
      entries: contents.map(({ id }) => id),
    }
    try {
      await store.save(batch)
      const { ids, isConfirmed } = await submit(batch, contents)
      const [id = ''] = ids
      if (isConfirmed) {
        batch = { ...batch, id }
        await store.save(batch)
      }
      emit({ type: 'batch-submitted', provider, id, requests: contents.length })
      const isQueueFull = await follow(batch, ids, entries)
      if (!isQueueFull) return
      if (contents.length > 1) return await submitHalves(contents, entries)
      entries[0]!.fail(new NotProcessed(provider, { status: 'too much for its queue', isFinal: true }))
    } catch (error) {
      // What was refused was never submitted; anything else may have been, and stays on record for a resume.
      const isRefused = error instanceof ClientError && isUnbilled(error)
      await (isRefused ? store.remove(batch) : store.save({ ...batch, isUnread: true })).catch(() => undefined)
      for (const entry of entries) entry.fail(error instanceof ClientError ? withoutRetry(error) : error)
    }
  }

  async function gather(): Promise<void> {
    for (let seen = -1; seen < pending.length && pending.length < batches.maxEntries;) {
      seen = pending.length
      await clock.sleep(QUIET_MS, signal)
    }
    const taken = pending
    pending = []
    isGathering = false
    if (signal?.aborted) return taken.forEach(({ entry }) => entry.fail(cancelled()))
    const entryOf = new Map(taken.map(({ entry }) => [entry.id, entry]))
    const contents = taken.map(({ entry: { id }, body }) => ({ id, body }))
    for (const part of splitIntoBatches(contents, batches))
      void handIn(
        part,
        part.map(({ id }) => entryOf.get(id)!),
      )
  }

  /** Finds the batches of earlier processes, and waits for them in the background. */
  async function open(): Promise<void> {
    for (const batch of await store.load()) {
      if (batch.provider !== provider) continue
      const { name, since } = batch
      const lost = { name, since, entries: batch.entries.length }
      const ids = batch.id === undefined ? await insistOnSubmitted(() => batches.find(lost, { signal })) : [batch.id]
      if (ids.length === 0) {
        await store.remove(batch)
        continue
      }
      const entries = batch.entries.map(createEntry)
      for (const entry of entries) {
        const hash = hashOf(entry)
        earlier.set(hash, [...(earlier.get(hash) ?? []), entry])
        used.set(hash, (used.get(hash) ?? 0) + 1)
      }
      void follow(batch, ids, entries)
    }
  }

  /** The next reply to an earlier request for the same purpose; without one, it is asked anew if that is worth it. */
  async function takeEarlier(hash: string): Promise<RawReply | undefined> {
    for (let entry = earlier.get(hash)?.shift(); entry; entry = earlier.get(hash)?.shift()) {
      try {
        const reply = await entry.reply
        if (reply.status < 300) return reply
      } catch (error) {
        const isLost = error instanceof MissingResult && isWorthRetrying(error)
        if (!isLost && !(error instanceof NotProcessed)) throw error
      }
    }
    return undefined
  }

  return {
    async ask(key, body) {
      await (opening ??= open())
      const hash = hashKey(key)
      const known = await takeEarlier(hash)
      if (known) return known
      const number = used.get(hash) ?? 0
      used.set(hash, number + 1)
      const entry = createEntry(`${hash}-${number}`)
      pending.push({ entry, body })
      if (!isGathering) {
        isGathering = true
        void gather()
      }
      return entry.reply
    },
  }
}
