import { useState } from 'react'
import type { BudgetOwner } from '../../contract/index.ts'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { TextField } from '../ui/form/Field.tsx'
import { toast } from '../ui/toast.ts'
import { useSaveTeam } from './use-save-team.ts'

/** The amount that was typed; null for none, undefined for something else. */
function readAmount(text: string): number | null | undefined {
  const trimmed = text.trim().replace(/^\$/, '')
  if (trimmed === '') return null
  const amount = Number(trimmed)
  return Number.isFinite(amount) && amount >= 0 ? amount : undefined
}

/** A monthly budget in dollars; empty for no limit. Saved when the field is left. */
export function BudgetField({
  owner,
  name,
  monthly,
}: {
  owner: BudgetOwner
  name: string
  monthly?: number | undefined
}) {
  const [text, setText] = useState<string>()
  const shown = text ?? (monthly === undefined ? '' : String(monthly))
  const save = useSaveTeam(
    (amount: number | null) => readReply(api.team.budgets.$put({ json: { owner, monthly: amount } })),
    (amount) => (amount === null ? `${name} has no budget now.` : `${name} may spend $${amount} a month.`),
  )
  const leave = () => {
    const amount = readAmount(shown)
    setText(undefined)
    if (amount === undefined) toast(`Not saved: ${shown} is not an amount of dollars.`)
    else if (amount !== (monthly ?? null)) save.mutate(amount)
  }
  return (
    <TextField
      label={`Monthly budget of ${name} in dollars`}
      isLabelHidden
      inputMode="decimal"
      placeholder="No limit"
      className="w-28"
      value={shown}
      onChange={setText}
      onBlur={leave}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur()
      }}
    />
  )
}
