import type { RunStatus } from '../../contract/index.ts'
import { isClaimed, listLiveClaims } from '../../services/index.ts'
import type { ServerContext } from '../context.ts'

interface UnfinishedRun {
  id: string
  seriesId?: string | undefined
  status?: RunStatus | undefined
}

type Sources = Pick<ServerContext, 'storage' | 'runs' | 'now'>

/** The runs that are stored as `running` though no process is working on them. */
export async function findInterrupted(runs: readonly UnfinishedRun[], sources: Sources): Promise<Set<string>> {
  const { storage, now } = sources
  const running = runs.filter(({ id, status }) => status === 'running' && !sources.runs.isLive(id))
  if (running.length === 0) return new Set()
  const claims = await listLiveClaims(storage, now())
  return new Set(running.filter((run) => !isClaimed(run, claims)).map(({ id }) => id))
}

export async function isInterrupted(run: UnfinishedRun, sources: Sources): Promise<boolean> {
  return (await findInterrupted([run], sources)).size > 0
}
