import type { ListedRun } from '../../../server/runs/listed-runs.ts'
import { sumDollars } from '../../../contract/money.ts'
import { weightedMoments } from '../../../statistics/numbers/weighted-moments.ts'

/** A row of the list: a run by itself, or the runs of a series together. */
export interface RunGroup {
  /** What its results are asked by: `series:ID`, or the run's id. */
  selection: string
  isSeries: boolean
  /** In the order they were made. */
  runs: ListedRun[]
  suiteName: string
  startedAt: number
  models: string[]
  /** Over the runs that have one. */
  means: Map<string, number>
  state: RunState
  cells: number
  /** Unscored or ended in error. */
  missing: number
  pending: number
  cost: number
  unknownCosts: number
}

export type RunState = 'live' | 'elsewhere' | 'interrupted' | 'waiting' | 'failed' | 'stopped' | 'finished'

export const stateWords: Record<RunState, string> = {
  live: 'going on',
  elsewhere: 'going on elsewhere',
  interrupted: 'interrupted',
  waiting: 'not started',
  failed: 'failed',
  stopped: 'stopped',
  finished: 'finished',
}

/** What a group says when its runs differ: the first of these that any of them is in. */
const urgency: RunState[] = ['live', 'elsewhere', 'interrupted', 'failed', 'stopped', 'waiting', 'finished']

export function stateOf({
  status,
  isLive,
  isInterrupted,
}: Pick<ListedRun, 'status' | 'isLive' | 'isInterrupted'>): RunState {
  if (isLive) return 'live'
  if (isInterrupted) return 'interrupted'
  if (status === 'running') return 'elsewhere'
  if (status === 'idle') return 'waiting'
  if (status === 'failed') return 'failed'
  return status === 'cancelled' ? 'stopped' : 'finished'
}

/** The run that Resume goes on with: the first that is not done, or whose errors are worth another try. */
export function resumable({ runs }: RunGroup): ListedRun | undefined {
  return runs.find((run) => {
    const state = stateOf(run)
    if (state === 'live' || state === 'elsewhere') return false
    return run.cells.pending > 0 || run.cells.errors > 0
  })
}

function sum(runs: ListedRun[], read: (run: ListedRun) => number): number {
  return runs.reduce((total, run) => total + read(run), 0)
}

function makeGroup(runs: ListedRun[]): RunGroup {
  const ordered = runs.toSorted((a, b) => a.startedAt - b.startedAt)
  const first = ordered[0]!
  const models = [...new Set(ordered.flatMap((run) => run.models))]
  const means = new Map<string, number>()
  for (const model of models) {
    const scores = ordered.flatMap((run) => run.means[model] ?? [])
    if (scores.length > 0) means.set(model, weightedMoments(scores).mean)
  }
  const states = new Set(ordered.map(stateOf))
  return {
    selection: first.seriesId === undefined ? first.id : `series:${first.seriesId}`,
    isSeries: first.seriesId !== undefined,
    runs: ordered,
    suiteName: first.testSuiteName ?? 'Suite without a name',
    startedAt: first.startedAt,
    models: models.toSorted((a, b) => (means.get(b) ?? -1) - (means.get(a) ?? -1)),
    means,
    state: urgency.find((state) => states.has(state)) ?? 'finished',
    cells: sum(ordered, ({ cells }) => cells.total),
    missing: sum(ordered, ({ cells }) => cells.unscored + cells.errors),
    pending: sum(ordered, ({ cells }) => cells.pending),
    cost: sumDollars(ordered.map(({ cost }) => cost)),
    unknownCosts: sum(ordered, ({ unknownCosts }) => unknownCosts),
  }
}

/** Runs as the list shows them, newest first. A run that two pages both hold counts once. */
export function groupRuns(runs: readonly ListedRun[]): RunGroup[] {
  const byId = new Map(runs.map((run) => [run.id, run]))
  const groups = Map.groupBy(byId.values(), (run) =>
    run.seriesId === undefined ? `run:${run.id}` : `series:${run.seriesId}`,
  )
  return [...groups.values()].map(makeGroup).toSorted((a, b) => b.runs.at(-1)!.startedAt - a.runs.at(-1)!.startedAt)
}

/** One run of a series as a row of its own. */
export function groupOfRun(run: ListedRun): RunGroup {
  return { ...makeGroup([run]), selection: run.id, isSeries: false }
}

/** Every word of the search is somewhere in the suite's name, the models, the state or an id. */
export function matchesSearch(group: RunGroup, search: string): boolean {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return true
  const text = [
    group.suiteName,
    ...group.models,
    stateWords[group.state],
    group.isSeries ? 'series' : '',
    group.selection,
    ...group.runs.map(({ id }) => id),
  ]
    .join('\n')
    .toLowerCase()
  return words.every((word) => text.includes(word))
}
