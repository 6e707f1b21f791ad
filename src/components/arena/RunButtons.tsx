import { useMutation, useQueryClient } from '@tanstack/react-query'
import { RotateCcw, Square } from 'lucide-react'
import { useState } from 'react'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { Button } from '../ui/Button.tsx'
import { toast } from '../ui/toast.ts'
import { BudgetDialog } from './live/BudgetDialog.tsx'

/** The lists that show what was stopped or resumed. */
function useRefreshRuns(): () => void {
  const queries = useQueryClient()
  return () => {
    void queries.invalidateQueries({ queryKey: ['runs'] })
    void queries.invalidateQueries({ queryKey: ['code-arena'] })
  }
}

/** Stopping asks nothing: what is done stays, and a resume goes on from there. */
export function StopButton({ runId, onFailure }: { runId: string; onFailure: (failure: unknown) => void }) {
  const refresh = useRefreshRuns()
  const stop = useMutation({
    mutationFn: () => readReply(api.runs[':id'].stop.$post({ param: { id: runId } })),
    onSuccess: () => {
      refresh()
      toast('Stopped. What is done is kept; Resume goes on from there.')
    },
    onError: onFailure,
  })
  return (
    <Button onClick={() => stop.mutate()} disabled={stop.isPending} title="What is done is kept">
      <Square size={12} aria-hidden />
      {stop.isPending ? 'Stopping …' : 'Stop'}
    </Button>
  )
}

interface ResumeButtonProps {
  runId: string
  /** What would be asked. */
  title: string
  /** The budget that it stopped for: it can only go on with a higher one. */
  usedUpBudget: number | undefined
  onResumed: (runId: string) => void
  onFailure: (failure: unknown) => void
}

export function ResumeButton({ runId, title, usedUpBudget, onResumed, onFailure }: ResumeButtonProps) {
  const [isAsking, setAsking] = useState(false)
  const refresh = useRefreshRuns()
  const resume = useMutation({
    mutationFn: (request: { maxCost?: number }) =>
      readReply(api.runs[':id'].resume.$post({ param: { id: runId }, json: request })),
    onSuccess: (started) => {
      setAsking(false)
      refresh()
      onResumed(started.runId)
    },
    onError: (failure) => {
      if (!isAsking) onFailure(failure)
    },
  })
  return (
    <>
      <Button
        onClick={() => (usedUpBudget === undefined ? resume.mutate({}) : setAsking(true))}
        disabled={resume.isPending}
        title={title}
      >
        <RotateCcw size={14} aria-hidden />
        {resume.isPending ? 'Resuming …' : 'Resume'}
      </Button>
      {isAsking && usedUpBudget !== undefined && (
        <BudgetDialog
          usedUp={usedUpBudget}
          isResuming={resume.isPending}
          failure={resume.error}
          onResume={(maxCost) => resume.mutate({ maxCost })}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
