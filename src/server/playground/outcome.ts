import { isInProgress, type RunState, type StopReason } from '../../contract/index.ts'
import { describeChange } from '../../report/words/index.ts'
import { pickAnswers, type pairAnswers, type AnswerPair, type PairedAnswers } from '../../services/index.ts'
import type { ServerContext } from '../context.ts'
import { notFound } from '../http/refusal.ts'
import { runJobIn, startThread } from '../results/selection/background-thread.ts'
import { isLarge } from '../results/selection/load-selection.ts'
import { selectionsOf } from '../results/selection/selection-cache.ts'
import { findActivityOf } from '../runs/run-activity.ts'

/** GET /api/playground/:runId/outcome?case=&model=&experiment=: answers before and after the change. */
export interface PlaygroundOutcome {
  state: RunState
  stopReason?: StopReason
  cells: { total: number; done: number; errors: number }
  /** US dollars. */
  cost: number
  unknownCosts: number
  /** The contestant of the new run. */
  modelId: string
  /** Largest changes first, limited in number; always with the edited case, if it was run. */
  pairs: ListedPair[]
  better: number
  worse: number
  same: number
  /** Whether the change helped; absent while the run is in progress. */
  sentence?: string
  /** Cases with a score on both sides. */
  n: number
  /** Only some of the earlier run's cases were run. */
  isPart: boolean
}

interface ListedPair extends AnswerPair {
  title: string
}

const MAX_LISTED = 500

async function pair(input: Parameters<typeof pairAnswers>, isInThread: boolean): Promise<PairedAnswers> {
  let paired: PairedAnswers | undefined
  await runJobIn(isInThread ? startThread() : undefined, { kind: 'pair', input }, (result) => {
    if (result.part === 'paired') paired = result.paired
  })
  return paired!
}

export async function loadOutcome(
  runId: string,
  { case: caseId, model: contestant, experiment }: { case: string; model: string; experiment: string },
  context: ServerContext,
): Promise<PlaygroundOutcome> {
  const selections = selectionsOf(context)
  const [run] = await context.storage.listRuns({ ids: [experiment] })
  if (!run) throw notFound('The run')
  // Before the answers are read: a run that ends in between would be taken for one that ended without them.
  const { state } = await findActivityOf(run, context)
  const isLive = isInProgress(state)
  const [before, after] = [await selections.get(runId), await selections.get(experiment)]
  const [summary] = after.summaries
  if (before.ids.length !== 1 || after.ids.length !== 1 || !summary) throw notFound('The run')
  const { stopReason, cells, cost, unknownCosts } = summary
  const { scores } = after
  const [modelId = ''] = scores.modelIds
  const caseIds = Array.from(scores.runs[0]?.suite?.cases ?? scores.caseIds.keys(), (index) => scores.caseIds[index]!)
  const earlier = { scores: pickAnswers({ scores: before.scores, contestant }, caseIds), contestant }
  const { pairs, better, worse, same, comparison } = await pair(
    [earlier, { scores, contestant: modelId, caseIds }, { isLive }],
    isLarge([summary]),
  )
  const { n = 0 } = comparison?.paired ?? {}
  return {
    state,
    ...(stopReason && { stopReason }),
    cells: { total: cells.total, done: cells.total - cells.pending, errors: cells.errors },
    cost,
    unknownCosts,
    modelId,
    pairs: pairs
      .filter(({ testCaseId }, index) => index < MAX_LISTED || testCaseId === caseId)
      .map((listed) => ({ ...listed, title: after.titleOf(listed.testCaseId, 100) })),
    better,
    worse,
    same,
    ...(!isLive && { sentence: describeChange(comparison ?? {}) }),
    n,
    isPart: caseIds.length < before.scores.caseIds.length,
  }
}
