import type { ListedRun } from '../../../server/runs/listed-runs.ts'
import {
  countPending,
  isLive,
  stateOfRuns,
  type RunKind,
  type RunLabel,
  type RunState,
} from '../../../contract/index.ts'
import { sumDollars } from '../../../contract/money.ts'
import { weightedMoments } from '../../../statistics/numbers/weighted-moments.ts'

/** A row of the list: a single run or a series. */
export interface RunGroup {
  /** As in the address of its results: `series:ID` or the run's id. */
  selection: string
  isSeries: boolean
  /** In the order they ran. */
  runs: ListedRun[]
  /** Runs of the series that have not started. */
  notStarted: number
  kind: RunKind
  suiteName: string
  label?: RunLabel
  startedAt: number
  models: string[]
  /** By model, over the runs with a score. */
  means: Map<string, number>
  state: RunState
  cells: number
  unscored: number
  errors: number
  notRun: number
  cost: number
  unknownCosts: number
}

/** The run to resume: the first one with remaining cells or errors; one of another process can be taken over. */
export function resumable({ runs, notStarted }: RunGroup): ListedRun | undefined {
  const open = runs.find((run) => !isLive(run) && (countPending(run) > 0 || run.cells.errors > 0))
  return open ?? (notStarted > 0 ? runs.find((run) => !isLive(run)) : undefined)
}

/** What a series that was interrupted has not begun; a run that may stop early leaves out the rest by decision. */
function countNotStarted(runs: readonly ListedRun[]): number {
  const [first] = runs
  if (first?.seriesId === undefined || runs.some(({ stopReason }) => stopReason === 'decided')) return 0
  return Math.max(0, (first.repeat ?? 1) - runs.length)
}

function sumOverRuns(runs: ListedRun[], read: (run: ListedRun) => number): number {
  return runs.reduce((total, run) => total + read(run), 0)
}

function makeGroup(runs: ListedRun[], notStarted = 0): RunGroup {
  const ordered = runs.toReversed()
  const first = ordered[0]!
  const models = [...new Set(ordered.flatMap((run) => run.models))]
  const means = new Map<string, number>()
  for (const model of models) {
    const scores = ordered.flatMap((run) => run.means[model] ?? [])
    if (scores.length > 0) means.set(model, weightedMoments(scores).mean)
  }
  return {
    selection: first.seriesId === undefined ? first.id : `series:${first.seriesId}`,
    isSeries: first.seriesId !== undefined,
    runs: ordered,
    notStarted,
    kind: first.kind,
    suiteName: first.testSuiteName ?? 'Untitled suite',
    ...(first.label && { label: first.label }),
    startedAt: first.startedAt,
    models: models.toSorted((a, b) => (means.get(b) ?? -1) - (means.get(a) ?? -1)),
    means,
    state: stateOfRuns(ordered.map(({ state }) => state)),
    cells: sumOverRuns(ordered, ({ cells }) => cells.total) + notStarted * first.cells.total,
    unscored: sumOverRuns(ordered, ({ cells }) => cells.unscored),
    errors: sumOverRuns(ordered, ({ cells }) => cells.errors),
    notRun: sumOverRuns(ordered, countPending) + notStarted * first.cells.total,
    cost: sumDollars(ordered.map(({ cost }) => cost)),
    unknownCosts: sumOverRuns(ordered, ({ unknownCosts }) => unknownCosts),
  }
}

/**
 * The rows of the list. The runs come newest first, as they were stored. A run that is on two pages counts once. With
 * `hasMore`, the oldest series may have further runs on the next page.
 */
export function groupRuns(runs: readonly ListedRun[], { hasMore = false } = {}): RunGroup[] {
  const byId = new Map(runs.map((run) => [run.id, run]))
  const groups = Map.groupBy(byId.values(), (run) =>
    run.seriesId === undefined ? `run:${run.id}` : `series:${run.seriesId}`,
  )
  const oldest = [...groups.values()].at(-1)
  return [...groups.values()].map((own) => makeGroup(own, hasMore && own === oldest ? 0 : countNotStarted(own)))
}

/** A single run as a row. */
export function groupOfRun(run: ListedRun): RunGroup {
  return { ...makeGroup([run]), selection: run.id, isSeries: false }
}
