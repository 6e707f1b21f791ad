import { isInProgress, type PlaygroundExperiment, type PlaygroundEdit } from '../../contract/index.ts'
import type { RunEstimate } from '../../server/runs/estimate.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { readReply, problemsOf } from '../api-request.ts'
import { useSettled } from '../ui/use-settled.ts'

/** A stored answer. */
export interface Origin {
  runId: string
  caseId: string
  /** `model` or `model@variant`. */
  contestant: string
}

/** Waits for a pause in typing before it requests an estimate. */
const DELAY_MS = 300

export function makeExperiment(
  { caseId, contestant }: Origin,
  edit: PlaygroundEdit,
  {
    cases,
    judges,
    maxCost,
  }: { cases: string[] | undefined; judges: string[] | undefined; maxCost: number | undefined },
): PlaygroundExperiment {
  return {
    testCaseId: caseId,
    modelId: contestant,
    edit,
    ...(cases && { cases }),
    ...(judges && { judgeModelIds: judges }),
    ...(maxCost !== undefined && { maxCost }),
  }
}

/** What the experiment would send and cost, and why it cannot start. */
export function useExperimentEstimate(
  { runId }: Origin,
  experiment: PlaygroundExperiment | undefined,
): { estimate: RunEstimate | undefined; problems: string[]; isSettled: boolean } {
  const text = experiment && JSON.stringify(experiment)
  const settled = useSettled(text, DELAY_MS)
  const query = useQuery({
    queryKey: ['playgroundEstimate', runId, settled],
    queryFn: () => readReply(api.playground[':runId'].estimate.$post({ param: { runId }, json: experiment! })),
    enabled: settled !== undefined && settled === text,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: false,
    gcTime: 60_000,
  })
  const isSettled = settled === text && !query.isFetching
  return {
    estimate: experiment && query.data,
    problems: isSettled ? [...(query.data?.problems ?? []), ...problemsOf(query.error)] : [],
    isSettled,
  }
}

const SLOW_AFTER = 300

/** The answers before and after; loaded again until the run has ended. */
export function useOutcome({ runId, caseId, contestant }: Origin, experimentId: string | undefined) {
  return useQuery({
    queryKey: ['playgroundOutcome', runId, caseId, contestant, experimentId],
    queryFn: () =>
      readReply(
        api.playground[':runId'].outcome.$get({
          param: { runId },
          query: { case: caseId, model: contestant, experiment: experimentId! },
        }),
      ),
    enabled: experimentId !== undefined,
    // A large run is expensive to read.
    refetchInterval: ({ state: { data } }) =>
      data && isInProgress(data.state) ? (data.cells.total > SLOW_AFTER ? 3000 : 600) : false,
  })
}
