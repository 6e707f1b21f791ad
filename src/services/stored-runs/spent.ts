import { isCostUnknown, toMoney, type Money, type Storage, type StoredAttempt } from '../../contract/index.ts'
import { noSpending, type Spending } from '../requesting/budget.ts'
import { createAttemptEstimator } from '../estimate.ts'
import type { PreparedRun } from '../prepare.ts'
import type { RunTools } from '../run-tools.ts'

/** A resume finds its reply in the batch instead of paying for it again. */
function isInBatch({ end }: StoredAttempt): boolean {
  return end === undefined || end.outcome === 'cancelled'
}

async function sumAssumed(
  runId: string,
  { storage, isBatched }: { storage: Storage; isBatched: boolean },
  estimate: ReturnType<typeof createAttemptEstimator>,
): Promise<Money> {
  const attempts = await storage.loadAttempts(runId)
  return attempts
    .filter((attempt) => isCostUnknown(attempt.end) && !(isBatched && isInBatch(attempt)))
    .reduce((sum, attempt) => sum + (estimate(attempt) ?? 0n), 0n)
}

/**
 * What these runs count against their budget, judge calls included: known costs, and the maximum cost of requests whose
 * cost is unknown because they failed, reported no usage or were in progress when the process died. Without a budget
 * nothing is counted.
 */
export async function sumSpent(
  runIds: readonly string[],
  prepared: PreparedRun,
  { storage, loadTokenCounter }: Pick<RunTools, 'storage' | 'loadTokenCounter'>,
): Promise<Spending> {
  if (prepared.request.maxCost === undefined || runIds.length === 0) return noSpending
  let { spent, assumed } = noSpending
  for (const { id, cost, unknownCosts } of await storage.listRuns({ ids: runIds })) {
    spent += toMoney(cost)
    if (unknownCosts > 0)
      assumed += await sumAssumed(
        id,
        { storage, isBatched: prepared.request.batch ?? false },
        createAttemptEstimator(prepared, await loadTokenCounter()),
      )
  }
  return { spent, assumed }
}

export function addSpending(a: Spending, b: Spending): Spending {
  return { spent: a.spent + b.spent, assumed: a.assumed + b.assumed }
}
