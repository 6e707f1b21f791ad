import { InputError, type RunRequest, type WorkQueue } from '../../contract/index.ts'
import { findWorkerProblem, type RunOptions as ServiceOptions } from '../../services/index.ts'
import type { App } from '../compose.ts'
import type { RunOptions } from '../options/run-options.ts'
import { printNotice } from '../output/notice.ts'
import type { Terminal } from '../output/terminal.ts'

type Chosen = Pick<RunOptions, 'onWorkers' | 'allowCode'>

export function readOnWorkers({ onWorkers, allowCode }: Chosen): Pick<ServiceOptions, 'onWorkers'> {
  if (!onWorkers) return {}
  if (allowCode)
    throw new InputError('workers do not run the code of a suite; leave out --on-workers to run it with --allow-code')
  return { onWorkers: 'always' }
}

async function openQueue(app: App, terminal: Terminal): Promise<WorkQueue> {
  const queue = await app.queue()
  if (!queue)
    throw new InputError('--on-workers needs a PostgreSQL database; set BENCHMAKER_DATABASE_URL to postgres://…')
  if ((await queue.countWorkers()) === 0)
    printNotice('No worker is running; the run waits until one starts: benchmaker worker', terminal)
  return queue
}

/** For a new run that goes to workers. */
export async function openForWorkers(request: RunRequest, app: App, terminal: Terminal): Promise<WorkQueue> {
  const problem = findWorkerProblem(request)
  if (problem !== undefined) throw new InputError(`${problem}; leave out --on-workers`)
  return openQueue(app, terminal)
}

/** Also without --on-workers: a run in the queue must be taken out of it before this process continues it. */
export async function openForResume(
  options: Chosen,
  app: App,
  terminal: Terminal,
): Promise<{ queue: WorkQueue | undefined } & Pick<ServiceOptions, 'onWorkers'>> {
  const chosen = readOnWorkers(options)
  return { queue: chosen.onWorkers ? await openQueue(app, terminal) : await app.queue(), ...chosen }
}
