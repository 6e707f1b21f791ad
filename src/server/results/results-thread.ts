import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { RunResult } from '../../contract/index.ts'
import { doWork, type ThreadWork, type WorkResult } from './thread-work.ts'

/** What the thread is told: results of runs in pieces first, for those who need them whole, then what to do. */
export type ThreadMessage =
  | { type: 'results'; run: number; results: RunResult['results'] }
  | { type: 'work'; work: ThreadWork }

export type ThreadReply =
  | { type: 'result'; result: WorkResult }
  | { type: 'done' }
  | { type: 'failed'; message: string }

const pieces: RunResult['results'][] = []

/** Pieces that came before are put where they belong. */
function complete(work: ThreadWork): ThreadWork {
  if (work.kind !== 'export') return work
  const runs = work.job.runs.map((run, index) => ({ ...run, results: pieces[index] ?? run.results }))
  return { ...work, job: { ...work.job, runs } }
}

/** Comparing very many cases takes seconds of a whole core, which the screen that shows them needs too. Only Linux can do this to a thread alone. */
function giveWay(): void {
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
    for await (const result of doWork(complete(message.work))) {
      reply({ type: 'result', result }, result.part === 'exported' ? [result.bytes.buffer] : [])
      if (result.part === 'uncompared') giveWay()
    }
    reply({ type: 'done' })
  } catch (error) {
    reply({ type: 'failed', message: error instanceof Error ? error.message : String(error) })
  }
})
