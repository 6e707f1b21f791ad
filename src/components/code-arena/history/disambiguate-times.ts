import { formatLocalTime } from '../../ui/local-time.ts'

interface TimedRun {
  runId: string
  startedAt: number
}

/** When each run started, with seconds for those that look the same otherwise. */
export function disambiguateTimes<T extends TimedRun>(
  runs: readonly T[],
  describe: (run: T) => string,
): Map<string, string> {
  const keyOf = (run: T) => JSON.stringify([describe(run), formatLocalTime(run.startedAt)])
  const alike = Map.groupBy(runs, keyOf)
  return new Map(
    runs.map((run) => [run.runId, formatLocalTime(run.startedAt, { withSeconds: alike.get(keyOf(run))!.length > 1 })]),
  )
}
