import type { RunResult, Storage } from '../../contract/index.ts'
import type { ArenaRankingReport } from '../../report/model/arena-ranking.ts'
import { listJudges } from '../../report/model/judge-notes.ts'
import { listVotes, readArenaTask } from '../../services/index.ts'
import { arenaIndexOf } from './arena-index.ts'
import { rankArena } from './ranking.ts'

/** The ranking with the runs behind it, for a file. */
export async function loadArenaRanking(
  storage: Storage,
  counted: 'all' | 'blind' = 'all',
): Promise<ArenaRankingReport> {
  const runs: RunResult[] = []
  for (const id of await arenaIndexOf(storage).listIds()) {
    const run = await storage.loadRun(id, { texts: false })
    if (run) runs.push(run)
  }
  const votes = await listVotes(storage)
  const version = runs.find(({ versions }) => versions?.['benchmaker'] !== undefined)?.versions?.['benchmaker']
  return {
    ...rankArena(votes, runs, { counted }),
    counted,
    runs: runs.map((run) => {
      const { id, startedAt, models, versions } = run
      const judgePrompt = versions?.['judgePrompt']
      return {
        id,
        ...(startedAt !== undefined && { startedAt }),
        prompt: readArenaTask(run)?.prompt ?? '',
        models,
        judges: listJudges([run]),
        ...(judgePrompt !== undefined && { judgePrompt }),
        votes: votes.filter(({ runId }) => runId === id).length,
      }
    }),
    ...(version !== undefined && { version }),
  }
}
