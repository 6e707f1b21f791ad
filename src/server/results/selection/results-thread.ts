import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { RunResult } from '../../../contract/index.ts'
import { runJob, type JobResult, type ThreadJob } from './thread-jobs.ts'

/** What the thread is sent: the results of runs in pieces, where a job needs them whole, then the job. */
export type ThreadMessage =
  | { type: 'results'; run: number; results: RunResult['results'] }
  | { type: 'job'; job: ThreadJob }

export type ThreadReply = { type: 'result'; result: JobResult } | { type: 'done' } | { type: 'failed'; message: string }

const pieces: RunResult['results'][] = []

/** Puts the pieces that came before where they belong. */
function complete(job: ThreadJob): ThreadJob {
  if (job.kind !== 'export') return job
  const runs = job.input.runs.map((run, index) => ({ ...run, results: pieces[index] ?? run.results }))
  return { ...job, input: { ...job.input, runs } }
}

/** Comparing very many cases takes seconds of a whole core, which the screen that shows them needs too. Only Linux can do this to a thread alone. */
function lowerPriority(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW)
}

const port = parentPort
port?.on('message', async (message: ThreadMessage) => {
  if (message.type === 'results') {
    const known = (pieces[message.run] ??= [])
    for (const result of message.results) known.push(result)
    return
  }
  const reply = (content: ThreadReply, moved: ArrayBuffer[] = []) => port.postMessage(content, moved)
  try {
    for await (const result of runJob(complete(message.job))) {
      reply({ type: 'result', result }, result.part === 'exported' ? [result.bytes.buffer] : [])
      if (result.part === 'standings') lowerPriority()
    }
    reply({ type: 'done' })
  } catch (error) {
    reply({ type: 'failed', message: error instanceof Error ? error.message : String(error) })
  }
})
