import type { RunStatus } from '../../contract/index.ts'
import { isClaimed, listLiveClaims } from '../../services/index.ts'
import type { ServerContext } from '../context.ts'

interface UnfinishedRun {
  id: string
  seriesId?: string | undefined
  status?: RunStatus | undefined
}

type Watcher = Pick<ServerContext, 'storage' | 'runs' | 'now'>

/** Those runs that are `running` in the data though nobody works on them. */
export async function findInterrupted(runs: readonly UnfinishedRun[], watcher: Watcher): Promise<Set<string>> {
  const { storage, now } = watcher
  const running = runs.filter(({ id, status }) => status === 'running' && !watcher.runs.isLive(id))
  if (running.length === 0) return new Set()
  const claims = await listLiveClaims(storage, now())
  return new Set(running.filter((run) => !isClaimed(run, claims)).map(({ id }) => id))
}

export async function isInterrupted(run: UnfinishedRun, watcher: Watcher): Promise<boolean> {
  return (await findInterrupted([run], watcher)).size > 0
}
