import type { RunStatus, StopReason } from '../../contract/index.ts'
import { describeChange } from '../../report/words/index.ts'
import { pairAnswers, type AnswerPair } from '../../services/index.ts'
import type { ServerContext } from '../context.ts'
import { notFound } from '../http/refusal.ts'
import type { LoadedSelection } from '../results/selection/load-selection.ts'
import { restoreRuns } from '../results/selection/run-columns.ts'
import { selectionsOf } from '../results/selection/selection-cache.ts'
import { findActivityOf } from '../runs/run-activity.ts'

/** GET /api/playground/:runId/outcome?case=&model=&ask=: answers before and after the change. */
export interface PlaygroundOutcome {
  status: RunStatus
  /** In progress, here or in another process. */
  isLive: boolean
  isInterrupted: boolean
  stopReason?: StopReason
  cells: { total: number; done: number; errors: number }
  /** US dollars. */
  cost: number
  unknownCosts: number
  /** The contestant of the new run. */
  modelId: string
  /** Largest changes first, limited in number; always with the edited case, if it was asked. */
  pairs: ListedPair[]
  better: number
  worse: number
  same: number
  /** Whether the change helped; absent while the run is in progress. */
  sentence?: string
  /** Cases with a score on both sides. */
  n: number
  /** Of the difference, if there are several cases. */
  interval?: [number, number]
  meanDifference?: number
  /** Only some of the earlier run's cases were asked. */
  isPart: boolean
}

interface ListedPair extends AnswerPair {
  title: string
}

const MAX_LISTED = 500

function compare(before: LoadedSelection, contestant: string, after: LoadedSelection) {
  const [earlier] = restoreRuns(before.columns)
  const [now] = restoreRuns(after.columns)
  const { asked } = after.columns.runs[0]!
  const caseIds = Array.from(asked, (index) => after.columns.caseIds[index]!)
  const modelId = after.columns.modelIds[0] ?? ''
  return {
    modelId,
    caseIds,
    paired: pairAnswers({ run: earlier!, contestant }, { run: now!, contestant: modelId, caseIds }),
  }
}

export async function describeOutcome(
  runId: string,
  { case: caseId, model: contestant, ask }: { case: string; model: string; ask: string },
  context: ServerContext,
): Promise<PlaygroundOutcome> {
  const selections = selectionsOf(context)
  const [asked] = await context.storage.listRuns({ ids: [ask] })
  if (!asked) throw notFound('The run')
  // Before the answers are read: a run that ends in between would be taken for one that ended without them.
  const { isLive: isOurs, isInterrupted, workedOnBy } = await findActivityOf(asked, context)
  const isLive = isOurs || workedOnBy !== undefined
  const [before, after] = [await selections.get(runId), await selections.get(ask)]
  const [summary] = after.summaries
  if (before.ids.length !== 1 || after.ids.length !== 1 || !summary) throw notFound('The run')
  const { status, stopReason, cells, cost, unknownCosts } = summary
  const { modelId, caseIds, paired } = compare(before, contestant, after)
  const { pairs, better, worse, same, comparison } = paired
  const { n = 0, confidence95, meanDiff } = comparison?.paired ?? {}
  return {
    status,
    isLive,
    isInterrupted,
    ...(stopReason && { stopReason }),
    cells: { total: cells.total, done: cells.total - cells.pending, errors: cells.errors },
    cost,
    unknownCosts,
    modelId,
    pairs: pairs
      .filter(({ testCaseId }, index) => index < MAX_LISTED || testCaseId === caseId)
      .map((pair) => ({ ...pair, title: after.titleOf(pair.testCaseId, 100) })),
    better,
    worse,
    same,
    ...(!isLive && { sentence: describeChange(comparison ?? {}) }),
    n,
    ...(n > 1 && confidence95 && { interval: confidence95 }),
    ...(n > 1 && meanDiff !== undefined && { meanDifference: meanDiff }),
    isPart: caseIds.length < before.columns.caseIds.length,
  }
}
