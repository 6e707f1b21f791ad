import type { Worker } from 'node:worker_threads'
import {
  ScoringError,
  type ScoreInWorker,
  type ScoringJob,
  type ScoringLimits,
  type ScoringResult,
} from '../contract/index.ts'
import { TRIES, type ThreadReply, type ThreadRequest } from './messages.ts'
import { threadSource } from './thread-source.ts'

/**
 * A thread stops a job itself at the deadline, after several tries when it got too little CPU time. A thread that does
 * not answer is terminated this much later. Measured from the start of the job: on a busy machine a thread may
 * take seconds to start.
 */
const BACKSTOP_MS = 2000

/** All tries together. */
const MAX_FACTOR = TRIES.reduce((sum, factor) => sum + factor)

const MAX_THREADS = 4

/** For WebAssembly inside the thread, whose recursion uses the thread's own stack. */
const STACK_MB = 4

let isolate: Promise<WebAssembly.Module> | undefined

/** Loaded on first use: it is larger than all scorers together. */
async function loadIsolate(): Promise<WebAssembly.Module> {
  const { readIsolateWasm } = await import('./isolate-wasm.ts')
  return WebAssembly.compile(readIsolateWasm())
}

interface WaitingJob {
  id: number
  job: ScoringJob
  isolate: WebAssembly.Module | undefined
  limits: ScoringLimits
  resolve(result: ScoringResult): void
  reject(error: Error): void
}

function timeoutError({ deadlineMs, timeoutCode }: ScoringLimits, scoringMethod: string): ScoringError {
  return new ScoringError(timeoutCode, `${scoringMethod} was stopped after ${deadlineMs} ms`)
}

type Threads = typeof import('node:worker_threads')

interface ScoringThread {
  score(job: ScoringJob, limits: ScoringLimits, isolate: WebAssembly.Module | undefined): Promise<ScoringResult>
  /** Jobs waiting or running. */
  load(): number
}

/**
 * A long-lived thread that scores one job after another. A job's deadline starts with its own work, so a slow job ahead
 * of it costs it nothing. The thread starts on first use and does not keep the process alive when idle.
 */
function createThread(threads: Threads): ScoringThread {
  const waiting: WaitingJob[] = []
  let current: (WaitingJob & { backstop?: NodeJS.Timeout }) | undefined
  let worker: Worker | undefined
  let lastId = 0

  const startWorker = (): Worker => {
    // Without the process's flags: `--input-type=module` or a loader would break a thread created from text.
    const options = {
      eval: typeof threadSource === 'string',
      execArgv: [],
      env: {},
      resourceLimits: { stackSizeMb: STACK_MB },
    }
    const started = new threads.Worker(threadSource, options)
    started.on('message', (reply: ThreadReply) => {
      if (reply.id !== current?.id) return
      const { resolve, reject, limits, job } = current
      if ('began' in reply) {
        current.backstop = setTimeout(stopCurrent, MAX_FACTOR * limits.deadlineMs + BACKSTOP_MS)
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

  /** A thread that runs out of memory is replaced; only its current job is lost. */
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
    const { id, job, limits } = next
    const request: ThreadRequest = {
      id,
      job,
      deadlineMs: limits.deadlineMs,
      ...(next.isolate && { isolate: next.isolate }),
    }
    worker.postMessage(request)
  }

  return {
    score: (job, limits, engine) =>
      new Promise((resolve, reject) => {
        waiting.push({ id: ++lastId, job, isolate: engine, limits, resolve, reject })
        startNext()
      }),
    load: () => waiting.length + (current ? 1 : 0),
  }
}

/**
 * Starts a few threads when needed, so that a pattern that never ends holds up only its own thread. Returns
 * undefined where there are no threads, as in a browser. Node's modules are looked up at run time, not
 * imported: a bundle for a browser must not contain the import.
 */
export function createScoringWorker(): ScoreInWorker | undefined {
  const { getBuiltinModule } = (globalThis as { process?: Partial<NodeJS.Process> }).process ?? {}
  const threads = getBuiltinModule?.('node:worker_threads')
  if (!threads) return undefined
  const started: ScoringThread[] = []
  const maxThreads = Math.min(MAX_THREADS, navigator.hardwareConcurrency)

  return async (job, limits) => {
    const engine = job.scoringMethod === 'javascript' ? await (isolate ??= loadIsolate()) : undefined
    let thread = started.toSorted((a, b) => a.load() - b.load())[0]
    if (!thread || (thread.load() > 0 && started.length < maxThreads)) {
      thread = createThread(threads)
      started.push(thread)
    }
    return thread.score(job, limits, engine)
  }
}
