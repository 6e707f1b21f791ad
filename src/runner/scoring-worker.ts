import type { Worker } from 'node:worker_threads'
import { ScoringError, type ScoreInWorker, type RunToolCode, type ScoringLimits } from '../contract/index.ts'
import { codeTests, codeTestsOptions } from '../scoring/index.ts'
import { TRIES, type ThreadJob, type ThreadReply, type ThreadRequest } from './messages.ts'
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

/** Scoring methods that run code. */
const METHODS_WITH_ENGINE = new Set(['javascript', 'code-tests', 'world'])

let isolate: Promise<WebAssembly.Module> | undefined

/** Loaded on first use: it is larger than all scorers together. */
async function loadIsolate(): Promise<WebAssembly.Module> {
  const { readIsolateWasm } = await import('./isolate-wasm.ts')
  return WebAssembly.compile(readIsolateWasm())
}

interface WaitingJob {
  id: number
  job: ThreadJob
  isolate: WebAssembly.Module | undefined
  limits: ScoringLimits
  resolve(reply: ThreadResult): void
  reject(error: Error): void
}

type ThreadResult = Extract<ThreadReply, { result: unknown } | { run: unknown }>

const nameJob = (job: ThreadJob): string => ('tool' in job ? 'the tool' : job.scoringMethod)

function timeoutError({ deadlineMs, timeoutCode }: ScoringLimits, name: string): ScoringError {
  return new ScoringError(timeoutCode, `${name} was stopped after ${deadlineMs} ms`)
}

type WorkerThreads = typeof import('node:worker_threads')

interface ScoringThread {
  work(job: ThreadJob, limits: ScoringLimits, isolate: WebAssembly.Module | undefined): Promise<ThreadResult>
  /** Jobs waiting or running. */
  load(): number
}

/**
 * A long-lived thread that scores one job after another. A job's deadline starts with its own work, so a slow job ahead
 * of it costs it nothing. The thread starts on first use and does not keep the process alive when idle.
 */
function createThread(threads: WorkerThreads): ScoringThread {
  const waiting: WaitingJob[] = []
  let current: (WaitingJob & { backstop?: NodeJS.Timeout }) | undefined
  let worker: Worker | undefined
  let lastId = 0

  const startWorker = (): Worker => {
    // Without the process's flags: `--input-type=module` or a loader would break a thread created from text.
    const { NODE_COMPILE_CACHE } = process.env
    const options = {
      eval: typeof threadSource === 'string',
      execArgv: [],
      env: NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE },
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
      if ('result' in reply || 'run' in reply) resolve(reply)
      else if (reply.timedOut) reject(timeoutError(limits, nameJob(job)))
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
    lost?.reject(new ScoringError('scoring-failed', `${nameJob(lost.job)}: ${error.message}`, { cause: error }))
  }

  const stopCurrent = () => {
    const stopped = current
    void worker?.terminate()
    worker = undefined
    finishCurrent()
    stopped?.reject(timeoutError(stopped.limits, nameJob(stopped.job)))
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
    work: (job, limits, engine) =>
      new Promise((resolve, reject) => {
        waiting.push({ id: ++lastId, job, isolate: engine, limits, resolve, reject })
        startNext()
      }),
    load: () => waiting.length + (current ? 1 : 0),
  }
}

/** How long the code of a tool may take. */
const TOOL_DEADLINE_MS = 2000

export interface Threads {
  scoreInWorker: ScoreInWorker
  runToolCode: RunToolCode
}

/**
 * Starts a few threads when needed, so that a pattern that never ends holds up only its own thread. Returns
 * undefined where there are no threads, as in a browser. Node's modules are looked up at run time, not
 * imported: a bundle for a browser must not contain the import.
 */
export function createThreads(pythonFolders: () => readonly string[] = () => []): Threads | undefined {
  const { getBuiltinModule } = (globalThis as { process?: Partial<NodeJS.Process> }).process ?? {}
  const threads = getBuiltinModule?.('node:worker_threads')
  if (!threads) return undefined
  const started: ScoringThread[] = []
  const maxThreads = Math.min(MAX_THREADS, navigator.hardwareConcurrency)

  const findThread = (): ScoringThread => {
    const found = started.toSorted((a, b) => a.load() - b.load())[0]
    if (found && (found.load() === 0 || started.length >= maxThreads)) return found
    const thread = createThread(threads)
    started.push(thread)
    return thread
  }

  return {
    async scoreInWorker(job, limits) {
      const options = job.scoringMethod === codeTests.name ? codeTestsOptions.parse(job.options) : undefined
      if (options?.language === 'python') {
        // A process of its own. Loaded when first needed.
        const { runPythonTests } = await import('./code-tests/run-python-tests.ts')
        return runPythonTests(job.input, options, pythonFolders())
      }
      const engine = METHODS_WITH_ENGINE.has(job.scoringMethod) ? await (isolate ??= loadIsolate()) : undefined
      const done = await findThread().work(job, limits, engine)
      if ('result' in done) return done.result
      throw new ScoringError('scoring-failed', `${job.scoringMethod}: the thread did something else`)
    },
    async runToolCode(tool) {
      const engine = await (isolate ??= loadIsolate())
      const limits: ScoringLimits = { deadlineMs: TOOL_DEADLINE_MS, timeoutCode: 'scoring-timeout' }
      try {
        const done = await findThread().work({ tool }, limits, engine)
        if ('run' in done) return done.run
        throw new ScoringError('scoring-failed', 'the tool: the thread did something else')
      } catch (error) {
        // The thread had to be ended.
        if (error instanceof ScoringError) return { error: error.message, isFaulty: true }
        throw error
      }
    },
  }
}

/** Why no answer can be scored by this method here: a package that it needs is not installed. */
export async function findObstacle(
  scoringMethod: string,
  options: unknown,
  pythonFolders: readonly string[],
): Promise<string | undefined> {
  if (scoringMethod !== codeTests.name || codeTestsOptions.safeParse(options).data?.language !== 'python')
    return undefined
  const { describeMissingPython } = await import('./code-tests/run-python-tests.ts')
  return describeMissingPython(pythonFolders)
}
