import { InputError, type RunResult, type Storage } from '../../contract/index.ts'
import type { Clock } from '../requesting/clock.ts'
import { RunClaimed, withClaim } from '../claim.ts'
import { importRuns } from './import-run.ts'

/** How long to wait for another process that imports the same file. */
const WAIT_MS = 60_000
const LOOK_EVERY_MS = 250

/** Runs made from one file. Their ids come from its content, so the same file is stored once. */
export interface ImportedRuns {
  runs: RunResult[]
  seriesId?: string | undefined
}

async function keepOnce({ runs }: ImportedRuns, storage: Storage, now: number): Promise<boolean> {
  const stored = await storage.listRuns({ ids: runs.map(({ id }) => id) })
  if (stored.length === runs.length && stored.every(({ status }) => status !== 'running')) return false
  // An import that was killed half-way is done again.
  for (const { id } of stored) await storage.deleteRun(id)
  await importRuns(runs, storage, now)
  return true
}

/** Stores imported runs unless they are there already. Returns whether they are new. */
export async function keepImportedRuns(
  imported: ImportedRuns,
  { storage, clock }: { storage: Storage; clock: Clock },
): Promise<boolean> {
  const id = imported.seriesId ?? imported.runs[0]!.id
  const until = clock.now() + WAIT_MS
  for (;;) {
    try {
      return await withClaim(id, { storage, clock }, () => keepOnce(imported, storage, clock.now()))
    } catch (error) {
      if (!(error instanceof RunClaimed) || clock.now() > until) throw error
      await clock.sleep(LOOK_EVERY_MS)
    }
  }
}

/** True if another tool scored the answers: an imported run that was scored again here has scorers of its own. */
export function isScoredElsewhere({ kind, versions }: Pick<RunResult, 'kind' | 'versions'>): boolean {
  return kind === 'imported' && versions?.['answersOf'] === undefined
}

/** A run of another tool can be neither continued nor scored again by a suite that has no scorers. */
export function refuseImported(run: Pick<RunResult, 'id' | 'kind' | 'versions'>, advice: string): void {
  if (!isScoredElsewhere(run)) return
  throw new InputError(`run ${run.id} was imported from ${run.versions?.['importedFrom'] ?? 'another tool'}; ${advice}`)
}
