import { z } from 'zod'
import { LeaseLost, type TakenWork } from '../../contract/index.ts'
import type { Execute } from './queue-connection.ts'

const runFields = {
  runId: z.string(),
  seriesId: z.string().optional(),
  index: z.int(),
  nextRunId: z.string(),
}

/** What a job of the queue holds. */
export const jobDataSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('cells'),
    ...runFields,
    testCaseIds: z.array(z.string()),
    ungraded: z.array(z.object({ testCaseId: z.string(), modelId: z.string() })),
  }),
  z.object({ kind: z.literal('finish'), ...runFields }),
])

export const FINISH_PRIORITY = 1

/** Where a run counts as long. */
const LONG_RUN_LEASES = 100

/**
 * Runs take turns: the first leases of a new run come before the later ones of a long run. Beyond that the older run
 * comes first, so that many short runs cannot hold up a long one for ever.
 */
export const prioritiseLease = (place: number) => -Math.min(place, LONG_RUN_LEASES)

/** pg-boss's own way into a transaction of ours. */
export const asDatabase = (execute: Execute) => ({
  executeSql: (text: string, values: unknown[] = []) => execute(text, values),
})

/** Names one lease of a job: pg-boss refuses it once the job was handed out again. */
export const attemptOf = ({ id, epoch }: Pick<TakenWork, 'id' | 'epoch'>) => ({ id, retryCount: epoch })

/** pg-boss says how many jobs a statement changed, but its types leave that out. */
export function refuseLost(response: object): void {
  if (!('affected' in response) || response.affected === 0) throw new LeaseLost()
}
