import { Worker } from 'node:worker_threads'
import type { RunResult } from '../../../contract/index.ts'
import { createPauses } from './pauses.ts'
import type { ThreadMessage, ThreadReply } from './results-thread.ts'
import { runJob, type JobResult, type ThreadJob } from './thread-jobs.ts'

/** A thread that waits for one job. Start it early, so that it is ready when the job is. */
export interface BackgroundThread {
  /** Calls `onResult` with each part of the result when it is ready; resolves after the last. */
  run(job: ThreadJob, onResult: (result: JobResult) => void): Promise<void>
  end(): void
}

/** The job failed, not the thread: running it again on the main thread would fail the same way. */
class JobFailed extends Error {
  override name = 'JobFailed'
}

const CELLS_AT_ONCE = 200

export function startThread(): BackgroundThread {
  // In the same folder as this module: the bundle has it there under the same name.
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const worker = new Worker(new URL(`./results-thread.${extension}`, import.meta.url))
  worker.unref()
  let failure: Error | undefined
  let settle: ((error?: Error) => void) | undefined
  let listen: ((result: JobResult) => void) | undefined
  const fail = (error: Error) => {
    failure ??= error
    settle?.(error)
  }
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('the thread ended')))
  worker.on('message', (reply: ThreadReply) => {
    if (reply.type === 'result') listen?.(reply.result)
    else if (reply.type === 'done') settle?.()
    else settle?.(new JobFailed(reply.message))
  })
  const send = (message: ThreadMessage) => worker.postMessage(message)

  /** In pieces: copying all results at once would block the main thread. */
  const sendResults = async (runs: readonly RunResult[]) => {
    const pauses = createPauses()
    for (const [run, { results }] of runs.entries())
      for (let start = 0; start < results.length; start += CELLS_AT_ONCE) {
        send({ type: 'results', run, results: results.slice(start, start + CELLS_AT_ONCE) })
        if (pauses.isDue()) await pauses.take()
      }
  }

  return {
    async run(job, onResult) {
      worker.ref()
      listen = onResult
      if (job.kind === 'export') await sendResults(job.input.runs)
      await new Promise<void>((resolve, reject) => {
        settle = (error) => {
          settle = undefined
          void worker.terminate()
          if (error) reject(error)
          else resolve()
        }
        if (failure) settle(failure)
        else send({ type: 'job', job: withoutResults(job) })
      })
    },
    end: () => void worker.terminate(),
  }
}

/** The results were sent earlier. */
function withoutResults(job: ThreadJob): ThreadJob {
  if (job.kind !== 'export') return job
  return { ...job, input: { ...job.input, runs: job.input.runs.map((run) => ({ ...run, results: [] })) } }
}

/** Runs the job on the given thread, or on this one if there is none or it cannot start. */
export async function runJobIn(
  thread: BackgroundThread | undefined,
  job: ThreadJob,
  onResult: (result: JobResult) => void,
): Promise<void> {
  if (thread)
    try {
      return await thread.run(job, onResult)
    } catch (error) {
      if (error instanceof JobFailed) throw error
    }
  for await (const result of runJob(job)) onResult(result)
}
