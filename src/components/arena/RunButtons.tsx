import { useMutation, useQueryClient } from '@tanstack/react-query'
import { RotateCcw, Square } from 'lucide-react'
import { useState } from 'react'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { Button } from '../ui/Button.tsx'
import { toast } from '../ui/toast.ts'
import { BudgetDialog } from './live/BudgetDialog.tsx'

/** Refreshes the lists that show the stopped or resumed run. */
function useRefreshRuns(): () => void {
  const queries = useQueryClient()
  return () => {
    void queries.invalidateQueries({ queryKey: ['runs'] })
    void queries.invalidateQueries({ queryKey: ['code-arena'] })
  }
}

/** Needs no confirmation: finished cells are saved, and the run can be resumed. */
export function StopButton({ runId, onFailure }: { runId: string; onFailure: (failure: unknown) => void }) {
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
  /** What a resume would do. */
  title: string
  /** Set if the run stopped at its budget: it then needs a higher one to resume. */
  usedUpBudget: number | undefined
  onResumed: (runId: string) => void
  onFailure: (failure: unknown) => void
}

export function ResumeButton({ runId, title, usedUpBudget, onResumed, onFailure }: ResumeButtonProps) {
  const [isDialogOpen, setDialogOpen] = useState(false)
  const refresh = useRefreshRuns()
  const resume = useMutation({
    mutationFn: (request: { maxCost?: number }) =>
      readReply(api.runs[':id'].resume.$post({ param: { id: runId }, json: request })),
    onSuccess: (started) => {
      setDialogOpen(false)
      refresh()
      onResumed(started.runId)
    },
    onError: (failure) => {
      if (!isDialogOpen) onFailure(failure)
    },
  })
  return (
    <>
      <Button
        onClick={() => (usedUpBudget === undefined ? resume.mutate({}) : setDialogOpen(true))}
        disabled={resume.isPending}
        title={title}
      >
        <RotateCcw size={14} aria-hidden />
        {resume.isPending ? 'Resuming…' : 'Resume'}
      </Button>
      {isDialogOpen && usedUpBudget !== undefined && (
        <BudgetDialog
          usedUp={usedUpBudget}
          isResuming={resume.isPending}
          failure={resume.error}
          onResume={(maxCost) => resume.mutate({ maxCost })}
          onClose={() => setDialogOpen(false)}
        />
      )}
    </>
  )
}
