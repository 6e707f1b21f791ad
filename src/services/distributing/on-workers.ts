import { InputError, type QueuedRun, type RunDescription, type RunResult } from '../../contract/index.ts'
import { addUnfinished } from '../../statistics/index.ts'
import type { PreparedRun } from '../prepare.ts'
import type { RunOptions, RunTools } from '../run-tools.ts'
import { followRun, type FollowedRun } from './follow-run.ts'
import { queueNewRun } from './queue-run.ts'
import { openRunInbox } from './run-inbox.ts'

async function listRunsOf(seriesId: string | undefined, { storage }: RunTools) {
  const ids = seriesId === undefined ? [] : await storage.runsOfSeries(seriesId)
  const summaries = new Map((await storage.describeRuns({ ids })).map((run) => [run.id, run]))
  return ids.flatMap((id) => summaries.get(id) ?? [])
}

async function listFinished(seriesId: string | undefined, tools: RunTools): Promise<string[]> {
  const runs = await listRunsOf(seriesId, tools)
  return runs.filter(({ status }) => status === 'completed').map(({ id }) => id)
}

/** The next run that workers work on, or have already finished while we looked elsewhere. */
function findNext(runs: readonly RunDescription[], { index }: FollowedRun, finishedBefore: ReadonlySet<string>) {
  const next = runs.findIndex(
    ({ id, status }, place) => place > index && (status === 'running' || !finishedBefore.has(id)),
  )
  return next < 0 ? undefined : { runId: runs[next]!.id, index: next }
}

interface FollowedSeries extends FollowedRun {
  seriesId?: string | undefined
  /** Runs that were finished before workers began; default: those that are finished now. */
  finishedBefore?: readonly string[]
}

/**
 * Follows a run that workers work on, and the later runs of its series, whichever process started them. `signal` stops
 * the run; `detach` ends the call while workers go on. Returns the ids of the runs that it followed.
 */
export async function followSeries(
  { seriesId, finishedBefore, ...first }: FollowedSeries,
  tools: RunTools,
  options: RunOptions,
): Promise<string[]> {
  const inbox = openRunInbox(tools.queue!)
  const wake = () => inbox.wake()
  const { signal, detach, onEvent } = options
  signal?.addEventListener('abort', wake, { once: true })
  detach?.addEventListener('abort', wake, { once: true })
  const followed: string[] = []
  try {
    const following = {
      tools,
      inbox,
      emit: (event: Parameters<NonNullable<typeof onEvent>>[0]) => onEvent?.(event),
      isDetached: () => detach?.aborted ?? false,
      isCancelled: () => signal?.aborted ?? false,
    }
    const finished = new Set(finishedBefore ?? (await listFinished(seriesId, tools)))
    for (let place: FollowedRun | undefined = first; place;) {
      followed.push(place.runId)
      const status = await followRun(place, following)
      place = status === 'completed' ? findNext(await listRunsOf(seriesId, tools), place, finished) : undefined
    }
    return followed
  } finally {
    signal?.removeEventListener('abort', wake)
    detach?.removeEventListener('abort', wake)
    inbox.close()
  }
}

export async function loadRuns(
  ids: readonly string[],
  { storage }: RunTools,
  { withTexts = true }: RunOptions,
): Promise<RunResult[]> {
  const runs: RunResult[] = []
  for (const id of ids) {
    const run = await storage.loadRun(id, { texts: withTexts })
    if (!run) throw new InputError(`run ${id} was deleted while it was running`)
    runs.push(addUnfinished(run))
  }
  return runs
}

/** Hands a new run or series to the workers, and follows it to its end. */
export async function startOnWorkers(
  prepared: PreparedRun,
  tools: RunTools,
  options: RunOptions,
): Promise<RunResult[]> {
  const { createId } = tools
  const isSeries = prepared.request.repeat > 1
  const run: QueuedRun = {
    runId: createId(),
    ...(isSeries && { seriesId: createId() }),
    index: 0,
    nextRunId: createId(),
  }
  await queueNewRun(run, { prepared, tools, options })
  return loadRuns(await followSeries({ ...run, finishedBefore: [] }, tools, options), tools, options)
}
