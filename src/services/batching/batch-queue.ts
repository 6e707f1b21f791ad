import { createHash } from 'node:crypto'
import { ClientError, type BatchEntry, type Batches, type CancelSignal, type RawReply } from '../../contract/index.ts'
import type { Clock } from '../asking/clock.ts'
import { isWorthRetrying } from '../asking/retry.ts'
import type { RunEvent } from '../events.ts'
import type { BatchStore, StoredBatch } from './stored-batches.ts'

/** Requests that are made within this time of each other share a batch. */
const QUIET_MS = 300

const FIRST_POLL_MS = 1000
const MAX_POLL_MS = 60_000
const POLL_GROWTH = 1.5

/** Providers take files of some 200 MB. */
const MAX_BATCH_LENGTH = 100 * 1024 * 1024

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

/** A provider takes only requests for the same model in one batch. */
function modelOf({ body }: BatchEntry): string {
  const { model }: { model?: unknown } = JSON.parse(body)
  return String(model)
}

function* splitIntoBatches(entries: readonly BatchEntry[], maxEntries: number): Generator<BatchEntry[]> {
  for (const group of Map.groupBy(entries, modelOf).values()) {
    let batch: BatchEntry[] = []
    let length = 0
    for (const entry of group) {
      if (batch.length === maxEntries || (batch.length > 0 && length + entry.body.length > MAX_BATCH_LENGTH)) {
        yield batch
        batch = []
        length = 0
      }
      batch.push(entry)
      length += entry.body.length
    }
    yield batch
  }
}

function notProcessed(provider: string, status: string): ClientError {
  return new ClientError('refused', `${provider} did not process the request: its batch ended as "${status}"`, {
    retryable: true,
    unbilled: true,
  })
}

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
  let pending: { entry: Entry; body: string }[] = []
  let isGathering = false
  let opening: Promise<void> | undefined

  /** Repeats what failed for a reason that passes: a batch of hours is not lost to a minute without a network. */
  async function insist<Value>(work: () => Promise<Value>): Promise<Value> {
    for (let wait = FIRST_POLL_MS; ; wait = Math.min(wait * POLL_GROWTH, MAX_POLL_MS)) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof ClientError) || !isWorthRetrying(error)) throw error
        await clock.sleep(Math.max(wait, error.retryAfterMs ?? 0), signal)
        if (signal?.aborted) throw cancelled()
      }
    }
  }

  async function waitForEnd(id: string): Promise<string> {
    for (let wait = FIRST_POLL_MS; ; wait = Math.min(wait * POLL_GROWTH, MAX_POLL_MS)) {
      const { isEnded, ...state } = await insist(() => batches.look(id, { signal }))
      emit({ type: 'batch-looked-at', provider, id, ...state })
      if (isEnded) return state.status
      await clock.sleep(wait, signal)
      if (signal?.aborted) throw cancelled()
    }
  }

  /** Waits for a batch and gives every entry its reply. Of several candidates, only the right one has our ids. */
  async function follow(ids: readonly string[], entries: readonly Entry[]): Promise<void> {
    const waiting = new Map(entries.map((entry) => [entry.id, entry]))
    try {
      let status = ''
      for (const id of ids) {
        status = await waitForEnd(id)
        await insist(async () => {
          for await (const { id: entryId, reply } of batches.collect(id, { signal })) {
            waiting.get(entryId)?.settle(reply)
            waiting.delete(entryId)
          }
        })
      }
      for (const entry of waiting.values()) entry.fail(notProcessed(provider, status))
    } catch (error) {
      for (const entry of waiting.values()) entry.fail(error)
    }
  }

  /**
   * The reply to a submission can get lost, with the process or the connection: look before submitting again. Returns the
   * batch, or those that may be it.
   */
  async function submit(batch: StoredBatch, contents: readonly BatchEntry[]): Promise<string[]> {
    let isRepeated = false
    return insist(async () => {
      const { name, since } = batch
      const known = isRepeated ? await batches.find({ name, entries: contents.length, since }, { signal }) : []
      isRepeated = true
      return known.length > 0 ? known : [await batches.submit(contents, name, { signal })]
    })
  }

  async function handIn(contents: readonly BatchEntry[], entries: readonly Entry[]): Promise<void> {
    const batch: StoredBatch = {
      provider,
      name: createId(),
      since: clock.now(),
      entries: contents.map(({ id }) => id),
    }
    try {
      await store.save(batch)
      const ids = await submit(batch, contents)
      const [id = ''] = ids
      if (ids.length === 1) await store.save({ ...batch, id })
      emit({ type: 'batch-submitted', provider, id, requests: contents.length })
      await follow(ids, entries)
    } catch (error) {
      // What was refused was never submitted; what was cancelled may have been, and stays on record.
      if (error instanceof ClientError && error.kind !== 'cancelled') await store.remove(batch)
      for (const entry of entries) entry.fail(error)
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
    for (const part of splitIntoBatches(contents, batches.maxEntries))
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
      const ids = batch.id === undefined ? await insist(() => batches.find(lost, { signal })) : [batch.id]
      if (ids.length === 0) {
        await store.remove(batch)
        continue
      }
      const entries = batch.entries.map(createEntry)
      for (const entry of entries) {
        const [hash = ''] = entry.id.split('-')
        earlier.set(hash, [...(earlier.get(hash) ?? []), entry])
        used.set(hash, (used.get(hash) ?? 0) + 1)
      }
      void follow(ids, entries)
    }
  }

  /** The next reply to an earlier request for the same purpose; those that failed cost nothing and are asked anew. */
  async function takeEarlier(hash: string): Promise<RawReply | undefined> {
    for (let entry = earlier.get(hash)?.shift(); entry; entry = earlier.get(hash)?.shift()) {
      try {
        const reply = await entry.reply
        if (reply.status < 300) return reply
      } catch (error) {
        if (error instanceof ClientError && error.kind === 'cancelled') throw error
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
