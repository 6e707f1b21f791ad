import { messageOf } from '../../contract/index.ts'
import { flushCompileCache } from 'node:module'
import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { z } from 'zod'
import { createVendorReader } from '../vendor/vendor-files.ts'
import { runPageJob, type PageJob, type PageResult } from './page-jobs.ts'

export interface PageRequest {
  id: number
  job: PageJob
}

export type PageReply =
  | { id: number; type: 'began' }
  | { id: number; type: 'result'; result: PageResult }
  | { id: number; type: 'done' }
  | { id: number; type: 'failed'; message: string }

/** Bundled, what this file shares with others may lie in its chunk: those load it outside a thread, where it does nothing. */
if (parentPort) answerJobs(parentPort)

function answerJobs(port: MessagePort): void {
  // Written now, where there is such a cache: the thread is ended without notice.
  flushCompileCache()
  const { previews, packages } = z
    .object({ previews: z.string().optional(), packages: z.string().optional() })
    .parse(workerData)
  const files = { previews, packages, readVendor: createVendorReader({ previews, packages }) }
  const reply = (message: PageReply) => port.postMessage(message)
  port.on('message', ({ id, job }: PageRequest) => {
    reply({ id, type: 'began' })
    runPageJob(job, files, (result) => reply({ id, type: 'result', result })).then(
      () => reply({ id, type: 'done' }),
      (error: unknown) => reply({ id, type: 'failed', message: messageOf(error) }),
    )
  })
}
