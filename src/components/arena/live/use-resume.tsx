import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { whereRunning, type RunOwner } from '../../../contract/index.ts'
import { api } from '../../api.ts'
import { ApiFailure, readReply } from '../../api-request.ts'
import { useSingleMutation } from '../../use-single-mutation.ts'
import { BudgetDialog } from './BudgetDialog.tsx'
import { TakeOverDialog } from './TakeOverDialog.tsx'

interface ResumableRun {
  runId: string
  /** Set if the run stopped at its budget: it then needs a higher one to resume. */
  usedUpBudget?: number | undefined
  /** The other live process that works on the run, if that is known already. */
  workedOnBy?: RunOwner | undefined
  onResumed: (runId: string) => void
  onFailure: (failure: Error) => void
}

interface ResumeRequest {
  maxCost?: number
  takeOver?: boolean
}

/** Where the run is running, if that is why it was not resumed. */
function ownerIn(failure: unknown): string | undefined {
  if (!(failure instanceof ApiFailure) || failure.code !== 'worked-on') return undefined
  return /^The run is running (.*?)\. Wait for it/s.exec(failure.message)?.[1] ?? 'in another process'
}

/** Resumes a run; asks first for a higher budget, or whether to take it over from another process. */
export function useResume({ runId, usedUpBudget, workedOnBy, onResumed, onFailure }: ResumableRun): {
  resume: () => void
  isPending: boolean
  dialogs: ReactNode
} {
  const [isBudgetOpen, setBudgetOpen] = useState(false)
  const [owner, setOwner] = useState<string>()
  const queries = useQueryClient()
  const resume = useSingleMutation({
    mutationFn: (request: ResumeRequest) =>
      readReply(api.runs[':id'].resume.$post({ param: { id: runId }, json: request })),
    onSuccess: (started) => {
      setBudgetOpen(false)
      setOwner(undefined)
      void queries.invalidateQueries({ queryKey: ['runs'] })
      void queries.invalidateQueries({ queryKey: ['code-arena'] })
      onResumed(started.runId)
    },
    onError: (failure, { takeOver }) => {
      const holder = ownerIn(failure)
      if (holder !== undefined && !takeOver) {
        setBudgetOpen(false)
        setOwner(holder)
      } else if (!isBudgetOpen && !takeOver) onFailure(failure)
    },
  })
  const start = () => {
    if (workedOnBy) setOwner(whereRunning(workedOnBy))
    else if (usedUpBudget === undefined) resume.mutate({})
    else setBudgetOpen(true)
  }
  return {
    resume: start,
    isPending: resume.isPending,
    dialogs: (
      <>
        {isBudgetOpen && usedUpBudget !== undefined && (
          <BudgetDialog
            usedUp={usedUpBudget}
            isResuming={resume.isPending}
            failure={resume.error}
            onResume={(maxCost) => resume.mutate({ maxCost })}
            onClose={() => setBudgetOpen(false)}
          />
        )}
        {owner !== undefined && (
          <TakeOverDialog
            owner={owner}
            isResuming={resume.isPending}
            failure={resume.variables?.takeOver ? resume.error : null}
            onTakeOver={() => resume.mutate({ ...resume.variables, takeOver: true })}
            onClose={() => setOwner(undefined)}
          />
        )}
      </>
    ),
  }
}
