interface Call {
  /** Runs inside the transaction; keeps its result for later. */
  perform: () => void
  succeed: () => void
  fail: (error: unknown) => void
  settlesWhen: 'committed' | 'durable'
}

export interface WriteOptions {
  /** What is committed outlasts this program; what is durable, which is the rule, outlasts a power failure too. */
  settlesWhen?: 'committed' | 'durable'
  /** Nothing waits for it: it goes along with the next commit, or alone after some turns. */
  patient?: boolean
}

export interface WriteGroupOptions {
  /** Runs the work inside one transaction and throws what it threw, with nothing written. Waits for a lock. */
  transact: (work: () => void) => Promise<void>
  /** Settles when what has been committed will outlast a power failure. Writes go on meanwhile. */
  makeDurable: () => Promise<void>
  /** True when the trouble is not with one call but with all: singly they would meet it again. */
  concernsAll: (error: unknown) => boolean
}

/** Turns of the event loop that a commit waits for more writes, as long as more come in each. */
const MOST_TURNS = 4

/** Turns between one wait for the disk and the next, and after which a write that nothing waits for gets a commit of its own. */
const PATIENT_TURNS = 32

/**
 * Writes called within a few turns of the event loop share one commit, which is what makes them quick: answers of a busy run arrive
 * one a turn. A write that is alone waits for one turn more. The disk is waited for apart from that, for all commits since the
 * last time; commits go on meanwhile. When one fails, each call gets a transaction of its own, so that one bad call does not take the
 * others with it.
 */
export class WriteGroup {
  readonly #options: WriteGroupOptions
  /** In the order in which they came, which is that in which they are written. */
  #waiting: Call[] = []
  #isUrgent = false
  #unsettled: Call[] = []
  #turns = 0
  #isTurnPlanned = false
  #hasUnsynced = false
  #isSyncing = false
  /** That the disk refused what nobody was waiting for; the next who wait for it are told. */
  #untold: { error: unknown } | undefined
  #whenIdle: (() => void)[] = []

  constructor(options: WriteGroupOptions) {
    this.#options = options
  }

  add<Result>(work: () => Result, { settlesWhen = 'durable', patient = false }: WriteOptions = {}): Promise<Result> {
    return new Promise((resolve, reject) => {
      let keep: () => void
      const call = {
        perform: () => {
          const result = work()
          keep = () => resolve(result)
        },
        succeed: () => keep(),
        fail: reject,
        settlesWhen,
      }
      this.#waiting.push(call)
      if (!patient) this.#isUrgent = true
      this.#planTurn()
    })
  }

  /** Settles when nothing is waiting any more. */
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
      if (this.#waiting.length > before && turn < MOST_TURNS) this.#gather(turn + 1)
      else void this.#takeTurn()
    })
  }

  async #takeTurn(): Promise<void> {
    const isDue = !this.#isSyncing && this.#turns >= PATIENT_TURNS
    if (this.#waiting.length > 0 && (this.#isUrgent || isDue)) {
      this.#isUrgent = false
      await this.#commit(this.#waiting.splice(0))
    }
    if (isDue) {
      this.#turns = 0
      if (this.#hasUnsynced) void this.#sync()
    }
    this.#isTurnPlanned = false
    this.#goOn()
  }

  #goOn(): void {
    const hasMore = this.#waiting.length > 0 || this.#hasUnsynced
    if (this.#isUrgent || (hasMore && !this.#isSyncing)) this.#planTurn()
    if (!this.#isBusy) for (const resolve of this.#whenIdle.splice(0)) resolve()
  }

  async #commit(calls: Call[]): Promise<void> {
    try {
      await this.#options.transact(() => {
        for (const call of calls) call.perform()
      })
    } catch (error) {
      if (calls.length === 1 || this.#options.concernsAll(error)) for (const call of calls) call.fail(error)
      else for (const call of calls) await this.#commit([call])
      return
    }
    this.#hasUnsynced = true
    for (const call of calls) {
      if (call.settlesWhen === 'committed') call.succeed()
      else this.#unsettled.push(call)
    }
  }

  async #sync(): Promise<void> {
    this.#isSyncing = true
    this.#hasUnsynced = false
    const calls = this.#unsettled.splice(0)
    let failure = this.#untold
    try {
      await this.#options.makeDurable()
    } catch (error) {
      failure ??= { error }
    }
    this.#isSyncing = false
    this.#untold = calls.length === 0 ? failure : undefined
    for (const call of calls) {
      // They are written, and may yet be lost: written again they would be there twice.
      if (failure) call.fail(failure.error)
      else call.succeed()
    }
    this.#goOn()
  }
}
