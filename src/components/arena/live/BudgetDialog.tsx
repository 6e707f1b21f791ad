import { useState, type FormEvent } from 'react'
import { formatCost } from '../../../report/words/index.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/Field.tsx'
import { FailureNotice } from '../../ui/Notice.tsx'
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
export function BudgetDialog({ usedUp, isResuming, failure, onResume, onClose }: BudgetDialogProps) {
  const [text, setText] = useState(String(usedUp * 2))
  const read = readNumber(text, { min: usedUp, isMinExcluded: true })
  const budget = 'value' in read ? read.value : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (budget !== undefined && !isResuming) onResume(budget)
  }
  return (
    <Dialog
      title="Resume with a higher budget"
      description={`The run stopped because the next request could exceed its budget of ${formatCost(usedUp)}. Finished cells are saved.`}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="budget-form" disabled={budget === undefined || isResuming}>
            {isResuming ? 'Resuming…' : 'Resume'}
          </Button>
        </>
      }
    >
      <form id="budget-form" onSubmit={submit} className="flex flex-col gap-3">
        <TextField
          label="New budget in USD"
          hint="The total, including what is already spent and all runs of a series"
          inputMode="decimal"
          value={text}
          error={'error' in read ? `The budget ${read.error}.` : undefined}
          onChange={({ target }) => setText(target.value)}
        />
        {failure && <FailureNotice title="The run was not resumed" failure={failure} />}
      </form>
    </Dialog>
  )
}
