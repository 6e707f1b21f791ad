import { createContext, Script } from 'node:vm'
import { parentPort } from 'node:worker_threads'
import { ScoringError, type ScoringResult } from '../contract/index.ts'
import { scoreJob } from '../scoring/index.ts'
import { MOST_TRIES, type ThreadReply, type ThreadRequest } from './messages.ts'

/**
 * `vm` is used for its timeout alone: it interrupts whatever runs below the script, a regular expression included,
 * without ending the thread.
 */
const sandbox: { work: () => unknown } = { work: () => undefined }
createContext(sandbox)
const callWork = new Script('work()')

/** Not `instanceof Error`: the timeout is thrown with the sandbox's own Error. */
function isTimeout(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}

/** Milliseconds of the processor that this thread has had; counts nothing where Node cannot tell. */
function readProcessorMs(): number {
  if (!('threadCpuUsage' in process)) return Infinity
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** On a busy machine the clock runs on while the thread waits for its turn: that is no fault of the work. */
function runUnderDeadline(deadlineMs: number): void {
  for (let tries = 1; ; tries++) {
    const before = readProcessorMs()
    try {
      callWork.runInContext(sandbox, { timeout: Math.ceil(deadlineMs) })
      return
    } catch (error) {
      const hadItsTurn = !(readProcessorMs() - before < deadlineMs / 2)
      if (!isTimeout(error) || hadItsTurn || tries === MOST_TRIES) throw error
    }
  }
}

async function answer({ id, job, deadlineMs }: ThreadRequest): Promise<ThreadReply> {
  try {
    let scored: Promise<ScoringResult> | undefined
    sandbox.work = () => {
      scored = scoreJob(job)
    }
    runUnderDeadline(deadlineMs)
    return { id, result: await scored! }
  } catch (error) {
    if (isTimeout(error)) return { id, timedOut: true }
    const code = error instanceof ScoringError ? error.code : 'scoring-failed'
    return { id, timedOut: false, code, message: error instanceof Error ? error.message : String(error) }
  }
}

function reply(message: ThreadReply): void {
  parentPort?.postMessage(message)
}

parentPort?.on('message', (request: ThreadRequest) => {
  reply({ id: request.id, began: true })
  void answer(request).then(reply)
})
