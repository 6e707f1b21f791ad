import { setTimeout as pause } from 'node:timers/promises'
import { LeaseLost, StorageError, type CancelSignal, type TakenWork, type WorkQueue } from '../../contract/index.ts'
import type { Limiter } from '../requesting/limiter.ts'
import { createRefusals, type Refusals } from '../refusals.ts'
import type { RunOptions, RunTools } from '../run-tools.ts'
import { createStoredPlans } from './stored-plans.ts'
import { isQuarantined, workOnLease, type LeaseReport } from './work-on-lease.ts'

/** Leases expire after 10 s. */
const RENEW_EVERY_MS = 3_000
const SUPERVISE_EVERY_MS = 1_000
/** If a notification is missed. */
const LOOK_EVERY_MS = 2_000
/** While one lease waits for its last answers, the next ones begin. */
const MAX_LEASES = 4
/** How long a run that this worker cannot work on is left to others. */
const LEAVE_OUT_MS = 30_000

export interface WorkerOptions {
  queue: WorkQueue
  tools: RunTools
  /** Most cells at once. */
  concurrency: number
  /** Stops taking work; calls in progress have `graceMs` to end. */
  signal: CancelSignal
  graceMs: number
  onReport(report: WorkerReport): void
  /** Reads keys, endpoints and limits again; true if they have changed. Called before each lease. */
  renewSettings?(): Promise<boolean>
  /** Events of the cells it works on. */
  onEvent?: RunOptions['onEvent']
}

export type WorkerReport =
  | LeaseReport
  /** The queue cannot be reached, or the work failed; the worker goes on trying. */
  | { type: 'away'; error: Error }

/** Why the worker has ended: it was told to, or the team runs another version. */
export type WorkerEnd = { neededVersion?: string }

interface ActiveLease {
  taken: TakenWork
  /** Cells that are not finished. */
  open: number
  /** Aborts requests in progress. */
  controller: AbortController
  ended: Promise<void>
}

const seriesOf = ({ work: { seriesId, runId } }: TakenWork) => seriesId ?? runId

/** Takes work from the queue until it is told to stop. */
export async function runWorker(options: WorkerOptions): Promise<WorkerEnd> {
  const { queue, tools, concurrency, signal, graceMs, onReport } = options
  const findPlan = createStoredPlans({ ...tools, queue }, async () => (await options.renewSettings?.()) ?? false)
  const limiters = new Map<number, Map<string, Limiter>>()
  const limitersOf = (limit: number) => {
    const found = limiters.get(limit) ?? new Map<string, Limiter>()
    limiters.set(limit, found)
    return found
  }
  /** By series or run. Forgotten with its last lease here: a resume may have a new key. */
  const refusals = new Map<string, Refusals>()
  const refusalsOf = (taken: TakenWork) => {
    const found = refusals.get(seriesOf(taken)) ?? createRefusals()
    refusals.set(seriesOf(taken), found)
    return found
  }
  const active = new Set<ActiveLease>()
  let hasNews = false
  let endRest = () => {}
  const wake = () => {
    hasNews = true
    endRest()
  }
  /** Runs to leave to others, and until when. */
  const leftOut = new Map<string, number>()
  const leaveOut = (runId: string, forMs = LEAVE_OUT_MS) => leftOut.set(runId, performance.now() + forMs)
  const listLeftOut = () => {
    for (const [runId, until] of leftOut) if (performance.now() >= until) leftOut.delete(runId)
    return [...leftOut.keys()]
  }
  /** Finished cells need not look again at a queue that was empty. */
  let emptyUntil = 0
  const isStopping = () => signal.aborted

  const start = (taken: TakenWork) => {
    const lease: ActiveLease = { taken, open: Infinity, controller: new AbortController(), ended: Promise.resolve() }
    // Where workers died, others' cells must not be in danger.
    const isFree = isQuarantined(taken) ? Promise.all([...active].map(({ ended }) => ended)) : Promise.resolve()
    active.add(lease)
    const input = {
      taken,
      tools: { ...tools, queue },
      findPlan,
      concurrency,
      limitersOf,
      refusals: refusalsOf(taken),
      onEvent: options.onEvent,
      signal: lease.controller.signal,
      isStopping,
      onProgress(open: number) {
        lease.open = open
        if (open <= concurrency) wake()
      },
    }
    lease.ended = isFree
      .then(() => workOnLease(input))
      .then((report) => {
        if (report.type === 'refused') leaveOut(report.runId)
        onReport(report)
      })
      .catch((error: unknown) => {
        if (error instanceof LeaseLost) return onReport({ type: 'lost', work: taken.work })
        leaveOut(taken.work.runId, error instanceof StorageError ? LOOK_EVERY_MS : LEAVE_OUT_MS)
        return onReport({ type: 'away', error: error instanceof Error ? error : new Error(String(error)) })
      })
      .finally(() => {
        active.delete(lease)
        const id = seriesOf(taken)
        if (![...active].some((other) => seriesOf(other.taken) === id)) {
          refusals.delete(id)
          void tools.pacing?.endRun(id).catch(() => {})
        }
        wake()
      })
  }

  const renewAll = async () => {
    await Promise.all(
      [...active].map(async (lease) => {
        // A database that cannot be reached now may be back before the lease runs out.
        const isHeld = await queue.renew(lease.taken).catch(() => true)
        if (!isHeld) lease.controller.abort()
      }),
    )
  }
  const every = (milliseconds: number, work: () => Promise<void>) => {
    let isBusy = false
    const timer = setInterval(() => {
      if (isBusy) return
      isBusy = true
      void work()
        .catch(() => undefined)
        .finally(() => (isBusy = false))
    }, milliseconds)
    return () => clearInterval(timer)
  }

  const stops = [
    every(RENEW_EVERY_MS, renewAll),
    every(SUPERVISE_EVERY_MS, () => queue.supervise()),
    queue.onWork((news) => {
      if (news === 'withdrawn') void renewAll()
      emptyUntil = 0
      wake()
    }),
  ]
  const onAbort = () => wake()
  signal.addEventListener('abort', onAbort, { once: true })
  const rest = async (milliseconds: number) => {
    if (!hasNews)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds)
        endRest = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    hasNews = false
  }

  const takeNext = async (): Promise<'taken' | 'none' | 'other version'> => {
    // All slots have cells for now.
    if ([...active].reduce((sum, { open }) => sum + open, 0) > concurrency || active.size >= MAX_LEASES) return 'none'
    if ([...active].some((lease) => isQuarantined(lease.taken))) return 'none'
    if (performance.now() < emptyUntil) return 'none'
    // Before the look: news that arrive meanwhile count.
    emptyUntil = performance.now() + LOOK_EVERY_MS
    const taken = await queue.take({ exceptRuns: listLeftOut() })
    if (taken) {
      emptyUntil = 0
      start(taken)
      return 'taken'
    }
    return active.size === 0 && (await queue.findOtherVersion()) !== undefined ? 'other version' : 'none'
  }

  try {
    while (!signal.aborted) {
      try {
        const next = await takeNext()
        if (next === 'other version') return { neededVersion: (await queue.findOtherVersion()) ?? queue.version }
        if (next === 'none') await rest(LOOK_EVERY_MS)
      } catch (error) {
        onReport({ type: 'away', error: error instanceof Error ? error : new Error(String(error)) })
        await rest(LOOK_EVERY_MS)
      }
    }
    return {}
  } finally {
    const ended = Promise.all([...active].map((lease) => lease.ended))
    const grace = new AbortController()
    await Promise.race([ended, pause(graceMs, undefined, { signal: grace.signal }).catch(() => undefined)])
    grace.abort()
    for (const { controller } of active) controller.abort()
    await ended
    for (const stop of stops) stop()
    signal.removeEventListener('abort', onAbort)
  }
}
