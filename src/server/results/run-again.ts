import { z } from 'zod'
import { commonRequestFields, withoutDeciding } from '../../contract/index.ts'
import { readStoredRun } from '../../services/index.ts'
import type { ServerContext } from '../context.ts'
import { notFound } from '../http/refusal.ts'
import type { StartedRun } from '../runs/run-manager.ts'
import { resolveSelection, shortenId } from './selection/resolve-selection.ts'

/** POST /api/results/:selection/again */
export const runAgainSchema = z.object({
  /** Other models than those of the request; default: the same. */
  models: commonRequestFields.models.optional(),
})

/**
 * Starts a new run, or series, with the stored request of the last run in the selection: the same cases of the same
 * version of the suite, even if the suite has changed since.
 */
export async function runAgain(
  selection: string,
  { models }: z.output<typeof runAgainSchema>,
  { storage, runs }: ServerContext,
): Promise<StartedRun> {
  const id = (await resolveSelection(storage, selection)).at(-1)!
  const run = await storage.loadRun(id, { texts: false })
  if (!run) throw notFound(`Run ${shortenId(id)}`)
  const stored = readStoredRun(run)
  const { request } = stored
  return runs.startSuite({
    ...stored,
    request: {
      // A model that is added is asked every case: what it is compared with was asked in another run.
      ...(models ? withoutDeciding(request) : { ...request, orderSeed: undefined }),
      models: models ?? request.models,
    },
  })
}
