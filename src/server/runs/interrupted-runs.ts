import { hostname } from 'node:os'
import type { RunStatus, Storage } from '../../contract/index.ts'
import { loadPlan, planIdOf, type RunPlan } from './run-plans.ts'

/** Longer than any request takes: 2 minutes to the first token, and some. */
const RECENT_MS = 150_000

interface UnfinishedRun {
  id: string
  seriesId?: string | undefined
  status?: RunStatus | undefined
}

interface Watcher {
  storage: Storage
  runs: { isLive(runId: string): boolean }
  now(): number
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process is alive too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function isOwnerGone({ owner }: RunPlan): boolean {
  return owner.host === hostname() && (owner.pid === process.pid || !isAlive(owner.pid))
}

/** Lists are asked for every few seconds, and a large run has very many attempts. */
const KEPT_MS = 5000
const answers = new WeakMap<Storage, Map<string, { at: number; isBusy: Promise<boolean> }>>()

async function hasRecentAttempts(runId: string, { storage, now }: Watcher): Promise<boolean> {
  const attempts = await storage.loadAttempts(runId)
  return attempts.some(({ startedAt, end }) => now() - Math.max(startedAt, end?.endedAt ?? 0) < RECENT_MS)
}

function isWorkedOn(runId: string, watcher: Watcher): Promise<boolean> {
  const known = answers.get(watcher.storage) ?? new Map<string, { at: number; isBusy: Promise<boolean> }>()
  answers.set(watcher.storage, known)
  const found = known.get(runId)
  if (found && watcher.now() - found.at < KEPT_MS) return found.isBusy
  const isBusy = hasRecentAttempts(runId, watcher)
  known.set(runId, { at: watcher.now(), isBusy })
  isBusy.catch(() => known.delete(runId))
  return isBusy
}

/**
 * Whether a run is `running` in the data and nobody works on it. Of a server's run it is known which process has it: once that
 * is gone, the run is interrupted. For a command's run, or one on another machine, a request in the last minutes counts as
 * work.
 */
export async function isInterrupted(run: UnfinishedRun, watcher: Watcher, known?: RunPlan): Promise<boolean> {
  const { storage, runs } = watcher
  if (run.status !== 'running' || runs.isLive(run.id)) return false
  const plan = known ?? (await loadPlan(storage, planIdOf(run)))
  if (plan && isOwnerGone(plan)) return true
  return !(await isWorkedOn(run.id, watcher))
}
