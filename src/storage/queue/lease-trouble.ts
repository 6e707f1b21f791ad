import { z } from 'zod'
import { cellName, type CellKey, type LeaseTrouble, type TakenWork } from '../../contract/index.ts'
import type { Execute } from './queue-connection.ts'
import { LOSSES } from './queue-tables.ts'

/** What pg-boss keeps of a failed job: our own words, or its own when the worker gave no sign of life. */
const outputSchema = z.union([
  z.object({ problem: z.string() }),
  z.object({ value: z.object({ message: z.string() }) }).transform(() => ({ problem: undefined })),
])

const rowSchema = z.object({ losses: z.number(), strikes: z.record(z.string(), z.number()) })

type Cell = Omit<CellKey, 'runId'>

interface RetriedJob {
  id: string
  retryCount: number
  output: object | null
}

/** True if the worker that had the job before had begun a cell alone. */
const HAD_BEGUN = 'coalesce(known.begun_epoch = $2 - 1, false)'

/** Counts the loss, if the worker that had the job before died or failed. Work that was handed back is no loss. */
export async function countLoss(
  { id, retryCount, output }: RetriedJob,
  execute: Execute,
): Promise<LeaseTrouble | undefined> {
  const lost = outputSchema.safeParse(output).data
  const { rows } = await execute(
    lost
      ? `INSERT INTO ${LOSSES} AS known (job_id, losses) VALUES ($1, 1)
          ON CONFLICT (job_id) DO UPDATE SET
            losses = known.losses + CASE WHEN ${HAD_BEGUN} THEN 0 ELSE 1 END,
            strikes = CASE WHEN ${HAD_BEGUN}
              THEN jsonb_set(known.strikes, ARRAY[known.begun], to_jsonb(coalesce((known.strikes ->> known.begun)::int, 0) + 1))
              ELSE known.strikes END
          RETURNING losses, strikes`
      : `SELECT losses, strikes FROM ${LOSSES} WHERE job_id = $1 AND $2::int > 0`,
    [id, retryCount],
  )
  if (!rows[0]) return undefined
  const { losses, strikes } = rowSchema.parse(rows[0])
  return { losses, problem: lost?.problem, failuresOf: (cell) => strikes[cellName(cell)] ?? 0 }
}

export function noteBegun({ id, epoch }: TakenWork, cell: Cell, execute: Execute): Promise<unknown> {
  return execute(`UPDATE ${LOSSES} SET begun = $2, begun_epoch = $3 WHERE job_id = $1`, [id, cellName(cell), epoch])
}

export const forgetLosses = (id: string, execute: Execute) => execute(`DELETE FROM ${LOSSES} WHERE job_id = $1`, [id])
