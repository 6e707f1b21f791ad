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

/** What a run that stopped for its budget may spend instead. */
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
      description={`The run stopped because the next request could pass its budget of ${formatCost(usedUp)}. What is done is kept.`}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="budget-form" disabled={budget === undefined || isResuming}>
            {isResuming ? 'Resuming …' : 'Resume'}
          </Button>
        </>
      }
    >
      <form id="budget-form" onSubmit={submit} className="flex flex-col gap-3">
        <TextField
          label="New budget in USD"
          hint="For everything together, what is spent already and all runs of a series included"
          inputMode="decimal"
          value={text}
          error={'error' in read ? `It ${read.error}.` : undefined}
          onChange={({ target }) => setText(target.value)}
        />
        {failure && <FailureNotice title="It was not resumed" failure={failure} />}
      </form>
    </Dialog>
  )
}
