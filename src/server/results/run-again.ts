import { z } from 'zod'
import { commonRequestFields, withoutDeciding } from '../../contract/index.ts'
import { addToResult, nameResult, readStoredRun } from '../../services/index.ts'
import type { ServerContext } from '../context.ts'
import { notFound } from '../http/refusal.ts'
import type { StartedRun } from '../runs/run-manager.ts'
import { listRequestedModels } from './results-view.ts'
import { findLastResult, shortenId } from './selection/resolve-selection.ts'
import { selectionsOf } from './selection/selection-cache.ts'

/** POST /api/results/:selection/again */
export const runAgainSchema = z.object({
  /** Models to add to the result; default: all of its models run once more, as a result of their own. */
  models: commonRequestFields.models.optional(),
})

/**
 * Starts a new run, or series, with the stored request of the last run in the selection: the same cases of the same
 * version of the suite, even if the suite has changed since. Runs of other models become part of the result.
 */
export async function runAgain(
  selection: string,
  { models }: z.output<typeof runAgainSchema>,
  context: ServerContext,
): Promise<StartedRun> {
  const { storage, runs } = context
  const { scores } = await selectionsOf(context).get(selection)
  const base = await findLastResult(storage, selection)
  const run = base && (await storage.loadRun(base.runId, { texts: false }))
  if (!run) throw notFound(`Run ${shortenId(base?.runId ?? selection)}`)
  const stored = readStoredRun(run)
  const { request } = stored
  if (!models)
    return runs.startSuite({
      ...stored,
      request: { ...request, orderSeed: undefined, models: listRequestedModels(scores.runs) },
    })
  // A model that is added is asked every case: what it is compared with was asked in another run.
  const started = await runs.startSuite({ ...stored, request: { ...withoutDeciding(request), models } })
  await addToResult(base.name, nameResult({ id: started.runId, seriesId: started.seriesId }), storage)
  return started
}
