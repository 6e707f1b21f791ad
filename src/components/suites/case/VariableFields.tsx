import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../../ui/Button.tsx'
import { TextField } from '../../ui/form/Field.tsx'
import { textOf } from '../suite-draft.ts'
import { isSame } from '../unsaved-draft.ts'
import { findRowError, fromRows, toRows, type VariableRow } from './variable-rows.ts'

/** Values for `{{name}}` placeholders in the texts of a case. */
export function VariableFields({
  value,
  error,
  onChange,
}: {
  value: unknown
  error: string | undefined
  onChange: (value: unknown) => void
}) {
  const [typed, setTyped] = useState(() => toRows(value))
  const rows = isSame(fromRows(typed), value) ? typed : toRows(value)
  const change = (next: VariableRow[]) => {
    setTyped(next)
    onChange(fromRows(next))
  }
  return (
    <div role="group" aria-label="Variables" className="flex flex-col gap-2">
      <div className="text-[13px] font-medium">Variables</div>
      {[...rows.entries()].map(([index, row]) => (
        <div key={index} className="flex items-start gap-2">
          <TextField
            label={`Name of variable ${index + 1}`}
            isLabelHidden
            placeholder="name"
            className="w-40 shrink-0"
            error={findRowError(rows, index)}
            value={row.name}
            onChange={(text) => change(rows.with(index, { ...row, name: text }))}
          />
          <TextField
            label={`Value of variable ${index + 1}`}
            isLabelHidden
            placeholder="value"
            className="flex-1"
            value={textOf(row.value)}
            onChange={(text) => change(rows.with(index, { ...row, value: text }))}
          />
          <IconButton label={`Remove variable ${index + 1}`} onClick={() => change(rows.toSpliced(index, 1))}>
            <Trash2 size={16} aria-hidden />
          </IconButton>
        </div>
      ))}
      {error !== undefined && <div className="text-xs text-danger">{error}</div>}
      <div>
        <Button kind="quiet" className="-ml-3" onClick={() => change([...rows, { name: '', value: '' }])}>
          <Plus size={16} aria-hidden />
          Add variable
        </Button>
      </div>
    </div>
  )
}
