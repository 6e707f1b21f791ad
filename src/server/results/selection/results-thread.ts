import { messageOf } from '../../../contract/index.ts'
import { flushCompileCache } from 'node:module'
import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { RunResult } from '../../../contract/index.ts'
import { runJob, type JobResult, type ThreadJob } from './thread-jobs.ts'

/** What the thread receives: the results of runs in pieces, if the job needs them all, then the job. */
export type ThreadMessage =
  | { type: 'results'; run: number; results: RunResult['results'] }
  | { type: 'job'; job: ThreadJob }

export type ThreadReply = { type: 'result'; result: JobResult } | { type: 'done' } | { type: 'failed'; message: string }

const pieces: RunResult['results'][] = []

/** Puts the results received earlier back into the job. */
function withResults(job: ThreadJob): ThreadJob {
  if (job.kind !== 'export') return job
  const runs = job.input.runs.map((run, index) => ({ ...run, results: pieces[index] ?? run.results }))
  return { ...job, input: { ...job.input, runs } }
}

/**
 * Comparing very many cases uses a whole core for seconds, which the browser also needs. Only Linux can set the
 * priority of a single thread.
 */
function lowerPriority(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW)
}

const port = parentPort
// Written now, where there is such a cache: the thread is ended without notice.
if (port) flushCompileCache()
port?.on('message', async (message: ThreadMessage) => {
  if (message.type === 'results') {
    const received = (pieces[message.run] ??= [])
    for (const result of message.results) received.push(result)
    return
  }
  const reply = (content: ThreadReply, transfer: ArrayBuffer[] = []) => port.postMessage(content, transfer)
  try {
    for await (const result of runJob(withResults(message.job))) {
      reply({ type: 'result', result }, result.part === 'exported' ? [result.bytes.buffer] : [])
      if (result.part === 'standings') lowerPriority()
    }
    reply({ type: 'done' })
  } catch (error) {
    reply({ type: 'failed', message: messageOf(error) })
  }
})
