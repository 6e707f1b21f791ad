import type { RunOwner, RunState, RunStatus } from '../../contract/index.ts'
import { findActivity } from '../../services/index.ts'
import type { ServerContext } from '../context.ts'

interface UnfinishedRun {
  id: string
  seriesId?: string | undefined
  status?: RunStatus | undefined
}

export interface ServedActivity {
  state: RunState
  /** What a run in progress waits for outside this program, such as a provider's batch. */
  waiting?: string
  /** Another live process is working on it. */
  workedOnBy?: RunOwner
}

type Sources = Pick<ServerContext, 'storage' | 'runs' | 'now'>

/** Whether this server works on the runs, another process does, or none does any more. */
export async function findServedActivity(
  runs: readonly UnfinishedRun[],
  { storage, runs: manager, now }: Sources,
): Promise<(runId: string) => ServedActivity> {
  // Workers that a run was given to may be gone, which its claim tells.
  const others = runs.filter(({ id }) => !manager.isLive(id) || manager.isOnWorkers(id))
  const activity = await findActivity(others, { storage, now: now() })
  return (runId) => {
    const found = activity.get(runId)
    if (!manager.isLive(runId) || found?.state === 'interrupted') return found ?? { state: 'done' }
    const waiting = manager.findWaiting(runId)
    return waiting === undefined ? { state: 'running' } : { state: 'waiting', waiting }
  }
}

export async function findActivityOf(run: UnfinishedRun, sources: Sources): Promise<ServedActivity> {
  return (await findServedActivity([run], sources))(run.id)
}
