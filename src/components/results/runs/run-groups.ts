import type { ListedRun } from '../../../server/runs/listed-runs.ts'
import { isLive, stateOfRuns, type RunKind, type RunLabel, type RunState } from '../../../contract/index.ts'
import { sumDollars } from '../../../contract/money.ts'
import { weightedMoments } from '../../../statistics/numbers/weighted-moments.ts'

/** A row of the list: a single run or a series. */
export interface RunGroup {
  /** As in the address of its results: `series:ID` or the run's id. */
  selection: string
  isSeries: boolean
  /** In the order they ran. */
  runs: ListedRun[]
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

/** Cells left to run: what a run left out by decision is not. */
function pendingOf({ cells, stopReason }: Pick<ListedRun, 'cells' | 'stopReason'>): number {
  return stopReason === 'decided' ? 0 : cells.pending
}

/** The run to resume: the first one with remaining cells or errors; one of another process can be taken over. */
export function resumable({ runs }: RunGroup): ListedRun | undefined {
  return runs.find((run) => !isLive(run) && (pendingOf(run) > 0 || run.cells.errors > 0))
}

function sum(runs: ListedRun[], read: (run: ListedRun) => number): number {
  return runs.reduce((total, run) => total + read(run), 0)
}

function makeGroup(runs: ListedRun[]): RunGroup {
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
    kind: first.kind,
    suiteName: first.testSuiteName ?? 'Untitled suite',
    ...(first.label && { label: first.label }),
    startedAt: first.startedAt,
    models: models.toSorted((a, b) => (means.get(b) ?? -1) - (means.get(a) ?? -1)),
    means,
    state: stateOfRuns(ordered.map(({ state }) => state)),
    cells: sum(ordered, ({ cells }) => cells.total),
    unscored: sum(ordered, ({ cells }) => cells.unscored),
    errors: sum(ordered, ({ cells }) => cells.errors),
    notRun: sum(ordered, pendingOf),
    cost: sumDollars(ordered.map(({ cost }) => cost)),
    unknownCosts: sum(ordered, ({ unknownCosts }) => unknownCosts),
  }
}

/** The rows of the list. The runs come newest first, as they were stored. A run that is on two pages counts once. */
export function groupRuns(runs: readonly ListedRun[]): RunGroup[] {
  const byId = new Map(runs.map((run) => [run.id, run]))
  const groups = Map.groupBy(byId.values(), (run) =>
    run.seriesId === undefined ? `run:${run.id}` : `series:${run.seriesId}`,
  )
  return [...groups.values()].map(makeGroup)
}

/** A single run as a row. */
export function groupOfRun(run: ListedRun): RunGroup {
  return { ...makeGroup([run]), selection: run.id, isSeries: false }
}
