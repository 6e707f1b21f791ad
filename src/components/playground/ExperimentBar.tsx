import type { PlaygroundExperiment } from '../../contract/index.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Play, Square } from 'lucide-react'
import { api } from '../api.ts'
import { readReply, problemsOf } from '../api-request.ts'
import { useSingleMutation } from '../use-single-mutation.ts'
import { describeRunEstimate } from '../../report/words/index.ts'
import { Button } from '../ui/Button.tsx'
import { useRunKey } from '../ui/keys.ts'
import { useExperimentEstimate, type Origin } from './use-experiment.ts'

interface ExperimentBarProps {
  origin: Origin
  /** Undefined if something typed cannot be read; `reasons` say what. */
  experiment: PlaygroundExperiment | undefined
  reasons: string[]
  /** Which cases are run, and what changes. */
  description: string
  /** The experiment that is in progress. */
  liveId: string | undefined
  onStarted: (runId: string) => void
}

/** What is run and what it costs, and the button that starts it. */
export function ExperimentBar({ origin, experiment, reasons, description, liveId, onStarted }: ExperimentBarProps) {
  const queries = useQueryClient()
  const { estimate, problems, isSettled } = useExperimentEstimate(origin, experiment)
  const start = useSingleMutation({
    mutationFn: (json: PlaygroundExperiment) =>
      readReply(api.playground[':runId'].experiment.$post({ param: { runId: origin.runId }, json })),
    onSuccess: ({ runId }) => {
      void queries.invalidateQueries({ queryKey: ['runs'] })
      onStarted(runId)
    },
  })
  const stop = useMutation({
    mutationFn: (id: string) => readReply(api.runs[':id'].stop.$post({ param: { id } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['playgroundOutcome'] }),
  })
  const blocked = [...reasons, ...problems]
  const isDisabled = !experiment || blocked.length > 0 || start.isPending || liveId !== undefined
  useRunKey(() => {
    if (!isDisabled) start.mutate(experiment)
  })
  return (
    <div className="sticky bottom-0 z-4 flex flex-col gap-2 border-t border-line bg-canvas py-3 max-xl:static">
      <div role="status" className="min-w-0 text-[13px]">
        <div className="break-words">{description}</div>
        {blocked.map((reason) => (
          <div key={reason} className="break-words whitespace-pre-line text-danger">
            {reason}
          </div>
        ))}
        {blocked.length === 0 && (
          <div className="text-muted tabular-nums">
            {estimate && isSettled ? describeRunEstimate(estimate) : 'Estimating…'}
          </div>
        )}
        {problemsOf(start.error).map((reason) => (
          <div key={reason} role="alert" className="break-words whitespace-pre-line text-danger">
            Not run: {reason}
          </div>
        ))}
        {stop.error && <div className="text-danger">{stop.error.message}</div>}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {liveId === undefined ? (
          <Button kind="primary" disabled={isDisabled} onClick={() => experiment && start.mutate(experiment)}>
            <Play size={14} aria-hidden /> {start.isPending ? 'Starting…' : 'Run'}
          </Button>
        ) : (
          <Button disabled={stop.isPending} onClick={() => stop.mutate(liveId)}>
            <Square size={14} aria-hidden /> {stop.isPending ? 'Stopping…' : 'Stop'}
          </Button>
        )}
        <span className="text-xs text-muted">
          <kbd>Ctrl</kbd>+<kbd>Enter</kbd>
        </span>
      </div>
    </div>
  )
}
