import { awaitsGrade, type RunResult, type Storage, type Suite } from '../../contract/index.ts'
import { hasRetries } from '../deciding/deciding-series.ts'
import { openStoredRun, type StoredRun } from '../stored-run.ts'

/** A stored run with the other runs of its series. */
export interface StoredSeries extends StoredRun {
  seriesId?: string | undefined
  /** In the order they started. */
  runs: RunResult[]
}

/** Loads the run and the others of its series, without texts. */
export async function loadSeries(runId: string, storage: Storage): Promise<StoredSeries> {
  const stored = await openStoredRun(runId, storage)
  const { run } = stored
  const { seriesId } = run
  const ids = seriesId === undefined ? [runId] : await storage.runsOfSeries(seriesId)
  const others = await Promise.all(
    ids.filter((id) => id !== runId).map((id) => storage.loadRun(id, { texts: false, suite: false })),
  )
  const loaded = [run, ...others.filter((other) => other !== undefined)]
  const byId = new Map(loaded.map((member) => [member.id, member]))
  const runs = ids.flatMap((id) => byId.get(id) ?? [])
  // A series that was built run by run may have more runs than its request says.
  const request = { ...stored.request, repeat: Math.max(stored.request.repeat, runs.length) }
  return { ...stored, ...(seriesId !== undefined && { seriesId }), request, runs }
}

export function isUnfinished(run: RunResult, { testCases }: Suite): boolean {
  const { status, models, results, stopReason } = run
  // What it left out, it left out by decision.
  if (status === 'completed' && stopReason === 'decided') return hasRetries(run)
  const done = results.filter((result) => result.score ?? (result.unscored && !awaitsGrade(result))).length
  return status !== 'completed' || done < testCases.length * models.length
}

/** True if a resume would have anything to do. */
export function hasWorkLeft({ kind, request, runs, suite }: StoredSeries): boolean {
  if (kind === 'imported') return false
  return runs.length < request.repeat || runs.some((run) => isUnfinished(run, suite))
}

/** The index of the first run from here on that a resume would continue. */
export function findUnfinished(runs: readonly RunResult[], suite: Suite, from: number): number | undefined {
  const found = runs.findIndex((run, index) => index >= from && isUnfinished(run, suite))
  return found < 0 ? undefined : found
}
