import type { RunResult, StopReason } from '../../contract/index.ts'
import { listVotes, readArenaTask, requestOf, turnOf } from '../../services/index.ts'
import { findActivityOf, type ServedActivity } from '../runs/run-activity.ts'
import type { ArenaContext } from './arena-pages.ts'
import { listUnnamed } from './keep-names.ts'
import type { Naming } from './naming.ts'
import { listThumbnails } from './thumbnails.ts'

/** GET /api/code-arena?offset=&limit=: newest first. */
export interface ArenaRunList {
  total: number
  runs: ArenaRunSummary[]
}

export interface ArenaRunSummary extends ServedActivity {
  runId: string
  seriesId?: string
  prompt: string
  models: string[]
  judgeModel?: string
  stopReason?: StopReason
  /** US dollars; set if the run stopped at its budget: it then needs a higher one to resume. */
  usedUpBudget?: number
  startedAt: number
  /** Judged scores by model, 0 to 1. */
  scores: Record<string, number>
  votes: number
  /** The turn of its conversation, from 1. */
  turn: number
  /** Where small pictures of the pages are, by model; none for pages without a screenshot. */
  pictures: Record<string, string>
}

export async function listArena(
  context: ArenaContext,
  { offset, limit }: { offset: number; limit: number },
  /** What the models of a run are called; undefined if by their names. */
  namingOf: (run: RunResult) => Promise<Naming | undefined>,
): Promise<ArenaRunList> {
  const ids = (await context.storage.describeRuns({ kinds: ['page'] })).map(({ id }) => id)
  const votes = Map.groupBy(await listVotes(context.storage), ({ runId }) => runId)
  const runs: ArenaRunSummary[] = []
  for (const id of ids.slice(offset, offset + limit)) {
    const run = await context.storage.loadRun(id, { texts: false })
    const task = readArenaTask(run)
    if (!run || !task) continue
    const naming = await namingOf(run)
    const { seriesId, models, judgeModel, stopReason, startedAt = 0 } = run
    const usedUpBudget = stopReason === 'budget' ? requestOf(run).maxCost : undefined
    runs.push({
      runId: id,
      ...(seriesId !== undefined && { seriesId }),
      prompt: task.prompt,
      models: naming ? listUnnamed(models) : models,
      ...(judgeModel !== undefined && { judgeModel }),
      ...(stopReason && { stopReason }),
      ...(usedUpBudget !== undefined && { usedUpBudget }),
      ...(await findActivityOf(run, context)),
      startedAt,
      scores: Object.fromEntries(
        run.results.flatMap(({ modelId, score }) => (score && !naming ? [[modelId, score.score] as const] : [])),
      ),
      votes: votes.get(id)?.length ?? 0,
      turn: turnOf(task),
      pictures: await listThumbnails(run, context.storage, naming),
    })
  }
  return { total: ids.length, runs }
}
