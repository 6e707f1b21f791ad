import { toMoney, type Money, type Storage } from '../contract/index.ts'

/** The total cost of these runs, including judge calls and failed requests. */
export async function sumSpent(runIds: readonly string[], storage: Storage): Promise<Money> {
  if (runIds.length === 0) return 0n
  const runs = await storage.listRuns({ ids: runIds })
  return runs.reduce((sum, { cost }) => sum + toMoney(cost), 0n)
}
