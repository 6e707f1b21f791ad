import { isSkipped, runStateOf, type RunResult, type RunState } from '../../contract/index.ts'
import { listUnfinished } from '../../statistics/index.ts'
import { describeStop } from '../words/index.ts'

/** A run that did not finish. */
export interface UnfinishedRun {
  runId: string
  state: RunState
  /** Cells that were not run; of a run in progress, those not answered and scored yet. */
  cells: number
  /** That and why it ended early, without the full stop. */
  sentence: string
}

/** What only the caller knows about the runs. */
export interface UnfinishedOptions {
  /** Runs that are stored as running, but whose program is gone. */
  interrupted?: ReadonlySet<string> | undefined
  /** Of a series whose runs are all in the report. */
  runsNotStarted?: number | undefined
}

export function stateOfRun({ id, status = 'completed' }: RunResult, { interrupted }: UnfinishedOptions): RunState {
  return runStateOf(status, { isHeld: status === 'running' && !interrupted?.has(id) })
}

/** In a run that a provider ended: the models that were not asked everything; none if that is all of them. */
export function listRefusedModels(run: RunResult): string[] {
  const { stopReason, models, results } = run
  if (stopReason !== 'provider') return []
  const unasked = new Set([...results.filter(isSkipped), ...listUnfinished(run)].map(({ modelId }) => modelId))
  return unasked.size < models.length ? models.filter((model) => unasked.has(model)) : []
}

/** The runs that did not finish, of runs whose unfinished cells were added. */
export function listUnfinishedRuns(
  runs: readonly RunResult[],
  { interrupted, runsNotStarted }: UnfinishedOptions,
): UnfinishedRun[] {
  return runs.flatMap((run, index): UnfinishedRun[] => {
    const { id: runId, stopReason, request, results } = run
    const state = stateOfRun(run, { interrupted })
    if (state === 'done') return []
    const open = listUnfinished(run).length
    const notRun = results.filter(isSkipped).length + open
    const sentence = describeStop({
      state,
      stopReason,
      maxCost: request?.maxCost,
      refusedModels: listRefusedModels(run),
      cells: results.length + open,
      notRun,
      ...(index === runs.length - 1 && { runsNotStarted }),
    })!
    return [{ runId, state, cells: notRun, sentence }]
  })
}
