import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { whereRunning, type RunOwner } from '../../../contract/index.ts'
import { api } from '../../api.ts'
import { ApiFailure, readReply } from '../../api-request.ts'
import { useSingleMutation } from '../../use-single-mutation.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FailureNotice } from '../../ui/Notice.tsx'
import { formatCost } from '../../../report/words/index.ts'
import { TextField } from '../../ui/form/Field.tsx'
import { FormDialog } from '../../ui/form/Form.tsx'
import { readNumber } from '../choices/read-number.ts'

interface BudgetDialogProps {
  /** US dollars. */
  usedUp: number
  isResuming: boolean
  failure: Error | null
  onResume: (budget: number) => void
  onClose: () => void
}

/** Asks for a higher budget to resume a run that stopped at its budget. */
function BudgetDialog({ usedUp, isResuming, failure, onResume, onClose }: BudgetDialogProps) {
  const [text, setText] = useState(String(usedUp * 2))
  const read = readNumber(text, { min: usedUp, isMinExcluded: true })
  const budget = 'value' in read ? read.value : undefined
  return (
    <FormDialog
      title="Resume with a higher budget"
      description={`The run stopped because the next request could exceed its budget of ${formatCost(usedUp)}. Finished cells are saved.`}
      action={{ label: 'Resume', pending: 'Resuming…', isDisabled: budget === undefined }}
      request={{ isPending: isResuming, error: failure }}
      failureTitle="The run was not resumed"
      onSubmit={() => budget !== undefined && onResume(budget)}
      onClose={onClose}
    >
      <TextField
        label="New budget in USD"
        hint="The total, including what is already spent and all runs of a series"
        inputMode="decimal"
        value={text}
        error={'error' in read ? `The budget ${read.error}.` : undefined}
        onChange={setText}
      />
    </FormDialog>
  )
}

interface TakeOverDialogProps {
  /** Where the run is running: `in another process (process 4711 on host lab since …)` */
  owner: string
  isResuming: boolean
  failure: Error | null
  onTakeOver: () => void
  onClose: () => void
}

/** Asks before a run is taken from another process, as `--take-over` does in the terminal. */
function TakeOverDialog({ owner, isResuming, failure, onTakeOver, onClose }: TakeOverDialogProps) {
  return (
    <Dialog
      title="Take over the run?"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Wait for it</Button>
          <Button kind="danger" disabled={isResuming} onClick={onTakeOver}>
            {isResuming ? 'Taking over…' : 'Take over'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <p className="break-words">The run is running {owner}.</p>
        <p>
          Take it over only when you know that this process is dead. If it is alive, it stops, and its requests in
          progress are paid for twice. Finished cells are saved either way.
        </p>
        {failure && <FailureNotice title="The run was not taken over" failure={failure} />}
      </div>
    </Dialog>
  )
}

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
