import type { RunResult } from '../../contract/index.ts'
import type { Execution } from '../execution.ts'
import type { RunOptions } from '../run-tools.ts'
import {
  addCounts,
  countResumed,
  noWork,
  reopenCells,
  type ReopenedCells,
  type Resumed,
} from '../stored-runs/reopen-run.ts'
import { findUnfinished, isUnfinished, type StoredSeries } from '../stored-runs/stored-series.ts'
import type { FollowedRun } from './follow-run.ts'
import { followSeries, loadRuns } from './on-workers.ts'
import { queueNewRun, queueRest } from './queue-run.ts'

/** What a resume has put into the queue. */
export interface QueuedSeries {
  seriesId?: string | undefined
  /** The runs before the first one that workers begin with. */
  earlier: string[]
  finishedBefore: string[]
  /** All runs that there were. */
  stored: string[]
  /** Where the workers begin; undefined if there is nothing to do. */
  first?: FollowedRun
  /** By run. */
  reopened: ReadonlyMap<string, ReopenedCells>
}

/** Hands what is left of a stored run or series to the workers; from then on they hold its claim. */
export async function queueStoredSeries(
  { seriesId, runs, suite, request }: StoredSeries,
  { prepared, tools }: Pick<Execution, 'prepared' | 'tools'>,
): Promise<QueuedSeries> {
  const { storage, createId } = tools
  const reopened = new Map<string, ReopenedCells>()
  for (const { id } of runs.filter((each) => isUnfinished(each, suite)))
    reopened.set(id, (await reopenCells(id, storage)).cells)
  const place = findUnfinished(runs, suite, 0)
  const queued = {
    seriesId,
    earlier: runs.slice(0, place).map(({ id }) => id),
    finishedBefore: runs.filter((run) => !isUnfinished(run, suite)).map(({ id }) => id),
    stored: runs.map(({ id }) => id),
    reopened,
  }
  if (place !== undefined) {
    const first = { runId: runs[place]!.id, index: place }
    await queueRest({ ...first, seriesId, nextRunId: createId() }, tools)
    return { ...queued, first }
  }
  if (runs.length >= request.repeat) return queued
  const first = { runId: createId(), index: runs.length }
  await queueNewRun({ ...first, seriesId, nextRunId: createId() }, { prepared, tools, options: {} })
  return { ...queued, first }
}

/** Follows what was queued to its end. */
export async function followQueuedSeries(
  { seriesId, earlier, finishedBefore, stored, first, reopened }: QueuedSeries,
  { tools }: Pick<Execution, 'tools'>,
  options: RunOptions,
): Promise<Resumed & { runs: RunResult[] }> {
  const followed = first ? await followSeries({ ...first, seriesId, finishedBefore }, tools, options) : []
  const all = seriesId === undefined ? [...earlier, ...followed] : await tools.storage.runsOfSeries(seriesId)
  const runs = await loadRuns(all, tools, options)
  const begun = runs.filter(({ id }) => !stored.includes(id)).flatMap(({ results }) => results)
  const asked = begun.filter(({ outcome }) => outcome !== 'cancelled').length
  const counts = { ...noWork, asked }
  for (const run of runs) {
    const cells = reopened.get(run.id)
    if (cells) addCounts(counts, countResumed(cells, run))
  }
  return { runs, ...counts }
}
