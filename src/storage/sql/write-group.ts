import type { Write } from './operation.ts'

interface Call {
  write: Write<unknown>
  result: unknown
  succeed: (result: unknown) => void
  fail: (error: unknown) => void
  settlesWhen: 'committed' | 'durable'
}

export interface WriteOptions {
  /** Committed writes survive a crash of this program; durable ones (the default) also survive a power failure. */
  settlesWhen?: 'committed' | 'durable'
  /** Nothing waits for it: it joins the next commit, or gets its own after some turns. */
  deferrable?: boolean
}

export interface WriteGroupOptions {
  /** Writes all calls in one transaction and returns their results in order; if it throws, nothing was written. */
  perform: (writes: Write<unknown>[]) => Promise<unknown[]>
  /** Resolves when everything committed so far survives a power failure. Without it, every commit does. */
  makeDurable?: () => Promise<void>
  /** Returns true if the error affects every call, so that retrying them one by one is useless. */
  affectsAll: (error: unknown) => boolean
}

/** How many turns of the event loop a commit waits for more writes, as long as each turn brings some. */
const MAX_TURNS = 4

/** Turns between two syncs to disk, and until a deferrable write gets its own commit. */
const SYNC_TURNS = 32

/**
 * Writes made within a few turns of the event loop share one commit, which makes them fast: the answers of a busy run
 * arrive one per turn. A single write waits one extra turn. Syncs to disk happen separately, for all commits since the
 * last one; commits continue meanwhile. If a commit fails, each call gets its own transaction, so that one bad call
 * does not fail the others.
 */
export class WriteGroup {
  readonly #options: WriteGroupOptions
  /** In the order they arrived, which is the order they are written in. */
  #waiting: Call[] = []
  #isUrgent = false
  #unsettled: Call[] = []
  #turns = 0
  #isTurnPlanned = false
  #hasUnsynced = false
  #isSyncing = false
  /** A sync that failed while no call was waiting for it; the next waiting calls fail with it. */
  #unreported: { error: unknown } | undefined
  #whenIdle: (() => void)[] = []

  constructor(options: WriteGroupOptions) {
    this.#options = options
  }

  async add<Result>(
    write: Write<Result>,
    { settlesWhen = 'durable', deferrable = false }: WriteOptions = {},
  ): Promise<Result> {
    const result = await new Promise<unknown>((succeed, fail) => {
      this.#waiting.push({ write, result: undefined, succeed, fail, settlesWhen })
      if (!deferrable) this.#isUrgent = true
      this.#planTurn()
    })
    // It comes from the operation of this write.
    return result as Result
  }

  /** Resolves when nothing is waiting any more. */
  async drain(): Promise<void> {
    if (!this.#isBusy) return
    await new Promise<void>((resolve) => {
      this.#whenIdle.push(resolve)
    })
  }

  get #isBusy(): boolean {
    return this.#isTurnPlanned || this.#isSyncing
  }

  #planTurn(): void {
    if (this.#isTurnPlanned) return
    this.#isTurnPlanned = true
    this.#gather(1)
  }

  #gather(turn: number): void {
    const before = this.#waiting.length
    setImmediate(() => {
      this.#turns++
      if (this.#waiting.length > before && turn < MAX_TURNS) this.#gather(turn + 1)
      else void this.#takeTurn()
    })
  }

  async #takeTurn(): Promise<void> {
    const isDue = !this.#isSyncing && this.#turns >= SYNC_TURNS
    if (this.#isUrgent || isDue)
      while (this.#waiting.length > 0) {
        // Each time: calls that arrive during a commit are written here too, and must not ask for another turn.
        this.#isUrgent = false
        await this.#commit(this.#waiting.splice(0))
      }
    if (isDue) {
      this.#turns = 0
      if (this.#hasUnsynced) void this.#sync()
    }
    this.#isTurnPlanned = false
    this.#continue()
  }

  #continue(): void {
    const hasMore = this.#waiting.length > 0 || this.#hasUnsynced
    if (this.#isUrgent || (hasMore && !this.#isSyncing)) this.#planTurn()
    if (!this.#isBusy) for (const resolve of this.#whenIdle.splice(0)) resolve()
  }

  async #commit(calls: Call[]): Promise<void> {
    const { perform, affectsAll, makeDurable } = this.#options
    try {
      const results = await perform(calls.map(({ write }) => write))
      for (const [index, call] of calls.entries()) call.result = results[index]
    } catch (error) {
      if (calls.length === 1 || affectsAll(error)) for (const call of calls) call.fail(error)
      else for (const call of calls) await this.#commit([call])
      return
    }
    if (makeDurable) this.#hasUnsynced = true
    for (const call of calls) {
      if (!makeDurable || call.settlesWhen === 'committed') call.succeed(call.result)
      else this.#unsettled.push(call)
    }
  }

  async #sync(): Promise<void> {
    this.#isSyncing = true
    this.#hasUnsynced = false
    const calls = this.#unsettled.splice(0)
    let failure = this.#unreported
    try {
      await this.#options.makeDurable?.()
    } catch (error) {
      failure ??= { error }
    }
    this.#isSyncing = false
    this.#unreported = calls.length === 0 ? failure : undefined
    for (const call of calls) {
      // Not retried: they are committed (though they may still be lost), so a retry would write them twice.
      if (failure) call.fail(failure.error)
      else call.succeed(call.result)
    }
    this.#continue()
  }
}
