import { toMoney, type Money, type Storage } from '../contract/index.ts'

/** What the requests of these runs have cost, judges' and failed ones included. */
export async function sumSpent(runIds: readonly string[], storage: Storage): Promise<Money> {
  if (runIds.length === 0) return 0n
  const runs = await storage.listRuns({ ids: runIds })
  return runs.reduce((sum, { cost }) => sum + toMoney(cost), 0n)
}
