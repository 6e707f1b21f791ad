import type { Worker } from 'node:worker_threads'
import {
  ScoringError,
  type ScoreElsewhere,
  type ScoringJob,
  type ScoringLimits,
  type ScoringResult,
} from '../contract/index.ts'
import { scoreJob } from '../scoring/index.ts'
import { MOST_TRIES, type ThreadReply, type ThreadRequest } from './messages.ts'
import { threadSource } from './thread-source.ts'

/**
 * The thread stops itself at the deadline, or at the third when it did not get its share of the processor; should it not answer, it is
 * ended this much later. Counted from when it began: on a busy machine a thread may take seconds to start.
 */
const BACKSTOP_MS = 2000

const MOST_THREADS = 4

interface WaitingJob {
  id: number
  job: ScoringJob
  limits: ScoringLimits
  resolve(result: ScoringResult): void
  reject(error: Error): void
}

function timeoutError({ deadlineMs, timeoutCode }: ScoringLimits, scoringMethod: string): ScoringError {
  return new ScoringError(timeoutCode, `${scoringMethod} was stopped after ${deadlineMs} ms`)
}

type Threads = typeof import('node:worker_threads')

interface ScoringThread {
  score: ScoreElsewhere
  /** Jobs waiting or under way. */
  load(): number
}

/**
 * One long-lived thread that scores one job after another. A job's deadline starts when its own work starts, so a slow
 * one before it costs it nothing. The thread is started on first use and does not keep the process alive when idle.
 */
function createThread(threads: Threads): ScoringThread {
  const waiting: WaitingJob[] = []
  let current: (WaitingJob & { backstop?: NodeJS.Timeout }) | undefined
  let worker: Worker | undefined
  let lastId = 0

  const startWorker = (): Worker => {
    // Without the flags of the process: `--input-type=module` or a loader would break a thread made from text.
    const clean = { eval: typeof threadSource === 'string', execArgv: [], env: {} }
    const started = new threads.Worker(threadSource, clean)
    started.on('message', (reply: ThreadReply) => {
      if (reply.id !== current?.id) return
      const { resolve, reject, limits, job } = current
      if ('began' in reply) {
        current.backstop = setTimeout(stopCurrent, MOST_TRIES * limits.deadlineMs + BACKSTOP_MS)
        return
      }
      finishCurrent()
      if ('result' in reply) resolve(reply.result)
      else if (reply.timedOut) reject(timeoutError(limits, job.scoringMethod))
      else reject(new ScoringError(reply.code, reply.message))
    })
    started.on('error', (error: Error) => failCurrent(started, error))
    started.on('exit', () => failCurrent(started, new Error('the scoring thread ended')))
    started.unref()
    return started
  }

  const finishCurrent = () => {
    clearTimeout(current?.backstop)
    current = undefined
    if (waiting.length === 0) worker?.unref()
    startNext()
  }

  /** A thread that ran out of memory is replaced; only the job it was at is lost. */
  const failCurrent = (failed: Worker, error: Error) => {
    if (failed !== worker) return
    worker = undefined
    const lost = current
    finishCurrent()
    lost?.reject(new ScoringError('scoring-failed', `${lost.job.scoringMethod}: ${error.message}`, { cause: error }))
  }

  const stopCurrent = () => {
    const stopped = current
    void worker?.terminate()
    worker = undefined
    finishCurrent()
    stopped?.reject(timeoutError(stopped.limits, stopped.job.scoringMethod))
  }

  const startNext = () => {
    if (current || waiting.length === 0) return
    const next = waiting.shift()!
    worker ??= startWorker()
    worker.ref()
    current = { ...next }
    const request: ThreadRequest = { id: next.id, job: next.job, deadlineMs: next.limits.deadlineMs }
    worker.postMessage(request)
  }

  return {
    score: (job, limits) =>
      new Promise((resolve, reject) => {
        waiting.push({ id: ++lastId, job, limits, resolve, reject })
        startNext()
      }),
    load: () => waiting.length + (current ? 1 : 0),
  }
}

/**
 * A few threads, started as they are needed, so that one pattern that does not end holds up only its own thread. Where there are
 * none, as in a browser, the work is done at once on the caller's thread, and no deadline stops it. Node's modules are asked for and
 * not imported: a bundle for a browser must not contain the import.
 */
export function createScoringWorker(): ScoreElsewhere {
  const { getBuiltinModule } = (globalThis as { process?: Partial<NodeJS.Process> }).process ?? {}
  const threads = getBuiltinModule?.('node:worker_threads')
  if (!threads) return scoreJob
  const started: ScoringThread[] = []
  const mostThreads = Math.min(MOST_THREADS, navigator.hardwareConcurrency)

  return (job, limits) => {
    let thread = started.toSorted((a, b) => a.load() - b.load())[0]
    if (!thread || (thread.load() > 0 && started.length < mostThreads)) {
      thread = createThread(threads)
      started.push(thread)
    }
    return thread.score(job, limits)
  }
}
