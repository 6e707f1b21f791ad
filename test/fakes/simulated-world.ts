import {
  ClientError,
  type Client,
  type ModelAnswer,
  type ModelRequest,
  type Storage,
} from '../../src/contract/index.ts'
import type { Clock } from '../../src/services/requesting/clock.ts'

/** The probability of each way a request can fail. */
export interface Faults {
  rateLimited: number
  serverError: number
  empty: number
  brokenStream: number
  hang: number
}

/**
 * A world with its own time and randomness, in which a process can die after any await. A dead process has no effect:
 * its calls never settle.
 */
export class SimulatedWorld {
  time = 1_700_000_000_000
  /** Requests that reached the provider. */
  sent = 0
  /** Attempts in flight when a process died. */
  lostInCrashes = 0
  maxInFlight = 0
  /** Dollars that the provider charged for answers. */
  charged = 0
  private inFlight = 0
  private readonly timers: { at: number; order: number; fire: () => void }[] = []
  private order = 0
  private steps = 0
  /** Calls that a real component is still handling: simulated time stops meanwhile. */
  busy = 0
  private readonly random: () => number
  private readonly faults: Faults
  private readonly faultsEndAfter: number

  constructor(random: () => number, faults: Faults, faultsEndAfter: number) {
    this.random = random
    this.faults = faults
    this.faultsEndAfter = faultsEndAfter
  }

  private wait(milliseconds: number): Promise<void> {
    return new Promise((fire) => this.timers.push({ at: this.time + milliseconds, order: this.order++, fire }))
  }

  /** Advances time until the work has settled or its process has died. */
  async run<T>(work: Promise<T>, process: SimulatedProcess): Promise<{ value: T } | 'crashed'> {
    let settled: { value: T } | { error: unknown } | undefined
    work.then(
      (value) => (settled = { value }),
      (error: unknown) => (settled = { error }),
    )
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve))
      if (this.busy > 0) continue
      if (!process.isAlive) return 'crashed'
      if (settled) {
        if ('error' in settled) throw settled.error
        return settled
      }
      if (++this.steps > 200_000) throw new Error('the run does not end')
      this.timers.sort((a, b) => a.at - b.at || a.order - b.order)
      const next = this.timers.shift()
      if (!next) throw new Error('the run is stuck')
      this.time = Math.max(this.time, next.at)
      next.fire()
    }
  }

  /** Starts a process that dies at its n-th step (an await in a port), or never. */
  start(diesAtStep: number): SimulatedProcess {
    return new SimulatedProcess(this, diesAtStep)
  }

  delay(): Promise<void> {
    return this.wait(Math.floor(this.random() * 5))
  }

  sleep(milliseconds: number): Promise<void> {
    return this.wait(milliseconds)
  }

  /** The provider's side of a request: answers depend only on the request, faults are random. */
  async serve(request: ModelRequest, answerOf: (request: ModelRequest) => string): Promise<ModelAnswer> {
    this.sent++
    this.inFlight++
    this.maxInFlight = Math.max(this.maxInFlight, this.inFlight)
    try {
      return await this.reply(request, answerOf)
    } finally {
      this.inFlight--
    }
  }

  private async reply(request: ModelRequest, answerOf: (request: ModelRequest) => string): Promise<ModelAnswer> {
    const latencyMs = 20 + Math.floor(this.random() * 200)
    const fault = this.sent <= this.faultsEndAfter ? this.random() : 1
    const { rateLimited, serverError, empty, brokenStream, hang } = this.faults
    let bound = hang
    if (fault < bound) {
      await this.wait(request.firstTokenTimeoutMs ?? 120_000)
      throw new ClientError('timeout', 'no token in time')
    }
    await this.wait(latencyMs)
    if (fault < (bound += rateLimited))
      throw new ClientError('refused', 'HTTP 429', { status: 429, retryAfterMs: 1000 })
    if (fault < (bound += serverError)) throw new ClientError('refused', 'HTTP 500', { status: 500 })
    if (fault < (bound += brokenStream) && request.stream !== false)
      throw new ClientError('broken', 'the stream ended early')
    const cost = 0.001
    this.charged += cost
    const answer = { latencyMs, promptTokens: 10, completionTokens: 5, cost }
    if (fault < bound + empty && fault >= bound) return { ...answer, outcome: 'empty', response: '' }
    return { ...answer, outcome: 'ok', response: answerOf(request) }
  }
}

export class SimulatedProcess {
  isAlive = true
  /** Started attempts whose end is not in the ledger yet: what a crash may lose. */
  openAttempts = 0
  private step = 0
  private readonly world: SimulatedWorld
  private readonly diesAtStep: number

  constructor(world: SimulatedWorld, diesAtStep: number) {
    this.world = world
    this.diesAtStep = diesAtStep
  }

  /** Every port call goes through here: the process may die before or after it takes effect. */
  async through<T>(action: () => T | Promise<T>): Promise<T> {
    await this.world.delay()
    this.countStep()
    if (!this.isAlive) return new Promise<never>(() => {})
    const result = await action()
    this.countStep()
    if (!this.isAlive) return new Promise<never>(() => {})
    return result
  }

  /** A call to the storage, which is real: it takes turns of the event loop but no simulated time. */
  private store<T>(action: () => Promise<T>): Promise<T> {
    return this.through(async () => {
      this.world.busy++
      try {
        return await action()
      } finally {
        this.world.busy--
      }
    })
  }

  private countStep(): void {
    if (!this.isAlive || ++this.step !== this.diesAtStep) return
    this.isAlive = false
    this.world.lostInCrashes += this.openAttempts
  }

  clock(): Clock {
    return { now: () => this.world.time, sleep: (milliseconds) => this.through(() => this.world.sleep(milliseconds)) }
  }

  /** The same storage, used by a process that may die. */
  storage(storage: Storage): Storage {
    return {
      ...storage,
      createRun: (...args) => this.store(() => storage.createRun(...args)),
      startAttempt: async (attempt) => {
        this.openAttempts++
        return this.store(() => storage.startAttempt(attempt))
      },
      endAttempt: (...args) => this.store(() => this.close(storage.endAttempt(...args))),
      saveAnswer: (...args) => this.store(() => this.close(storage.saveAnswer(...args))),
      saveScore: (...args) => this.store(() => storage.saveScore(...args)),
      saveError: (...args) => this.store(() => storage.saveError(...args)),
      setRunStatus: (...args) => this.store(() => storage.setRunStatus(...args)),
      reopenErrors: (...args) => this.store(() => storage.reopenErrors(...args)),
      loadRun: (...args) => this.store(() => storage.loadRun(...args)),
      loadOpenCells: (...args) => this.store(() => storage.loadOpenCells(...args)),
      loadAttempts: (...args) => this.store(() => storage.loadAttempts(...args)),
      listRuns: (...args) => this.store(() => storage.listRuns(...args)),
      saveRequest: (...args) => this.store(() => storage.saveRequest(...args)),
      savePayers: (...args) => this.store(() => storage.savePayers(...args)),
      claim: (...args) => this.store(() => storage.claim(...args)),
      renewClaim: (...args) => this.store(() => storage.renewClaim(...args)),
      listClaims: (...args) => this.store(() => storage.listClaims(...args)),
      releaseClaim: (...args) => this.store(() => storage.releaseClaim(...args)),
    }
  }

  private async close(written: Promise<void>): Promise<void> {
    await written
    this.openAttempts--
  }

  client(answerOf: (request: ModelRequest) => string): Client {
    return {
      provider: 'simulated',
      complete: (request) => this.through(() => this.world.serve(request, answerOf)),
      listModels: async () => [],
      close: async () => {},
    }
  }
}
