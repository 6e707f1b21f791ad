import type { RunSummary, Storage } from '../../contract/index.ts'
import { isArenaName, readArenaTask } from '../../services/index.ts'
import type { ArenaRunList, ArenaRunSummary } from '../api-code-arena.ts'
import { isInterrupted } from '../interrupted-runs.ts'
import { listPlans, planIdOf } from '../run-plans.ts'
import type { ArenaParts } from './arena-view.ts'
import { listVotes } from './votes.ts'

/** Newest first. */
export async function listArenaRuns(storage: Storage): Promise<RunSummary[]> {
  const runs = await storage.listRuns({ limit: Number.MAX_SAFE_INTEGER })
  return runs.filter(({ testSuiteName }) => isArenaName(testSuiteName))
}

export async function listArena(parts: ArenaParts, { offset, limit }: { offset: number; limit: number }): Promise<ArenaRunList> {
  const all = await listArenaRuns(parts.storage)
  const plans = await listPlans(parts.storage)
  const votes = Map.groupBy(await listVotes(parts.storage), ({ runId }) => runId)
  const runs: ArenaRunSummary[] = []
  for (const { id, seriesId, models, status, startedAt } of all.slice(offset, offset + limit)) {
    const run = await parts.storage.loadRun(id, { texts: false })
    const task = readArenaTask(run?.testSuiteSnapshot)
    if (!run || !task) continue
    const scores = run.results.flatMap(({ modelId, score }) => (score ? [[modelId, score.score] as const] : []))
    runs.push({
      runId: id,
      ...(seriesId !== undefined && { seriesId }),
      prompt: task.prompt,
      models,
      ...(run.judgeModel !== undefined && { judgeModel: run.judgeModel }),
      status,
      isLive: parts.runs.isLive(id),
      isInterrupted: await isInterrupted({ id, seriesId, status }, parts, plans.get(planIdOf({ id, seriesId }))),
      startedAt,
      scores: Object.fromEntries(scores),
      votes: votes.get(id)?.length ?? 0,
    })
  }
  return { total: all.length, runs }
}
