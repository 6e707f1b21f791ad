import type { RunFilter, RunResult, Storage } from '../../contract/index.ts'
import { searchRuns } from './search-runs.ts'

/** The newest runs say most about a suite as it is now; more answers than this would not say more. */
const MAX_RUNS = 100
const MAX_ANSWERS = 100_000

/** The newest runs of a suite, with their answers; runs that are being worked on are left out. */
export async function loadSuiteRuns(
  suite: NonNullable<RunFilter['suite']>,
  { storage, now }: { storage: Storage; now: number },
): Promise<RunResult[]> {
  const { runs: found } = await searchRuns({ suite, limit: MAX_RUNS }, { storage, now })
  const runs: RunResult[] = []
  let answers = 0
  for (const { id, status, cells } of found) {
    if (status === 'running' || cells.scored === 0) continue
    answers += cells.scored
    if (answers > MAX_ANSWERS && runs.length > 0) break
    const run = await storage.loadRun(id)
    if (run) runs.push(run)
  }
  return runs
}
