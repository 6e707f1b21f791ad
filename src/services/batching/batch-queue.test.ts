import { describe, expect, it } from 'vitest'
import { ClientError, type BatchEntry, type BatchState, type Batches } from '../../contract/index.ts'
import type { RunEvent } from '../events.ts'
import { isUnbilled, isWorthRetrying } from '../requesting/retry.ts'
import { createBatchQueue, type BatchQueue, splitIntoBatches } from './batch-queue.ts'
import { forgetRead, type BatchStore, type StoredBatch } from './stored-batches.ts'

const ended: BatchState = { status: 'completed', isEnded: true, done: 1, total: 1, isComplete: true }
const refusal = (status: number) => new ClientError('refused', `${status}`, { status })
const down = () => new ClientError('network', 'refused the connection')

/** A provider that answers every request with its body, and the store of one run. */
function setUp() {
  const submitted: BatchEntry[][] = []
  const stored = new Map<string, StoredBatch>()
  const store: BatchStore = {
    save: async (batch) => void stored.set(batch.name, batch),
    load: async () => [...stored.values()],
    remove: async ({ name }) => void stored.delete(name),
  }
  const names: string[] = []
  const batches: Batches = {
    maxEntries: 100,
    async submit(entries, name) {
      names.push(name)
      submitted.push([...entries])
      return `batch_${submitted.length - 1}`
    },
    find: async ({ name }) => names.flatMap((known, index) => (known === name ? [`batch_${index}`] : [])),
    look: async () => ended,
    async *collect(id) {
      for (const { id: entry, body } of submitted[Number(id.slice(6))]!)
        yield { id: entry, reply: { status: 200, body } }
    },
  }
  const events: RunEvent[] = []
  let created = 0
  let time = 0
  /** A process of its own; time passes at once. */
  const open = (changes: Partial<Batches> = {}) =>
    createBatchQueue({
      provider: 'p',
      batches: { ...batches, ...changes },
      store,
      clock: {
        now: () => time,
        sleep: async (milliseconds) => {
          time += milliseconds
          await new Promise((resolve) => setImmediate(resolve))
        },
      },
      createId: () => `name-${created++}`,
      emit: (event) => events.push(event),
      signal: undefined,
    })
  return { open, collect: batches.collect, submitted, stored, store, events, now: () => time }
}

const body = (text: string) => JSON.stringify({ model: 'm', text })

async function* nothing() {}

/** Fails the first `count` calls. */
function failing<Arguments extends unknown[], Result>(
  count: number,
  error: () => ClientError,
  work: (...values: Arguments) => Result,
): (...values: Arguments) => Result {
  let calls = 0
  return (...values) => {
    if (calls++ < count) throw error()
    return work(...values)
  }
}

describe('a queue of batches', () => {
  it('waits for a batch, or results, that are not found at once', async () => {
    const { open, submitted } = setUp()
    const queue = open({
      look: failing(
        3,
        () => refusal(404),
        async () => ended,
      ),
    })
    expect(await queue.ask('a', body('a'))).toEqual({ status: 200, body: body('a') })
    expect(submitted).toHaveLength(1)
  })

  it('submits again what the provider no longer knows', async () => {
    const { open, submitted } = setUp()
    const never = open({ look: () => new Promise(() => undefined) })
    void never.ask('a', body('a'))
    while (submitted.length === 0) await new Promise((resolve) => setImmediate(resolve))
    const queue = open({
      look: async (id) => {
        if (id === 'batch_0') throw refusal(404)
        return ended
      },
    })
    expect(await queue.ask('a', body('a'))).toEqual({ status: 200, body: body('a') })
    expect(submitted).toHaveLength(2)
  })

  it('keeps a batch that it was not allowed to load, even after the run has ended', async () => {
    const { open, submitted, store } = setUp()
    const look = async () => {
      throw refusal(401)
    }
    await expect(open({ look }).ask('a', body('a'))).rejects.toThrow('401')
    await expect(open({ look }).ask('a', body('a'))).rejects.toThrow('401')
    await forgetRead(store)
    expect(await open().ask('a', body('a'))).toEqual({ status: 200, body: body('a') })
    expect(submitted).toHaveLength(1)
    await forgetRead(store)
    expect(await store.load()).toEqual([])
  })

  it('gives up a provider that is down, says so meanwhile, and looks for the batch after a resume', async () => {
    const { open, submitted, events, stored, now } = setUp()
    const submit = async () => {
      throw down()
    }
    await expect(open({ submit, find: async () => [] }).ask('a', body('a'))).rejects.toMatchObject({ retryable: false })
    expect(now()).toBeGreaterThan(60_000)
    expect(events).toContainEqual({ type: 'batch-delayed', reason: 'refused the connection' })
    expect(stored.size).toBe(1)
    expect(await open().ask('a', body('a'))).toEqual({ status: 200, body: body('a') })
    expect([submitted.length, stored.size]).toEqual([1, 1])
  })

  it('submits in parts what is too much for the queue of the provider', async () => {
    const { open, submitted, collect } = setUp()
    const full: BatchState = {
      ...ended,
      status: 'failed: Enqueued token limit reached',
      isFinal: true,
      isQueueFull: true,
    }
    const isFull = (id: string) => submitted[Number(id.slice(6))]!.length > 2
    const queue = open({
      look: async (id) => (isFull(id) ? full : ended),
      collect: (id) => (isFull(id) ? nothing() : collect(id)),
    })
    const texts = ['a', 'b', 'c', 'd', 'e']
    const replies = await Promise.all(texts.map((text) => queue.ask(text, body(text))))
    expect(replies.map((reply) => reply.body)).toEqual(texts.map(body))
    expect(submitted.map(({ length }) => length)).toEqual([5, 3, 2, 1, 2])
  })

  it('does not submit again what someone cancelled at the provider, until a resume', async () => {
    const { open, submitted, store } = setUp()
    const cancelled: Partial<Batches> = {
      look: async () => ({ ...ended, status: 'cancelled', isComplete: false, isFinal: true }),
      collect: nothing,
    }
    await expect(open(cancelled).ask('a', body('a'))).rejects.toMatchObject({
      message: 'p did not process the request: its batch ended as "cancelled"',
      retryable: false,
      unbilled: true,
    })
    await forgetRead(store)
    expect(await open().ask('a', body('a'))).toEqual({ status: 200, body: body('a') })
    expect(submitted).toHaveLength(2)
  })

  /** The tries of `ask` for one cell, which end with an error that is not worth another. */
  async function askUntilFinal(queue: BatchQueue): Promise<ClientError> {
    for (let tries = 1; tries < 10; tries++) {
      const error: unknown = await queue.ask('a', body('a')).catch((reason: unknown) => reason)
      if (!(error instanceof ClientError)) throw new Error('a reply came')
      if (!isWorthRetrying(error)) return error
    }
    throw new Error('no end')
  }

  it('asks three times for a result that never comes, and counts it as paid', async () => {
    const { open, submitted, store } = setUp()
    const error = await askUntilFinal(open({ collect: nothing }))
    expect(error.message).toBe(
      'p gave no result for the request in 3 batches that it calls "completed"; it may have charged for them',
    )
    expect([submitted.length, isUnbilled(error)]).toEqual([3, false])
    // A killed process leaves its batches: a resume reads them, and pays for none anew.
    expect((await askUntilFinal(open({ collect: nothing }))).message).toBe(error.message)
    expect(submitted).toHaveLength(3)
    // A run that ended with the error may be resumed to ask again.
    await forgetRead(store)
    expect(await open().ask('a', body('a'))).toEqual({ status: 200, body: body('a') })
  })

  it('asks again, unpaid, for a request that the provider says it did not process', async () => {
    const { open, submitted } = setUp()
    const queue = open({
      async *collect(id) {
        for (const { id: entry } of submitted[Number(id.slice(6))]!) yield { id: entry, reply: undefined }
      },
    })
    const error = await queue.ask('a', body('a')).catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      message: expect.stringContaining('did not process'),
      unbilled: true,
      retryable: true,
    })
  })

  it('ignores replies to others, of others and given twice', async () => {
    const { open } = setUp()
    const queue = open({
      async *collect() {
        yield { id: 'of-someone-else', reply: { status: 200, body: 'x' } }
        for (const text of ['first', 'second']) {
          yield { id: `${ids[1]}`, reply: { status: 200, body: `b ${text}` } }
          yield { id: `${ids[0]}`, reply: { status: 200, body: `a ${text}` } }
        }
      },
      submit: async (entries) => {
        ids = entries.map(({ id }) => id)
        return 'batch_0'
      },
    })
    let ids: string[] = []
    const replies = await Promise.all(['a', 'b'].map((text) => queue.ask(text, body(text))))
    expect(replies.map((reply) => reply.body)).toEqual(['a first', 'b first'])
  })

  it('splits by model, number and bytes, not characters', () => {
    const entry = (id: string, model: string, text: string) => ({ id, body: JSON.stringify({ model, text }) })
    const split = (entries: BatchEntry[], limits: { maxEntries: number; maxBytes?: number }) =>
      [...splitIntoBatches(entries, limits)].map((part) => part.map(({ id }) => id))
    const entries = [entry('1', 'm', '漢字漢字'), entry('2', 'n', ''), entry('3', 'm', '漢字漢字'), entry('4', 'm', '')]
    expect(split(entries, { maxEntries: 2 })).toEqual([['1', '3'], ['4'], ['2']])
    // 24 characters and 8 more bytes each.
    expect(split(entries, { maxEntries: 9, maxBytes: 60 })).toEqual([['1'], ['3', '4'], ['2']])
  })
})
