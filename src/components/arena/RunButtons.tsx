import { forRunners } from '../access/for-runners.tsx'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { RotateCcw, Square } from 'lucide-react'
import { whereRunning, type RunOwner } from '../../contract/index.ts'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { Button } from '../ui/Button.tsx'
import { toast } from '../ui/toast.ts'
import { useResume } from './live/use-resume.tsx'

/** Refreshes the lists that show the stopped run. */
function useRefreshRuns(): () => void {
  const queries = useQueryClient()
  return () => {
    void queries.invalidateQueries({ queryKey: ['runs'] })
    void queries.invalidateQueries({ queryKey: ['code-arena'] })
  }
}

/** Needs no confirmation: finished cells are saved, and the run can be resumed. */
function StopButtonForRunners({ runId, onFailure }: { runId: string; onFailure: (failure: unknown) => void }) {
  const refresh = useRefreshRuns()
  const stop = useMutation({
    mutationFn: () => readReply(api.runs[':id'].stop.$post({ param: { id: runId } })),
    onSuccess: () => {
      refresh()
      toast('Stopped. Finished cells are saved; Resume continues from there.')
    },
    onError: onFailure,
  })
  return (
    <Button onClick={() => stop.mutate()} disabled={stop.isPending} title="Finished cells are saved">
      <Square size={12} aria-hidden />
      {stop.isPending ? 'Stopping…' : 'Stop'}
    </Button>
  )
}

interface ResumeButtonProps {
  runId: string
  /** `Retry the 7 failed requests`. */
  label?: string
  /** What a resume would do. */
  title: string
  /** Set if the run stopped at its budget: it then needs a higher one to resume. */
  usedUpBudget: number | undefined
  /** Another live process that works on the run: it can only be taken over. */
  workedOnBy: RunOwner | undefined
  onResumed: (runId: string) => void
  onFailure: (failure: unknown) => void
}

function ResumeButtonForRunners({ label = 'Resume', title, workedOnBy, ...run }: ResumeButtonProps) {
  const { resume, isPending, dialogs } = useResume({ ...run, workedOnBy })
  return (
    <>
      <Button
        onClick={resume}
        disabled={isPending}
        title={workedOnBy ? `The run is running ${whereRunning(workedOnBy)}` : title}
      >
        <RotateCcw size={14} aria-hidden />
        {isPending ? 'Resuming…' : workedOnBy ? 'Take over…' : label}
      </Button>
      {dialogs}
    </>
  )
}

export const StopButton = forRunners(StopButtonForRunners)

export const ResumeButton = forRunners(ResumeButtonForRunners)
