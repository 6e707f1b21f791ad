interface Call {
  /** Runs inside the transaction; keeps its result for later. */
  perform: () => void
  succeed: () => void
  fail: (error: unknown) => void
}

export interface WriteGroupOptions {
  /** Runs the work inside one transaction and throws what it threw, with nothing written. Waits for a lock. */
  transact: (work: () => void) => Promise<void>
  /** Settles when what has been committed will outlast a power failure. Writes go on gathering meanwhile. */
  makeDurable: () => Promise<void>
  /** True when the trouble is not with one call but with all: singly they would meet it again. */
  concernsAll: (error: unknown) => boolean
}

/** Turns of the event loop that a commit waits for more writes, as long as more come in each. */
const MOST_TURNS = 4

/** Turns that a write which nothing waits for lets pass before it asks for a commit of its own. */
const PATIENT_TURNS = 32

/**
 * Writes called within a few turns of the event loop share one commit, which is what makes durable writes quick: answers
 * of a busy run arrive one a turn, and a commit for each would be mostly waiting for the disk. A write that is alone waits
 * for one turn more. Each promise settles after its commit. When the commit fails, each call gets a transaction of its own, so that
 * one bad call does not take the others with it.
 */
export class WriteGroup {
  readonly #options: WriteGroupOptions
  #waiting: Call[] = []
  #isScheduled = false
  #isPatient = false
  #whenIdle: (() => void)[] = []

  constructor(options: WriteGroupOptions) {
    this.#options = options
  }

  /** A write that nothing waits for may be `patient`: it goes along with the next commit, or alone after some turns. */
  add<Result>(work: () => Result, { patient = false } = {}): Promise<Result> {
    return new Promise((resolve, reject) => {
      let keep: () => void
      this.#waiting.push({
        perform: () => {
          const result = work()
          keep = () => resolve(result)
        },
        succeed: () => keep(),
        fail: reject,
      })
      if (patient) this.#waitPatiently(PATIENT_TURNS)
      else this.#schedule()
    })
  }

  /** Settles when nothing is waiting any more. */
  drain(): Promise<void> {
    if (this.#waiting.length > 0) this.#schedule()
    if (!this.#isScheduled) return Promise.resolve()
    return new Promise((resolve) => {
      this.#whenIdle.push(resolve)
    })
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#gather(1)
  }

  #waitPatiently(turns: number): void {
    if (this.#isPatient || this.#isScheduled) return
    this.#isPatient = true
    setImmediate(() => {
      this.#isPatient = false
      if (this.#waiting.length === 0) return
      if (turns > 0) this.#waitPatiently(turns - 1)
      else this.#schedule()
    })
  }

  #gather(turn: number): void {
    const before = this.#waiting.length
    setImmediate(() => {
      if (this.#waiting.length > before && turn < MOST_TURNS) this.#gather(turn + 1)
      else void this.#flush()
    })
  }

  async #flush(): Promise<void> {
    const calls = this.#waiting
    this.#waiting = []
    await this.#commit(calls)
    this.#isScheduled = false
    if (this.#waiting.length > 0) this.#schedule()
    else for (const resolve of this.#whenIdle.splice(0)) resolve()
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
    try {
      await this.#options.makeDurable()
    } catch (error) {
      // They are written, and may yet be lost: written again they would be there twice.
      for (const call of calls) call.fail(error)
      return
    }
    for (const call of calls) call.succeed()
  }
}
