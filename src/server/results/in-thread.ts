import { Worker } from 'node:worker_threads'
import type { RunResult } from '../../contract/index.ts'
import type { ThreadMessage, ThreadReply } from './results-thread.ts'
import { takeTurns } from './turns.ts'
import { doWork, type ThreadWork, type WorkResult } from './thread-work.ts'

/** A thread that waits for its work; made early, so that it is ready by the time there is something to do. */
export interface ReadyThread {
  /** Calls back with each part as it is ready; settles after the last. */
  run(work: ThreadWork, onResult: (result: WorkResult) => void): Promise<void>
  end(): void
}

/** In the work itself, not in the thread: doing it again elsewhere would end the same. */
class WorkFailed extends Error {
  override name = 'WorkFailed'
}

const CELLS_AT_ONCE = 200

export function startThread(): ReadyThread {
  // Beside this module: the bundle has it there under the same name.
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const worker = new Worker(new URL(`./results-thread.${extension}`, import.meta.url))
  worker.unref()
  let failure: Error | undefined
  let settle: ((error?: Error) => void) | undefined
  let listen: ((result: WorkResult) => void) | undefined
  const fail = (error: Error) => {
    failure ??= error
    settle?.(error)
  }
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('the thread ended')))
  worker.on('message', (reply: ThreadReply) => {
    if (reply.type === 'result') listen?.(reply.result)
    else if (reply.type === 'done') settle?.()
    else settle?.(new WorkFailed(reply.message))
  })
  const send = (message: ThreadMessage) => worker.postMessage(message)

  /** In pieces that do not hold up this thread. */
  const sendResults = async (runs: readonly RunResult[]) => {
    const turns = takeTurns()
    for (const [run, { results }] of runs.entries())
      for (let start = 0; start < results.length; start += CELLS_AT_ONCE) {
        send({ type: 'results', run, results: results.slice(start, start + CELLS_AT_ONCE) })
        if (turns.isDue()) await turns.give()
      }
  }

  return {
    async run(work, onResult) {
      worker.ref()
      listen = onResult
      if (work.kind === 'export') await sendResults(work.job.runs)
      await new Promise<void>((resolve, reject) => {
        settle = (error) => {
          settle = undefined
          void worker.terminate()
          if (error) reject(error)
          else resolve()
        }
        if (failure) settle(failure)
        else send({ type: 'work', work: withoutResults(work) })
      })
    },
    end: () => void worker.terminate(),
  }
}

/** Those were sent before. */
function withoutResults(work: ThreadWork): ThreadWork {
  if (work.kind !== 'export') return work
  return { ...work, job: { ...work.job, runs: work.job.runs.map((run) => ({ ...run, results: [] })) } }
}

/** Does the work in the thread given, or here where there is none or where threads cannot be had. */
export async function doWorkIn(
  thread: ReadyThread | undefined,
  work: ThreadWork,
  onResult: (result: WorkResult) => void,
): Promise<void> {
  if (thread)
    try {
      return await thread.run(work, onResult)
    } catch (error) {
      if (error instanceof WorkFailed) throw error
    }
  for await (const result of doWork(work)) onResult(result)
}
